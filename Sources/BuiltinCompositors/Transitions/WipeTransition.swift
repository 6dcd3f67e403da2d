import CCompositorKernels
public import CompositorAPI
import CompositorKernels

/// A straight edge crosses the frame and reveals the incoming clip behind it.
public struct WipeTransition: VideoCompositor {
  /// The direction of the edge's motion.
  enum Direction: String, CaseIterable, Sendable {
    case left, right, up, down
    case upLeft = "up-left"
    case upRight = "up-right"
    case downLeft = "down-left"
    case downRight = "down-right"
  }

  /// Parameters: `direction`, `softness` and `easing`.
  public static let descriptor = CompositorDescriptor.transition(
    "wipe", "Wipe", "A straight edge crosses the frame and reveals the incoming clip behind it.",
    [.choice("direction", Direction.allCases.map(\.rawValue), "The direction of the edge's motion"), .softness])

  private let transition: MaskTransition
  private let direction: Direction
  private let softness: Double

  /// Creates an instance from parameter values.
  ///
  /// - Throws: `.invalidParameter` if a key is unknown or a value is out of bounds.
  public init(parameters: ParameterValues, context: RenderContext) throws(CompositorError) {
    let parameters = try BuiltinParameters(parameters, Self.descriptor)
    transition = try MaskTransition(parameters, context: context)
    direction = try parameters.choice("direction", Direction.self)
    softness = try parameters.number("softness")
  }

  /// Composes the frame for a request.
  public func compose(_ request: CompositionRequest) throws(CompositorError) -> Frame {
    try transition.compose(request) { LineMask(direction.way(in: $1), softness: softness, progress: $0, size: $1) }
  }
}

extension WipeTransition.Direction {
  /// The unit vector of the edge's motion; an edge that moves to a corner is parallel to the other diagonal.
  fileprivate func way(in size: Size) -> Point {
    let diagonal = (size.width * size.width + size.height * size.height).squareRoot()
    let (x, y) = (size.height / diagonal, size.width / diagonal)
    switch self {
    case .left: return Point(x: -1, y: 0)
    case .right: return Point(x: 1, y: 0)
    case .up: return Point(x: 0, y: -1)
    case .down: return Point(x: 0, y: 1)
    case .upLeft: return Point(x: -x, y: -y)
    case .upRight: return Point(x: x, y: -y)
    case .downLeft: return Point(x: -x, y: y)
    case .downRight: return Point(x: x, y: y)
    }
  }
}

/// The half plane that the edge has passed.
struct LineMask: TransitionMask {
  let feather: Double
  private let way: Point
  private let edge: Double

  /// - Parameter way: The unit vector of the edge's motion.
  init(_ way: Point, softness: Double, progress: Double, size: Size) {
    let length = abs(way.x) * size.width + abs(way.y) * size.height
    feather = max(1, softness * length)
    self.way = way
    // From half an edge width before the frame to half an edge width after it.
    let begin = (min(way.x, 0) * size.width + min(way.y, 0) * size.height) - feather / 2
    edge = begin + progress * (length + feather)
  }

  var steepness: Double { abs(way.x) }

  func depth(x: Double, y: Double) -> Double { edge - x * way.x - y * way.y }

  func weigh(_ run: MaskRun, into weights: UnsafeMutablePointer<UInt16>, kernels: PlaneKernels) {
    let line = cpk_mask_line(
      start: Float(depth(x: run.x, y: run.y) / feather + 0.5), step: Float(-way.x * run.step / feather))
    kernels.lines(weights, line, line, isUnion: false, count: run.count)
  }
}
