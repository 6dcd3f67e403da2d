import CompositorAPI

extension JSON5Node {
  /// The integer that JSON5 digits represent; `nil` for other numbers.
  static func integer(_ digits: String) -> Int? {
    if let decimal = WrittenDecimal(digits) {
      if let ratio = Rational(decimal: digits), ratio.denominator == 1 { return ratio.numerator }
      // Programs that calculate print 1920 as 1919.9999999999998, too.
      guard decimal.places >= 10, let value = Double(digits), let number = Int(exactly: value.rounded()), number != 0 else {
        return nil
      }
      return abs(value - value.rounded()) <= abs(value) * 0x1p-49 ? number : nil
    }
    let sign = digits.hasPrefix("-") ? "-" : ""
    let magnitude = digits.drop { $0 == "-" || $0 == "+" }
    guard magnitude.lowercased().hasPrefix("0x") else { return nil }
    return Int(sign + magnitude.dropFirst(2), radix: 16)
  }

  /// The double nearest to JSON5 digits.
  static func double(_ digits: String) -> Double? {
    if let integer = integer(digits) { return Double(integer) }
    return Double(digits.hasSuffix(".") ? String(digits.dropLast()) : digits)
  }
}

extension Rational {
  /// Parses `30000/1001` or a decimal number exactly; `nil` for other strings and if the denominator is 0.
  package init?(fraction text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    if parts.count == 1, let ratio = Rational(printed: text) {
      self = ratio
      return
    }
    guard parts.count == 2, let numerator = Int(parts[0]), let denominator = Int(parts[1]), denominator > 0 else { return nil }
    self = Rational(numerator, denominator).reduced
  }
}
