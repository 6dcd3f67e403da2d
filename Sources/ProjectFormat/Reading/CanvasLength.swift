import CompositorAPI
import CompositorHost
import CompositorTimeline

/// Lengths on the canvas: a percentage of a side such as `"50%"`, percentages of sides in CSS units such as `"6vmin"`, or the sum
/// of these and of pixels that an expression gives.
struct CanvasLength {
  /// The unit of a length.
  enum Unit: String, CaseIterable {
    /// Percent of the side that the length lies along.
    case percent = "%"
    /// Percent of the shorter and of the longer side.
    case vmin, vmax
    /// Percent of the width and of the height.
    case vw, vh

    /// The length that is 100 % in this unit, in pixels.
    func whole(_ side: CanvasSide, of canvas: PixelSize) -> Int {
      switch self {
      case .percent: side.length(of: canvas)
      case .vmin: min(canvas.width, canvas.height)
      case .vmax: max(canvas.width, canvas.height)
      case .vw: canvas.width
      case .vh: canvas.height
      }
    }
  }

  private static let number = #"-?([0-9]+\.?[0-9]*|\.[0-9]+)"#
  /// The syntax of percentages.
  static let pattern = "^\(number)(\(Unit.allCases.map(\.rawValue).joined(separator: "|")))$"
  /// The syntax of percentages of a layer's own bounds.
  static let percentPattern = "^\(number)%$"

  /// The accepted syntax, for messages.
  static let forms = "Write pixels such as 320, percent such as \"50%\", or \"6vmin\" (also vmax, vw, vh)."

  /// A length in one unit.
  struct Part: Hashable {
    let unit: Unit
    /// The number before the unit: 50 for `50%`.
    let factor: Rational
  }

  let pixels: Rational
  /// The parts of the sum that depend on the canvas, each unit once.
  let parts: [Part]

  init(pixels: Rational, parts: [Part]) { (self.pixels, self.parts) = (pixels, parts) }

  /// Parses a string such as `"12.5%"`; `nil` for other strings.
  init?(_ text: String) {
    guard let unit = Unit.allCases.first(where: { text.hasSuffix($0.rawValue) }), !text.hasPrefix("+"),
      let number = Rational(decimal: text.dropLast(unit.rawValue.count)), number.product(with: Rational(1, 100)) != nil
    else { return nil }
    self.init(pixels: 0, parts: [Part(unit: unit, factor: number)])
  }

  /// The length as an exact fraction of the side that it lies along; `nil` if it has another unit.
  var percentage: Rational? {
    guard pixels.numerator == 0, parts.count == 1, parts[0].unit == .percent else { return nil }
    return parts[0].factor.product(with: Rational(1, 100))
  }

  /// The length along a side of a canvas, in pixels.
  func pixels(_ side: CanvasSide, of canvas: PixelSize) -> Double {
    parts.reduce(pixels.value) { $0 + $1.pixels(side, of: canvas) }
  }

  /// The same, with the percentage of the side apart, as a fraction.
  func apart(_ side: CanvasSide, of canvas: PixelSize) -> (pixels: Double, fraction: Double) {
    let others = CanvasLength(pixels: pixels, parts: parts.filter { $0.unit != .percent })
    let percent = parts.first { $0.unit == .percent }?.factor.value ?? 0
    return (others.pixels(side, of: canvas), percent / 100)
  }
}

extension CanvasLength.Part {
  fileprivate func pixels(_ side: CanvasSide, of canvas: PixelSize) -> Double {
    let fraction = factor.product(with: Rational(1, 100)) ?? 0
    return Double(fraction.numerator) * Double(unit.whole(side, of: canvas)) / Double(fraction.denominator)
  }
}

extension ProjectValue {
  /// A length along a side of a canvas, in pixels.
  func length(_ side: CanvasSide, of canvas: PixelSize) throws(CompositorError) -> Double {
    guard let length = try canvasLength() else { return try number(-1e6...1e6) }
    if !length.parts.isEmpty { notes?.measuresCanvas = true }
    return length.pixels(side, of: canvas)
  }

  /// A length along a side of a canvas, as a fraction of it.
  ///
  /// - Parameter canvas: The canvas; `nil` if it isn't known yet, in which case pixels are only checked for their syntax.
  func fraction(
    _ side: CanvasSide, of canvas: PixelSize?, _ range: ClosedRange<Double>
  ) throws(CompositorError) -> Double {
    let fraction: Double
    if let length = try canvasLength()?.percentage {
      fraction = length.value
    } else {
      notes?.measuresCanvas = true
      let pixels = try length(side, of: canvas ?? OutputDefaults.defaultCanvas)
      guard let canvas else { return range.lowerBound }
      fraction = pixels / Double(side.length(of: canvas))
    }
    guard range.contains(fraction) else {
      let limits = "\(Self.short(range.lowerBound * 100))% to \(Self.short(range.upperBound * 100))%"
      throw error(
        "This is outside \(limits) of the \(side == .width ? "frame's width" : "frame's height").",
        recoverySuggestion: "Write \(canvas.map { "\(pixels(in: range, along: side, of: $0)), or " } ?? "")\(limits).")
    }
    return fraction
  }

  /// The pixels in a range of fractions of a side, for messages.
  private func pixels(in range: ClosedRange<Double>, along side: CanvasSide, of canvas: PixelSize) -> String {
    let whole = Double(side.length(of: canvas))
    let (least, most) = ((range.lowerBound * whole).rounded(.up), (range.upperBound * whole).rounded(.down))
    return "\(Self.short(least)) to \(Self.short(most)) pixels"
  }

  /// A number of at most three decimals, without trailing zeros.
  private static func short(_ number: Double) -> String {
    let rounded = (number * 1000).rounded() / 1000
    return Int(exactly: rounded).map(String.init) ?? "\(rounded)"
  }

  /// Parses a string as a length on the canvas; `nil` for a number.
  func canvasLength() throws(CompositorError) -> CanvasLength? {
    if let value = try expression(.length) {
      guard abs(value[.none].value) <= 1e6 else {
        throw error("The expression has more than 1000000 pixels.", recoverySuggestion: "Write a shorter length.")
      }
      return value.length
    }
    guard case .string(let text) = node.value else { return nil }
    guard let length = CanvasLength(text) else {
      throw error("\(quoted(text)) is not a length.", recoverySuggestion: CanvasLength.forms)
    }
    return length
  }

  /// A fraction of a layer's own bounds: `"50%"`, or a number.
  func partOfBounds() throws(CompositorError) -> Double {
    if let value = try expression(.fraction) {
      return try placing { () throws(CompositorError) in try value.fraction.value }
    }
    guard let length = try canvasLength() else { return try number(-1e6...1e6) }
    guard let percentage = length.percentage else {
      throw error("Expected a fraction of the layer's own bounds.", recoverySuggestion: "Write percent, such as \"50%\".")
    }
    return percentage.value
  }
}
