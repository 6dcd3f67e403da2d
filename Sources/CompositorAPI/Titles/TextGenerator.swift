/// Text that is generated from the time or from a number.
public enum TextGenerator: Hashable, Sendable {
  /// The layer's ``TextContent/value`` with a fixed number of decimals, a minimum number of digits before the decimal point,
  /// and `grouping` between groups of three digits.
  case number(fractionDigits: Int, minimumIntegerDigits: Int, grouping: String, rounding: NumberRounding = .nearest)
  /// The layer's ``TextContent/value`` as a duration in seconds. Negative values have a minus sign.
  ///
  /// Animate the value for a clock: from 10 to 0 in ten seconds with ``NumberRounding/ceiling``, `m:ss` shows 0:10, 0:09 … 0:01
  /// for one second each, and 0:00 when the time is up.
  case duration(DurationFormat, rounding: NumberRounding = .floor)
  /// Hours, minutes, seconds and frames of the layer's time, according to SMPTE ST 12-1. `dropFrame` selects drop-frame
  /// counting for 29.97 and 59.94.
  case timecode(framesPerSecond: Rational, startFrame: Int, dropFrame: Bool)
}

/// How a value between two representable numbers is rounded. A value within a millionth of its last digit of a representable
/// number, or of the middle between two, is considered equal to it, because computed values are seldom exact.
public enum NumberRounding: String, Hashable, Sendable, Codable, CaseIterable {
  /// To the nearest, halves away from zero.
  case nearest
  /// Down.
  case floor
  /// Up.
  case ceiling

  /// The rounded amount of the smallest displayed unit, ≥ 0.
  ///
  /// - Parameter isNegative: Whether the amount is below zero, which swaps up and down.
  package func integer(_ amount: Double, isNegative: Bool) -> Double {
    switch (self, isNegative) {
    case (.nearest, _): (amount - amount.rounded(.down) + 1e-6).rounded() + amount.rounded(.down)
    case (.floor, false), (.ceiling, true): (amount + 1e-6).rounded(.down)
    case (.floor, true), (.ceiling, false): max((amount - 1e-6).rounded(.up), 0)
    }
  }
}

/// The format of a duration. The letters `h`, `m`, `s` and `f` represent digits of hours, minutes, seconds and fractions of a
/// second.
///
/// | format | 3725.25 seconds |
/// |---|---|
/// | `m:ss` | 62:05 |
/// | `h:mm:ss` | 1:02:05 |
/// | `mm:ss.ff` | 62:05.25 |
/// | `s` | 3725 |
///
/// The first field is unlimited; the others wrap around. Each field has at least as many digits as it has letters.
public struct DurationFormat: Hashable, Sendable {
  /// The format as a string.
  public let text: String
  package let parts: [Part]

  /// A part of a format.
  package enum Part: Hashable, Sendable {
    /// Literal characters.
    case literal(String)
    case field(Field, digits: Int)
  }

  /// Digits of one unit, the largest first.
  package enum Field: Int, Hashable, Sendable, CaseIterable {
    case hours, minutes, seconds, fraction

    fileprivate var letter: Character { ["h", "m", "s", "f"][rawValue] }
  }

  /// Parses a format.
  ///
  /// - Throws: `.invalidValue` unless its fields are consecutive units of hours, minutes, seconds and fractions in that order,
  ///   with 1 to 9 digits, and there are no other letters.
  public init(_ text: String) throws(CompositorError) {
    self.text = text
    var parts: [Part] = []
    for character in text {
      if let field = Field.allCases.first(where: { $0.letter == character }) {
        if case .field(field, let digits)? = parts.last {
          parts[parts.count - 1] = .field(field, digits: digits + 1)
        } else {
          parts.append(.field(field, digits: 1))
        }
      } else if case .literal(let before)? = parts.last {
        parts[parts.count - 1] = .literal(before + String(character))
      } else {
        parts.append(.literal(String(character)))
      }
    }
    self.parts = parts
    let fields = fields
    let areInOrder = zip(fields, fields.dropFirst()).allSatisfy { $1.rawValue == $0.rawValue + 1 }
    let areShort = parts.allSatisfy { if case .field(_, let digits) = $0 { digits <= 9 } else { true } }
    let isKnown = text.allSatisfy { letter in !letter.isLetter || Field.allCases.contains { $0.letter == letter } }
    guard let first = fields.first, first != .fraction, areInOrder, areShort, isKnown else {
      throw CompositorError(
        .invalidValue, "\"\(text)\" isn't a duration format.",
        recoverySuggestion: "Write h, m, s and f in this order, none left out between two: \"m:ss\", \"h:mm:ss\", \"s.ff\".")
    }
  }

  private var fields: [Field] { parts.compactMap { if case .field(let field, _) = $0 { field } else { nil } } }

  /// Formats a duration.
  package func text(seconds: Double, rounding: NumberRounding) -> String {
    let last = parts.last { if case .field = $0 { true } else { false } }
    guard seconds.isFinite, case .field(let unit, let digits)? = last else { return text }
    let scale = pow10(unit == .fraction ? digits : 0)
    let unitSeconds = unit == .hours ? 3600.0 : unit == .minutes ? 60 : 1
    let amount = min(abs(seconds) / unitSeconds * Double(scale), 9e17)
    let count = Int(rounding.integer(amount, isNegative: seconds < 0))
    // `count` is in units of the last field; `whole` leaves out fractions of a second.
    let whole = unit == .fraction ? count / scale : count
    var result = seconds < 0 && count > 0 ? "-" : ""
    for part in parts {
      switch part {
      case .literal(let characters): result += characters
      case .field(.fraction, let digits): result += padded(count % scale, digits)
      case .field(let field, let digits):
        var value = whole
        for _ in field.rawValue..<max(min(unit.rawValue, Field.seconds.rawValue), field.rawValue) { value /= 60 }
        if field != fields.first { value %= 60 }
        result += padded(value, digits)
      }
    }
    return result
  }

  private func padded(_ value: Int, _ digits: Int) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(digits - text.count, 0)) + text
  }

  private func pow10(_ exponent: Int) -> Int { (0..<exponent).reduce(1) { power, _ in power * 10 } }
}

extension DurationFormat: Codable {
  /// Decodes a format from a string.
  public init(from decoder: any Decoder) throws {
    try self.init(try decoder.singleValueContainer().decode(String.self))
  }

  /// Encodes ``text``.
  public func encode(to encoder: any Encoder) throws {
    var single = encoder.singleValueContainer()
    try single.encode(text)
  }
}

extension TextGenerator: Codable {
  private enum CodingKeys: CodingKey, CaseIterable { case number, duration, timecode }
  private enum NumberKeys: CodingKey, CaseIterable { case fractionDigits, minimumIntegerDigits, grouping, rounding }
  private enum DurationKeys: CodingKey, CaseIterable { case format, rounding }
  private enum TimecodeKeys: CodingKey, CaseIterable { case framesPerSecond, startFrame, dropFrame }

  /// Decodes `{ number: { fractionDigits: 2, minimumIntegerDigits: 1, grouping: ",", rounding: "nearest" } }` (every key is
  /// optional), `{ duration: { format: "m:ss", rounding: "ceiling" } }` (the rounding is optional), or `{ timecode: {
  /// framesPerSecond: "30000/1001", startFrame: 0, dropFrame: true } }` (the rate may be a number).
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    if values.contains(.duration) {
      let duration = try values.nestedContainer(keyedBy: DurationKeys.self, forKey: .duration)
      self = .duration(
        try duration.decode(DurationFormat.self, forKey: .format), rounding: try duration.read(.rounding, or: .floor))
      return
    }
    guard values.contains(.timecode) else {
      let number = try values.nestedContainer(keyedBy: NumberKeys.self, forKey: .number)
      self = .number(
        fractionDigits: try number.read(.fractionDigits, or: 0),
        minimumIntegerDigits: try number.read(.minimumIntegerDigits, or: 1), grouping: try number.read(.grouping, or: ""),
        rounding: try number.read(.rounding, or: .nearest))
      return
    }
    let timecode = try values.nestedContainer(keyedBy: TimecodeKeys.self, forKey: .timecode)
    let rate = try timecode.decode(RateNotation.self, forKey: .framesPerSecond).rate
    let dropFrame = try timecode.read(.dropFrame, or: false)
    guard !dropFrame || Int(rate.value.rounded()) % 30 == 0 else {
      throw CompositorError(
        .invalidValue, "Timecode drops frames only at 29.97 and 59.94 frames a second.",
        recoverySuggestion: "Leave dropFrame out, or give another rate.")
    }
    self = .timecode(
      framesPerSecond: rate, startFrame: try timecode.read(.startFrame, or: 0), dropFrame: dropFrame)
  }

  /// Encodes the form that ``init(from:)`` decodes.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .number(let fractionDigits, let minimumIntegerDigits, let grouping, let rounding):
      var number = values.nestedContainer(keyedBy: NumberKeys.self, forKey: .number)
      try number.encode(fractionDigits, forKey: .fractionDigits)
      try number.encode(minimumIntegerDigits, forKey: .minimumIntegerDigits)
      try number.encode(grouping, forKey: .grouping)
      try number.encode(rounding, forKey: .rounding)
    case .duration(let format, let rounding):
      var duration = values.nestedContainer(keyedBy: DurationKeys.self, forKey: .duration)
      try duration.encode(format, forKey: .format)
      try duration.encode(rounding, forKey: .rounding)
    case .timecode(let framesPerSecond, let startFrame, let dropFrame):
      var timecode = values.nestedContainer(keyedBy: TimecodeKeys.self, forKey: .timecode)
      try timecode.encode("\(framesPerSecond.numerator)/\(framesPerSecond.denominator)", forKey: .framesPerSecond)
      try timecode.encode(startFrame, forKey: .startFrame)
      try timecode.encode(dropFrame, forKey: .dropFrame)
    }
  }
}

/// A frame rate as a number or as `"N/D"`.
private struct RateNotation: Decodable {
  let rate: Rational

  init(from decoder: any Decoder) throws {
    let single = try decoder.singleValueContainer()
    let parts: [Int?]
    if let number = try? single.decode(Int.self) {
      parts = [number, 1]
    } else {
      parts = try single.decode(String.self).split(separator: "/", omittingEmptySubsequences: false).map { Int($0) } + [1]
    }
    guard parts.count <= 3, let numerator = parts[0], let denominator = parts[1], numerator > 0, denominator > 0,
      numerator / denominator <= 1000, denominator <= Int32.max, numerator <= Int32.max
    else {
      throw DecodingError.dataCorruptedError(
        in: single, debugDescription: "a frame rate is an integer up to 1000, or a string such as \"30000/1001\"")
    }
    rate = Rational(numerator, denominator)
  }
}
