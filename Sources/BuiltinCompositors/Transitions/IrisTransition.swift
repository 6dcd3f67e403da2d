import CCompositorKernels
public import CompositorAPI
import CompositorKernels

/// A shape grows from the center and reveals the incoming clip, or shrinks to it with the outgoing clip inside.
public struct IrisTransition: VideoCompositor {
  enum Shape: String, CaseIterable, Sendable {
    case circle, rectangle, diamond
  }
  enum Direction: String, CaseIterable, Sendable {
    case open, close
  }

  /// Parameters: `shape`, `direction`, `centerX`, `centerY`, `softness` and `easing`.
  public static let descriptor = CompositorDescriptor.transition(
    "iris", "Iris", "A shape grows with the incoming clip inside, or shrinks with the outgoing clip.",
    [
      .choice("shape", Shape.allCases.map(\.rawValue), "The shape"),
      .choice("direction", Direction.allCases.map(\.rawValue), "Whether the shape grows or shrinks"),
      .center("centerX", "width"), .center("centerY", "height"), .softness,
    ])

  private let transition: MaskTransition
  private let shape: Shape
  private let isClosing: Bool
  private let center: Point
  private let softness: Double

  /// Creates an instance from parameter values.
  ///
  /// - Throws: `.invalidParameter` if a key is unknown or a value is out of bounds.
  public init(parameters: ParameterValues, context: RenderContext) throws(CompositorError) {
    let parameters = try BuiltinParameters(parameters, Self.descriptor)
    transition = try MaskTransition(parameters, context: context)
    shape = try parameters.choice("shape", Shape.self)
    isClosing = try parameters.choice("direction", Direction.self) == .close
    center = Point(x: try parameters.number("centerX"), y: try parameters.number("centerY"))
    softness = try parameters.number("softness")
  }

  /// Composes the frame for a request.
  public func compose(_ request: CompositionRequest) throws(CompositorError) -> Frame {
    let size = request.context.size.size
    let center = Point(x: center.x * size.width, y: center.y * size.height)
    if shape == .circle {
      return try transition.compose(request) {
        CircleMask(center: center, isClosing: isClosing, softness: softness, progress: $0, size: $1)
      }
    }
    return try transition.compose(request) {
      BoxMask(
        center: center, isDiamond: shape == .diamond, isClosing: isClosing, softness: softness, progress: $0, size: $1)
    }
  }
}

/// The inside of a growing circle, or the outside of a shrinking one.
struct CircleMask: TransitionMask {
  let feather: Double
  private let center: Point
  private let radius: Double
  /// 1 inside, −1 outside.
  private let sign: Double

  init(center: Point, isClosing: Bool, softness: Double, progress: Double, size: Size) {
    self.center = center
    let (x, y) = (max(center.x, size.width - center.x), max(center.y, size.height - center.y))
    let reach = (x * x + y * y).squareRoot()
    feather = max(1, softness * reach)
    let grown = isClosing ? 1 - progress : progress
    radius = grown * (reach + feather) - feather / 2
    sign = isClosing ? -1 : 1
  }

  func depth(x: Double, y: Double) -> Double {
    let (dx, dy) = (x - center.x, y - center.y)
    return sign * (radius - (dx * dx + dy * dy).squareRoot())
  }

  func weigh(_ run: MaskRun, into weights: UnsafeMutablePointer<UInt16>, kernels: PlaneKernels) {
    let dy = run.y - center.y
    kernels.circle(
      weights,
      cpk_mask_circle(
        start: Float(run.x - center.x), step: Float(run.step), y_squared: Float(dy * dy),
        peak: Float(sign * radius / feather + 0.5), slope: Float(-sign / feather)),
      count: run.count)
  }
}

/// The inside of a growing rectangle or diamond of the frame's proportions, or the outside of a shrinking one.
struct BoxMask: TransitionMask {
  let feather: Double
  private let center: Point
  /// Depth at the center, which decreases by `slope` per pixel of distance.
  private let peak: Point
  private let slope: Point
  private let isDiamond: Bool
  private let sign: Double

  init(center: Point, isDiamond: Bool, isClosing: Bool, softness: Double, progress: Double, size: Size) {
    self.center = center
    self.isDiamond = isDiamond
    let (x, y) = (max(center.x, size.width - center.x), max(center.y, size.height - center.y))
    sign = isClosing ? -1 : 1
    let grown = isClosing ? 1 - progress : progress
    if isDiamond {
      // x / width + y / height is constant along each side; its gradient has the length below.
      let steep = (1 / (size.width * size.width) + 1 / (size.height * size.height)).squareRoot()
      let reach = (x / size.width + y / size.height) / steep
      feather = max(1, softness * reach)
      let radius = grown * (reach + feather) - feather / 2
      (peak, slope) = (Point(x: radius, y: 0), Point(x: 1 / (size.width * steep), y: 1 / (size.height * steep)))
    } else {
      feather = max(1, softness * min(x, y))
      let shift = feather / 2
      peak = Point(x: grown * (x + feather) - shift, y: grown * (y + feather) - shift)
      slope = Point(x: 1, y: 1)
    }
  }

  func depth(x: Double, y: Double) -> Double {
    let (dx, dy) = (abs(x - center.x) * slope.x, abs(y - center.y) * slope.y)
    return sign * (isDiamond ? peak.x - dx - dy : min(peak.x - dx, peak.y - dy))
  }

  func weigh(_ run: MaskRun, into weights: UnsafeMutablePointer<UInt16>, kernels: PlaneKernels) {
    let dy = abs(run.y - center.y) * slope.y
    var fold = cpk_mask_fold()
    (fold.start, fold.step) = (Float(run.x - center.x), Float(run.step))
    fold.slope = Float(-sign * slope.x / feather)
    let rest = isDiamond ? peak.x - dy : peak.x
    fold.peak = Float(sign * rest / feather + 0.5)
    // The outside of a rectangle is beyond either side; rows are uniform beyond the shorter side.
    fold.cap = isDiamond || sign < 0 ? .greatestFiniteMagnitude : Float((peak.y - dy) / feather + 0.5)
    if !isDiamond, sign < 0, dy - peak.y >= feather / 2 {
      weights.update(repeating: PlaneKernels.fullWeight, count: run.count)
      return
    }
    kernels.fold(weights, fold, count: run.count)
    if !isDiamond, sign < 0 { raise(weights, to: (dy - peak.y) / feather + 0.5, count: run.count) }
  }

  /// Raises all weights to at least `floor`.
  private func raise(_ weights: UnsafeMutablePointer<UInt16>, to floor: Double, count: Int) {
    guard floor > 0 else { return }
    let least = UInt16(min(floor, 1) * Double(PlaneKernels.fullWeight) + 0.5)
    for index in 0..<count { weights[index] = max(weights[index], least) }
  }
}
