import CCompositorKernels
public import CompositorAPI
import CompositorKernels

/// Two doors open from the middle onto the incoming clip, or close with it.
public struct BarnDoorTransition: VideoCompositor {
  enum Direction: String, CaseIterable, Sendable {
    case open, close
  }

  /// Parameters: `edge`, `direction`, `softness` and `easing`.
  public static let descriptor = CompositorDescriptor.transition(
    "barn-door", "Barn door", "Two doors open from the middle onto the incoming clip, or close with it.",
    [
      .choice("edge", ["vertical", "horizontal"], "The orientation of the doors' edges"),
      .choice("direction", Direction.allCases.map(\.rawValue), "Whether the doors open or close"), .softness,
    ])

  private let transition: MaskTransition
  private let isVertical: Bool
  private let isClosing: Bool
  private let softness: Double

  /// Creates an instance from parameter values.
  ///
  /// - Throws: `.invalidParameter` if a key is unknown or a value is out of bounds.
  public init(parameters: ParameterValues, context: RenderContext) throws(CompositorError) {
    let parameters = try BuiltinParameters(parameters, Self.descriptor)
    transition = try MaskTransition(parameters, context: context)
    isVertical = try parameters.string("edge") == "vertical"
    isClosing = try parameters.choice("direction", Direction.self) == .close
    softness = try parameters.number("softness")
  }

  /// Composes the frame for a request.
  public func compose(_ request: CompositionRequest) throws(CompositorError) -> Frame {
    try transition.compose(request) { progress, size in
      let reach = (isVertical ? size.width : size.height) / 2
      let feather = max(1, softness * reach)
      let half = (isClosing ? 1 - progress : progress) * (reach + feather) - feather / 2
      return StripeMask(
        isVertical: isVertical, center: reach, half: half, period: 0, feather: feather, isOutside: isClosing)
    }
  }
}

/// Reveals the incoming clip in stripes that widen, all at the same time.
public struct BlindsTransition: VideoCompositor {
  /// Parameters: `edge`, `count`, `softness` and `easing`.
  public static let descriptor = CompositorDescriptor.transition(
    "blinds", "Blinds", "Reveals the incoming clip in stripes that widen.",
    [
      .choice("edge", ["horizontal", "vertical"], "The orientation of the stripes"), .stripeCount(12), .softness,
    ])

  private let transition: MaskTransition
  private let isVertical: Bool
  private let count: Int
  private let softness: Double

  /// Creates an instance from parameter values.
  ///
  /// - Throws: `.invalidParameter` if a key is unknown or a value is out of bounds.
  public init(parameters: ParameterValues, context: RenderContext) throws(CompositorError) {
    let parameters = try BuiltinParameters(parameters, Self.descriptor)
    transition = try MaskTransition(parameters, context: context)
    isVertical = try parameters.string("edge") == "vertical"
    count = try parameters.integer("count")
    softness = try parameters.number("softness")
  }

  /// Composes the frame for a request.
  public func compose(_ request: CompositionRequest) throws(CompositorError) -> Frame {
    try transition.compose(request) { progress, size in
      let period = (isVertical ? size.width : size.height) / Double(count)
      let feather = max(1, softness * period)
      let width = progress * (period + feather) - feather / 2
      return StripeMask(
        isVertical: isVertical, center: width / 2, half: width / 2, period: period, feather: feather, isOutside: false)
    }
  }
}

/// Wipes the squares of a checkerboard from left to right; every second row is offset by half a period.
public struct CheckerTransition: VideoCompositor {
  /// Parameters: `count`, `softness` and `easing`.
  public static let descriptor = CompositorDescriptor.transition(
    "checker", "Checker", "Wipes the squares of a checkerboard; every second row is offset by half a period.",
    [.stripeCount(8), .softness])

  private let transition: MaskTransition
  private let count: Int
  private let softness: Double

  /// Creates an instance from parameter values.
  ///
  /// - Throws: `.invalidParameter` if a key is unknown or a value is out of bounds.
  public init(parameters: ParameterValues, context: RenderContext) throws(CompositorError) {
    let parameters = try BuiltinParameters(parameters, Self.descriptor)
    transition = try MaskTransition(parameters, context: context)
    count = try parameters.integer("count")
    softness = try parameters.number("softness")
  }

  /// Composes the frame for a request.
  public func compose(_ request: CompositionRequest) throws(CompositorError) -> Frame {
    try transition.compose(request) { progress, size in
      let period = 2 * size.width / Double(count)
      let feather = max(1, softness * period)
      let width = progress * (period + feather) - feather / 2
      return StripeMask(
        isVertical: true, center: width / 2, half: width / 2, period: period, feather: feather, isOutside: false,
        bandHeight: period / 2)
    }
  }
}

extension ParameterDescription {
  /// The number of stripes.
  fileprivate static func stripeCount(_ count: Int) -> ParameterDescription {
    ParameterDescription(
      "count", .integer(minimum: 1, maximum: 200), default: .integer(count), summary: "The number of stripes.")
  }
}

/// A stripe around a center line, or one per period, offset by half a period in every second band of rows.
struct StripeMask: TransitionMask {
  let feather: Double
  private let isVertical: Bool
  private let center: Double
  private let half: Double
  private let period: Double
  private let sign: Double
  private let bandHeight: Double

  /// - Parameters:
  ///   - half: Half of a stripe's width; negative if there is none yet.
  ///   - period: Distance between stripes; 0 for a single one.
  init(
    isVertical: Bool, center: Double, half: Double, period: Double, feather: Double, isOutside: Bool, bandHeight: Double = 0
  ) {
    (self.isVertical, self.center, self.half, self.period) = (isVertical, center, half, period)
    (self.feather, self.bandHeight) = (feather, bandHeight)
    sign = isOutside ? -1 : 1
  }

  var steepness: Double { isVertical ? 1 : 0 }

  private func shift(y: Double) -> Double {
    bandHeight > 0 && Int(y / bandHeight) % 2 == 1 ? center + period / 2 : center
  }

  /// Distance from the center of the nearest stripe.
  private func distance(_ position: Double) -> Double {
    abs(period > 0 ? position - period * (position / period).rounded(.toNearestOrEven) : position)
  }

  func depth(x: Double, y: Double) -> Double {
    sign * (half - distance((isVertical ? x : y) - shift(y: y)))
  }

  func weigh(_ run: MaskRun, into weights: UnsafeMutablePointer<UInt16>, kernels: PlaneKernels) {
    guard isVertical else {
      let line = cpk_mask_line(start: Float(depth(x: run.x, y: run.y) / feather + 0.5), step: 0)
      return kernels.lines(weights, line, line, isUnion: false, count: run.count)
    }
    var fold = cpk_mask_fold()
    (fold.start, fold.step) = (Float(run.x - shift(y: run.y)), Float(run.step))
    (fold.period, fold.frequency) = (Float(period), period > 0 ? Float(1 / period) : 0)
    (fold.peak, fold.slope) = (Float(sign * half / feather + 0.5), Float(-sign / feather))
    fold.cap = .greatestFiniteMagnitude
    kernels.fold(weights, fold, count: run.count)
  }
}
