import CompositorAPI
import CompositorHost
import CompositorTimeline

/// Lengths on the canvas: pixels, or a part of one of its sides such as `"50%"`.
enum CanvasLength {
  /// How parts are written.
  static let pattern = #"^-?([0-9]+\.?[0-9]*|\.[0-9]+)%$"#

  /// What to write, for messages.
  static let forms = "Write pixels such as 320, or percent of the canvas such as \"50%\"."

  /// The fraction that a text such as `"12.5%"` says, exact; nil for other texts.
  static func fraction(_ text: String) -> Rational? {
    guard text.hasSuffix("%"), !text.hasPrefix("+"), let percent = Rational(decimal: text.dropLast()) else { return nil }
    let (denominator, overflow) = percent.denominator.multipliedReportingOverflow(by: 100)
    return overflow ? nil : Rational(percent.numerator, denominator).reduced
  }

  /// A fraction as a part: `"12.5%"` for the digits 0.125.
  static func percent(ofFraction digits: String) -> String? {
    guard let fraction = Rational(decimal: digits) else { return nil }
    let (numerator, overflow) = fraction.numerator.multipliedReportingOverflow(by: 100)
    guard !overflow else { return nil }
    let percent = Rational(numerator, fraction.denominator).reduced
    return "\(percent.denominator == 1 ? "\(percent.numerator)" : "\(percent.value)")%"
  }
}

extension ProjectValue {
  /// A length along a side of a canvas, in pixels.
  func length(_ side: CanvasSide, of canvas: PixelSize) throws(CompositorError) -> Double {
    guard let fraction = try part() else { return try number(-1e6...1e6) }
    notes?.measuresCanvas = true
    return Double(fraction.numerator) * Double(side.length(of: canvas)) / Double(fraction.denominator)
  }

  /// A length along a side of a canvas, in parts of it. In version 1 of the format a number is such a part.
  ///
  /// - Parameter canvas: Nil as long as it is not known: pixels are then checked for their form alone.
  func fraction(
    _ side: CanvasSide, of canvas: PixelSize?, _ range: ClosedRange<Double>
  ) throws(CompositorError) -> Double {
    let fraction: Double
    if let part = try part() {
      fraction = part.value
    } else if version == 1 {
      fraction = try number(range)
      if case .number(let digits) = node.value, let percent = CanvasLength.percent(ofFraction: digits) {
        warn("\(digits) is a part of the frame in version 1 of the format.", recoverySuggestion: "Write \(quoted(percent)).")
      }
    } else {
      notes?.measuresCanvas = true
      let pixels = try number(-1e6...1e6)
      guard let canvas else { return range.lowerBound }
      fraction = pixels / Double(side.length(of: canvas))
    }
    guard range.contains(fraction) else {
      throw error(
        "This is outside \(range.lowerBound * 100)% to \(range.upperBound * 100)% of the frame.",
        recoverySuggestion: CanvasLength.forms)
    }
    return fraction
  }

  /// What a text says as a part of the canvas; nil for a number.
  private func part() throws(CompositorError) -> Rational? {
    guard case .string(let text) = node.value else { return nil }
    guard let fraction = CanvasLength.fraction(text) else {
      throw error("\(quoted(text)) is not a length.", recoverySuggestion: CanvasLength.forms)
    }
    return fraction
  }
}
