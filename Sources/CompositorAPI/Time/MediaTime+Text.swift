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

  /// Reads what ``description`` writes, and also whole seconds (`12`) and decimal seconds (`12.5`, exactly 125/10).
  ///
  /// Nil for anything else: no spaces, no exponent, a timescale of 1 … 0x7fff_ffff, at most nine decimals.
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
  /// Reads a text as ``init(_:)-(String)`` does, or a whole number of seconds.
  ///
  /// - Throws: `DecodingError.dataCorrupted` where the text is no time.
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

  /// Writes ``description``: exact, but without the `hasBeenRounded` flag.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
