import CompositorAPI

/// Parses expressions: numbers with units, `+ - * /` with spaces on both sides, parentheses, and signs.
struct ExpressionParser {
  private let bytes: [UInt8]
  private let kind: ProjectExpression.Kind
  private var position = 0
  private var depth = 0

  /// The nesting of parentheses and signs that is read.
  private static let maximumDepth = 64

  private static let maximumLength = 1000

  private init(_ text: String, _ kind: ProjectExpression.Kind) { (bytes, self.kind) = (Array(text.utf8), kind) }

  /// The value of an expression.
  ///
  /// - Throws: `.invalidValue` at a syntax error, for a value that the location doesn't take, and for unlike units.
  static func value(of text: String, _ kind: ProjectExpression.Kind) throws(CompositorError) -> ProjectExpression {
    guard text.utf8.count <= maximumLength else {
      throw CompositorError(
        .invalidValue, "The expression is longer than \(maximumLength) characters.", recoverySuggestion: "Write a shorter one.")
    }
    var parser = ExpressionParser(text, kind)
    let value = try parser.sum()
    parser.skipSpaces()
    guard parser.position == parser.bytes.count else {
      throw CompositorError(
        .invalidValue, "\(quoted(parser.rest)) cannot follow there in an expression.",
        recoverySuggestion: "Write +, -, * or / before it, with spaces on both sides.")
    }
    return value
  }

  private var rest: String { String(decoding: bytes[position...], as: UTF8.self) }

  private mutating func sum() throws(CompositorError) -> ProjectExpression {
    var value = try product()
    while let sign = try operation(among: "+-") {
      let term = try product()
      value = try value.adding(sign == UInt8(ascii: "-") ? term.negated : term, for: kind)
    }
    return value
  }

  private mutating func product() throws(CompositorError) -> ProjectExpression {
    var value = try factor()
    while let sign = try operation(among: "*/") {
      let other = try factor()
      value = try sign == UInt8(ascii: "*") ? value.multiplied(by: other) : value.divided(by: other)
    }
    return value
  }

  /// The next operator, if it is one of these.
  private mutating func operation(among signs: String) throws(CompositorError) -> UInt8? {
    let start = position
    skipSpaces()
    guard position < bytes.count, signs.utf8.contains(bytes[position]) else {
      position = start
      return nil
    }
    let sign = bytes[position]
    let isSpaced = position > start && position + 1 < bytes.count && bytes[position + 1].isSpace
    position += 1
    guard isSpaced else {
      throw CompositorError(
        .invalidValue, "A \(quoted(String(decoding: [sign], as: UTF8.self))) has no spaces on both sides.",
        recoverySuggestion: "Write it with them, as in \"4s - 0.5s\".")
    }
    return sign
  }

  private mutating func factor() throws(CompositorError) -> ProjectExpression {
    skipSpaces()
    depth += 1
    defer { depth -= 1 }
    guard depth <= ExpressionParser.maximumDepth else {
      throw CompositorError(
        .invalidValue, "The expression is nested too deep.", recoverySuggestion: "Write fewer parentheses.")
    }
    guard position < bytes.count else {
      throw CompositorError(
        .invalidValue, "The expression ends where a value is missing.", recoverySuggestion: "Write a value after the operator.")
    }
    switch bytes[position] {
    case UInt8(ascii: "-"):
      position += 1
      return try factor().negated
    case UInt8(ascii: "+"):
      position += 1
      return try factor()
    case UInt8(ascii: "("): return try parenthesis()
    default: return try operand()
    }
  }

  private mutating func parenthesis() throws(CompositorError) -> ProjectExpression {
    position += 1
    let value = try sum()
    skipSpaces()
    guard position < bytes.count, bytes[position] == UInt8(ascii: ")") else {
      throw CompositorError(
        .invalidValue, "A \"(\" is not closed in the expression.", recoverySuggestion: "Write \")\" after the operation.")
    }
    position += 1
    return value
  }

  /// A number with its unit, up to a space, a parenthesis or an operator. The `/` of `1001/30000` and the sign of an exponent
  /// belong to it.
  private mutating func operand() throws(CompositorError) -> ProjectExpression {
    let start = position
    while position < bytes.count {
      let byte = bytes[position]
      if byte.isSpace || "()*".utf8.contains(byte) { break }
      if "+-/".utf8.contains(byte), !isPart(of: start) { break }
      position += 1
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    guard !text.isEmpty else { throw ProjectExpression.missingValue(before: rest) }
    let isCalled = position < bytes.count && bytes[position] == UInt8(ascii: "(")
    return try ProjectExpression(operand: text, kind, isCalled: isCalled)
  }

  /// Whether the sign at the position is part of the number that begins at `start`.
  private func isPart(of start: Int) -> Bool {
    guard position > start, position + 1 < bytes.count, bytes[position + 1].isDigit else { return false }
    let before = bytes[start..<position]
    if bytes[position] == UInt8(ascii: "/") { return before.allSatisfy(\.isDigit) }
    return before.count > 1 && before.last.map { $0 | 0x20 } == UInt8(ascii: "e")
      && before.dropLast().allSatisfy { $0.isDigit || $0 == UInt8(ascii: ".") }
  }

  private mutating func skipSpaces() {
    while position < bytes.count, bytes[position].isSpace { position += 1 }
  }
}

extension UInt8 {
  fileprivate var isSpace: Bool { self == UInt8(ascii: " ") }
  fileprivate var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }
  /// Whether it ends a number with a unit, or a parenthesis.
  fileprivate var endsUnit: Bool {
    let isLetter = self | 0x20 >= UInt8(ascii: "a") && self | 0x20 <= UInt8(ascii: "z")
    return isLetter || self == UInt8(ascii: "%") || self == UInt8(ascii: ")")
  }
}

extension ProjectExpression {
  /// Whether a string is meant as an expression where a value with a unit is required: it begins like a number, and has a
  /// parenthesis, a `*`, or another operator next to a space or after a unit. Doesn't allocate.
  static func isWritten(in text: String) -> Bool {
    if text.hasPrefix("calc(") { return true }
    let bytes = text.utf8
    guard let first = bytes.first(where: { !$0.isSpace }), first.isDigit || "+-.(".utf8.contains(first) else { return false }
    // Before the first byte, an operator is a sign.
    var (last, beforeLast) = (UInt8(ascii: "("), UInt8(ascii: "("))
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "("), UInt8(ascii: "*"): return true
      case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "/"):
        let isExponent = last | 0x20 == UInt8(ascii: "e") && (beforeLast.isDigit || beforeLast == UInt8(ascii: "."))
        if last.isSpace || (last.endsUnit && !isExponent) { return true }
        if byte == UInt8(ascii: "+"), last.isDigit { return true }
      case UInt8(ascii: " "):
        if "+-/".utf8.contains(last) { return true }
      default: break
      }
      (beforeLast, last) = (last, byte)
    }
    return false
  }
}
