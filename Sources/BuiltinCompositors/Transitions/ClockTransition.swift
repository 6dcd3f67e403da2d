import CCompositorKernels
public import CompositorAPI
import CompositorKernels
import CompositorPlatform

/// A clock hand sweeps once around the center and reveals the incoming clip behind it.
public struct ClockTransition: VideoCompositor {
  enum Direction: String, CaseIterable, Sendable {
    case clockwise
    case counterclockwise
  }

  /// Parameters: `direction`, `start`, `centerX`, `centerY`, `softness` and `easing`.
  public static let descriptor = CompositorDescriptor.transition(
    "clock", "Clock", "A clock hand sweeps once around the center and reveals the incoming clip.",
    [
      .choice("direction", Direction.allCases.map(\.rawValue), "The direction of rotation"),
      ParameterDescription(
        "start", .number(minimum: 0, maximum: 360, unit: "degrees"), default: .number(0),
        summary: "The hand's initial angle, clockwise from the top."),
      .center("centerX", "width"), .center("centerY", "height"), .softness,
    ])

  private let transition: MaskTransition
  private let isClockwise: Bool
  private let start: Double
  private let center: Point
  private let softness: Double

  /// Creates an instance from parameter values.
  ///
  /// - Throws: `.invalidParameter` if a key is unknown or a value is out of bounds.
  public init(parameters: ParameterValues, context: RenderContext) throws(CompositorError) {
    let parameters = try BuiltinParameters(parameters, Self.descriptor)
    transition = try MaskTransition(parameters, context: context)
    isClockwise = try parameters.choice("direction", Direction.self) == .clockwise
    start = try parameters.number("start") * .pi / 180
    center = Point(x: try parameters.number("centerX"), y: try parameters.number("centerY"))
    softness = try parameters.number("softness")
  }

  /// Composes the frame for a request.
  public func compose(_ request: CompositionRequest) throws(CompositorError) -> Frame {
    try transition.compose(request) { progress, size in
      SectorMask(
        center: Point(x: center.x * size.width, y: center.y * size.height), start: start, turn: 2 * .pi * progress,
        isClockwise: isClockwise, softness: softness, progress: progress, size: size)
    }
  }
}

/// The sector between a fixed and a moving hand: the intersection of the half planes that they bound, or the union beyond
/// half a revolution.
struct SectorMask: TransitionMask {
  let feather: Double
  private let center: Point
  /// Depth in the half plane that begins at the fixed hand, and in the one that ends at the moving hand.
  private let standing: Point
  private let moving: Point
  private let isUnion: Bool
  private let shift: Double

  init(
    center: Point, start: Double, turn: Double, isClockwise: Bool, softness: Double, progress: Double, size: Size
  ) {
    self.center = center
    feather = max(1, softness * min(size.width, size.height) / 2)
    let way = isClockwise ? 1.0 : -1.0
    let end = start + way * turn
    // A hand at angle a from the top points to (sin a, −cos a); its right, clockwise, is (cos a, sin a).
    standing = Point(x: way * cos(start), y: way * sin(start))
    moving = Point(x: -way * cos(end), y: -way * sin(end))
    isUnion = turn > .pi
    // The edge is fully outside at the beginning and fully inside at the end, so nothing shows too early or too late.
    shift = (progress - 0.5) * feather
  }

  private func depths(x: Double, y: Double) -> (Double, Double) {
    let (dx, dy) = (x - center.x, y - center.y)
    return (dx * standing.x + dy * standing.y + shift, dx * moving.x + dy * moving.y + shift)
  }

  func depth(x: Double, y: Double) -> Double {
    let (first, second) = depths(x: x, y: y)
    return isUnion ? max(first, second) : min(first, second)
  }

  func weigh(_ run: MaskRun, into weights: UnsafeMutablePointer<UInt16>, kernels: PlaneKernels) {
    let (first, second) = depths(x: run.x, y: run.y)
    kernels.lines(
      weights, cpk_mask_line(start: Float(first / feather + 0.5), step: Float(standing.x * run.step / feather)),
      cpk_mask_line(start: Float(second / feather + 0.5), step: Float(moving.x * run.step / feather)),
      isUnion: isUnion, count: run.count)
  }
}
