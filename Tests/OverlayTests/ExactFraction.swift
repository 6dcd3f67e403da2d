/// An exact ratio for models of time in tests: reduced, with a denominator above 0.
struct ExactFraction: Comparable, CustomStringConvertible {
  let numerator, denominator: Int128

  init(_ numerator: Int128, _ denominator: Int128 = 1) {
    var (a, b) = (numerator.magnitude, denominator.magnitude)
    while b != 0 { (a, b) = (b, a % b) }
    let common = Int128(max(a, 1)) * (denominator < 0 ? -1 : 1)
    (self.numerator, self.denominator) = (numerator / common, denominator / common)
  }

  static let zero = ExactFraction(0)
  static let one = ExactFraction(1)

  static func + (left: ExactFraction, right: ExactFraction) -> ExactFraction {
    ExactFraction(left.numerator * right.denominator + right.numerator * left.denominator, left.denominator * right.denominator)
  }

  static func - (left: ExactFraction, right: ExactFraction) -> ExactFraction { left + right * ExactFraction(-1) }

  static func * (left: ExactFraction, right: ExactFraction) -> ExactFraction {
    ExactFraction(left.numerator * right.numerator, left.denominator * right.denominator)
  }

  static func / (left: ExactFraction, right: ExactFraction) -> ExactFraction {
    ExactFraction(left.numerator * right.denominator, left.denominator * right.numerator)
  }

  static func < (left: ExactFraction, right: ExactFraction) -> Bool {
    left.numerator * right.denominator < right.numerator * left.denominator
  }

  /// The largest integer that isn't greater.
  var floor: Int128 {
    let (quotient, rest) = numerator.quotientAndRemainder(dividingBy: denominator)
    return rest < 0 ? quotient - 1 : quotient
  }

  /// The nearest binary fraction.
  var value: Double { Double(numerator) / Double(denominator) }

  var description: String { "\(numerator)/\(denominator)" }
}
