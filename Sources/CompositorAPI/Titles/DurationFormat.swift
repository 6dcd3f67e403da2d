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
