import CompositorAPI

/// A number that is written in quotes or with a unit, such as `"50%"` or `"90deg"`, where a bare number is required.
struct WrittenNumber {
  /// The digits without the unit.
  private let digits: String
  private let isPercentage: Bool

  /// `nil` if the string isn't a number with a known unit or without one.
  init?(_ text: String) {
    let units = ["%", "degrees", "deg", "°", "px", "x"]
    let unit = units.first { text.hasSuffix($0) } ?? ""
    let digits = String(text.dropLast(unit.count)).trimmingSuffix(" ")
    guard Rational(decimal: digits) != nil else { return nil }
    (self.digits, isPercentage) = (digits, unit == "%")
  }

  /// What to write instead.
  ///
  /// - Parameter isFraction: Whether 1 corresponds to 100 %.
  func advice(asFraction isFraction: Bool) -> String {
    guard isPercentage else { return "Write it without quotes and unit: \(digits)." }
    guard isFraction, let ratio = Rational(decimal: digits) else {
      return "A percentage isn't possible here: write the value itself, in the unit of the key."
    }
    let value = Double(ratio.numerator) / Double(ratio.denominator) / 100
    return "Write a fraction, of which 1 is 100 %: \(value == value.rounded() ? "\(Int(value))" : "\(value)")."
  }
}

extension String {
  fileprivate func trimmingSuffix(_ character: Character) -> String {
    var text = self
    while text.last == character { text.removeLast() }
    return text
  }
}
