import CompositorAPI
import CompositorTimeline

/// The value of an expression such as `"2s - 12f"`, `"(3 + 1) * 0.25s"` or `"100% - 4vmin"`, by the rules of CSS's `calc()`: a sum
/// of terms, each an exact multiple of a unit.
///
/// Only values of like units are added, a product has at most one unit, and what divides is a number. Nothing is rounded:
/// numbers that don't fit a ratio of two 64-bit integers are errors.
struct ProjectExpression: Hashable {
  /// What a location takes, which decides the units that an expression there may have.
  enum Kind {
    case number
    case time
    /// A length on the canvas, in which numbers are pixels.
    case length
    /// A number, or percent.
    case fraction
  }

  /// The unit of a term.
  enum Unit: Hashable {
    case none, second, frame
    /// A timecode, which is only a time at a frame rate.
    case timecode(ProjectTime)
    case length(CanvasLength.Unit)
  }

  /// A multiple of a unit.
  struct Term: Hashable {
    let unit: Unit
    var factor: Rational
  }

  /// The terms in the order of their units' first appearance, each unit once. One with a factor of 0 is kept: `2s - 2s` is a time.
  private(set) var terms: [Term]

  init(_ factor: Rational, _ unit: Unit) { terms = [Term(unit: unit, factor: factor)] }

  /// The value, if it has no unit.
  var number: Rational? { terms.count == 1 && terms[0].unit == .none ? terms[0].factor : nil }

  /// The factor of a unit, 0 if there is none.
  subscript(unit: Unit) -> Rational { terms.first { $0.unit == unit }?.factor ?? 0 }

  /// The value multiplied by a number.
  private func scaled(by factor: Rational) throws(CompositorError) -> ProjectExpression {
    var value = self
    for index in terms.indices {
      guard let product = terms[index].factor.product(with: factor) else { throw Self.tooLarge }
      value.terms[index].factor = product
    }
    return value
  }

  var negated: ProjectExpression {
    get throws(CompositorError) { try scaled(by: -1) }
  }

  /// The sum with another value.
  ///
  /// - Throws: `.invalidValue` if the units are unlike for the location.
  func adding(_ other: ProjectExpression, for kind: Kind) throws(CompositorError) -> ProjectExpression {
    var (first, second) = (self, other)
    if (first.number == nil) != (second.number == nil), kind != .length {
      // As everywhere, 0 needs no unit.
      guard let plain = first.number ?? second.number, plain.numerator == 0 else {
        throw Self.unlike(first.number ?? second.number ?? 0, kind)
      }
      if first.number != nil { first.terms = [] } else { second.terms = [] }
    }
    for term in second.terms {
      if let index = first.terms.firstIndex(where: { $0.unit == term.unit }) {
        guard let sum = first.terms[index].factor.sum(with: term.factor) else { throw Self.tooLarge }
        first.terms[index].factor = sum
      } else {
        first.terms.append(term)
      }
    }
    return first
  }

  func multiplied(by other: ProjectExpression) throws(CompositorError) -> ProjectExpression {
    if let factor = other.number { return try scaled(by: factor) }
    if let factor = number { return try other.scaled(by: factor) }
    throw CompositorError(
      .invalidValue, "Both factors of a product have a unit.",
      recoverySuggestion: "Write one of them without, as in \"2 * 0.5s\"; a division has spaces, as in \"1 / 2\".")
  }

  func divided(by other: ProjectExpression) throws(CompositorError) -> ProjectExpression {
    guard let divisor = other.number else {
      throw CompositorError(
        .invalidValue, "A value is divided by one with a unit.",
        recoverySuggestion: "Divide by a number, as in \"4s / 2\".")
    }
    guard divisor.numerator != 0 else {
      throw CompositorError(
        .invalidValue, "A value is divided by 0.", recoverySuggestion: "Divide by another number.")
    }
    return try scaled(by: Rational(divisor.denominator, divisor.numerator).reduced)
  }

  static let tooLarge = CompositorError(
    .invalidValue, "The numbers of the expression are too large, or too fine, to be exact.",
    recoverySuggestion: "Write fewer digits.")

  private static func unlike(_ number: Rational, _ kind: Kind) -> CompositorError {
    let text = abs(number.value).plain
    guard kind == .time else {
      return CompositorError(
        .invalidValue, "\(text) has no unit, and is added to percent or subtracted.",
        recoverySuggestion: "Write both with \"%\", or both without.")
    }
    return CompositorError(
      .invalidValue, "\(text) has no unit, and is added to a time or subtracted.",
      recoverySuggestion: "Write it with a unit, such as \"\(text)s\".")
  }
}

extension Rational {
  /// The exact sum in lowest terms; `nil` if it doesn't fit.
  func sum(with other: Rational) -> Rational? {
    Rational(
      exactly: Int128(numerator) * Int128(other.denominator) + Int128(other.numerator) * Int128(denominator),
      Int128(denominator) * Int128(other.denominator))
  }

  /// The exact product in lowest terms; `nil` if it doesn't fit.
  func product(with other: Rational) -> Rational? {
    Rational(
      exactly: Int128(numerator) * Int128(other.numerator), Int128(denominator) * Int128(other.denominator))
  }

  /// A ratio in lowest terms with a denominator above 0; `nil` if it doesn't fit, or the denominator is 0.
  private init?(exactly numerator: Int128, _ denominator: Int128) {
    var (a, b) = (numerator.magnitude, denominator.magnitude)
    guard b != 0 else { return nil }
    let bottom = b
    while b != 0 { (a, b) = (b, a % b) }
    guard let top = Int(exactly: numerator.magnitude / a), let bottom = Int(exactly: bottom / a) else { return nil }
    self.init((numerator < 0) != (denominator < 0) ? -top : top, bottom)
  }
}
