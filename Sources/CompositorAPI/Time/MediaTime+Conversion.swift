extension MediaTime {
  /// How a time that a timescale cannot represent is rounded.
  public enum RoundingMethod: String, Hashable, Sendable, Codable, CaseIterable {
    /// To nearest, halves away from zero.
    case halfAwayFromZero
    /// Toward zero.
    case towardZero
    /// Away from zero.
    case awayFromZero
    /// Toward zero for a coarser timescale, away from zero for a finer one; a negative time never becomes 0.
    case quickTime
    /// Toward +∞.
    case towardPositiveInfinity
    /// Toward −∞.
    case towardNegativeInfinity

    /// The default, ``halfAwayFromZero``.
    public static let `default` = RoundingMethod.halfAwayFromZero

    func roundsAway(isNegative: Bool, quotient: UInt128, remainder: UInt128, divisor: UInt128) -> Bool {
      guard remainder > 0 else { return false }
      return switch self {
      case .halfAwayFromZero: remainder >= divisor - remainder
      case .towardZero: false
      case .awayFromZero: true
      case .towardPositiveInfinity: !isNegative
      case .towardNegativeInfinity: isNegative
      // A conversion has already chosen the direction; the rule for small negative times remains.
      case .quickTime: isNegative && quotient == 0
      }
    }
  }

  /// Creates the time nearest to a number of seconds at a timescale.
  ///
  /// A timescale ≤ 0 or NaN gives an invalid time, ±∞ gives ±∞. On overflow the timescale is halved until the value fits; if an
  /// integral number of seconds doesn't fit, the result is ±∞. `hasBeenRounded` indicates that ``seconds`` differs from the
  /// given number.
  public init(seconds: Double, preferredTimescale: Int32) {
    guard preferredTimescale > 0, !seconds.isNaN else {
      self = .invalid
      return
    }
    var timescale = preferredTimescale
    while true {
      let scaled = (seconds * Double(timescale)).rounded(.toNearestOrAwayFromZero)
      if let value = Int64(exactly: scaled) {
        self.init(value: value, timescale: timescale)
        if self.seconds != seconds { flags.insert(.hasBeenRounded) }
        return
      }
      guard timescale > 1 else { break }
      timescale /= 2
    }
    self = seconds < 0 ? .negativeInfinity : .positiveInfinity
  }

  /// The time in seconds; NaN if invalid or indefinite, ±∞ if infinite.
  public var seconds: Double {
    switch kind {
    case .finite: Double(value) / Double(timescale)
    case .positiveInfinity: .infinity
    case .negativeInfinity: -.infinity
    case .indefinite, .invalid: .nan
    }
  }

  /// The time at another timescale, rounded if necessary, which sets `hasBeenRounded`.
  ///
  /// A timescale ≤ 0 gives an invalid time. A value that doesn't fit gives ±∞. Times that aren't numeric don't change.
  public func converted(toTimescale newTimescale: Int32, rounding: RoundingMethod = .default) -> MediaTime {
    guard isNumeric else { return self }
    guard newTimescale > 0 else { return .invalid }
    guard newTimescale != timescale else { return self }
    let finer = newTimescale > timescale
    let method = rounding == .quickTime && finer ? .awayFromZero : rounding
    return exact().time(timescale: newTimescale, rounding: method) ?? (value < 0 ? .negativeInfinity : .positiveInfinity)
  }
}

extension MediaTime: LosslessStringConvertible {
  /// `1001/30000`, `invalid`, `indefinite`, `+infinity` or `-infinity`; an epoch other than 0 is appended: `5/1@2`.
  public var description: String {
    switch kind {
    case .finite: epoch == 0 ? "\(value)/\(timescale)" : "\(value)/\(timescale)@\(epoch)"
    case .positiveInfinity: "+infinity"
    case .negativeInfinity: "-infinity"
    case .indefinite: "indefinite"
    case .invalid: "invalid"
    }
  }

  /// Parses ``description``, as well as integral seconds (`12`) and decimal seconds (`12.5`, exactly 125/10).
  ///
  /// `nil` for anything else: no spaces, no exponent, a timescale of 1 … 0x7fff_ffff, at most nine decimals.
  public init?(_ description: String) {
    switch description {
    case "invalid": self = .invalid
    case "indefinite": self = .indefinite
    case "+infinity", "infinity": self = .positiveInfinity
    case "-infinity": self = .negativeInfinity
    default:
      guard let time = MediaTime.numeric(description) else { return nil }
      self = time
    }
  }

  private static func numeric(_ text: String) -> MediaTime? {
    let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    guard let number = parts.first, var time = fraction(number) ?? decimal(number) else { return nil }
    if parts.count == 2 {
      guard let epoch = Int64(parts[1]) else { return nil }
      time.epoch = epoch
    }
    return time
  }

  private static func fraction(_ text: Substring) -> MediaTime? {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let value = Int64(parts[0]), let timescale = Int32(parts[1]), timescale > 0 else { return nil }
    return MediaTime(value: value, timescale: timescale)
  }

  private static func decimal(_ text: Substring) -> MediaTime? {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let decimals = parts.count == 2 ? parts[1] : ""
    guard decimals.count <= 9, decimals.allSatisfy({ ("0"..."9").contains($0) }), parts.count == 1 || !decimals.isEmpty,
      let value = Int64(parts[0] + decimals)
    else { return nil }
    let timescale = (0..<decimals.count).reduce(Int32(1)) { scale, _ in scale * 10 }
    return MediaTime(value: value, timescale: timescale)
  }
}

extension MediaTime: Codable {
  /// Decodes a string in the syntax of ``init(_:)-(String)``, or an integral number of seconds.
  ///
  /// - Throws: `DecodingError.dataCorrupted` if the string isn't a time.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let seconds = try? container.decode(Int64.self) {
      self.init(value: seconds, timescale: 1)
      return
    }
    let text = try container.decode(String.self)
    guard let time = MediaTime(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\"\(text)\" is not a time; write for example \"1001/30000\".")
    }
    self = time
  }

  /// Encodes ``description``: exact, but without the `hasBeenRounded` flag.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension MediaTime {
  /// A readable form: seconds, such as `6 s` or `0.04 s`, if up to six decimals are exact; otherwise the exact rational with
  /// the seconds to the millisecond, such as `1001/30000 s (0.033 s)`.
  package var readable: String {
    guard isNumeric else {
      if !isValid { return "an invalid time" }
      return flags.contains(.indefinite) ? "an indefinite time" : seconds > 0 ? "+∞" : "−∞"
    }
    let scale = UInt64(timescale)
    let sign = value < 0 ? "-" : ""
    let (whole, rest) = value.magnitude.quotientAndRemainder(dividingBy: scale)
    // A remainder is less than 2³¹, so a million times it fits.
    let (millionths, beyond) = (rest * 1_000_000).quotientAndRemainder(dividingBy: scale)
    if beyond == 0 { return "\(sign)\(Self.decimals(whole, millionths, of: 1_000_000)) s" }
    let milliseconds = (abs(seconds) * 1000).rounded()
    guard milliseconds < 1e15 else { return "\(value)/\(timescale) s" }
    let (about, thousandths) = UInt64(milliseconds).quotientAndRemainder(dividingBy: 1000)
    return "\(value)/\(timescale) s (\(sign)\(about).\(Self.padded(thousandths, of: 1000)) s)"
  }

  /// A number without trailing zeros in its decimals.
  private static func decimals(_ whole: UInt64, _ part: UInt64, of unit: UInt64) -> String {
    guard part > 0 else { return "\(whole)" }
    var digits = Substring(padded(part, of: unit))
    while digits.last == "0" { digits.removeLast() }
    return "\(whole).\(digits)"
  }

  /// `part` padded with zeros to as many digits as `unit`, a power of ten, has zeros.
  private static func padded(_ part: UInt64, of unit: UInt64) -> String { String(String(part + unit).dropFirst()) }
}
