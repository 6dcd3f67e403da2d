public import CompositorAPI

/// The outgoing clip grows and fades out, or the incoming clip fades in while it shrinks to its size.
public struct ZoomTransition: VideoCompositor {
  enum Direction: String, CaseIterable, Sendable {
    case `in`, out
  }

  /// Parameters: `direction` (`in` or `out`), `scale` (1 … 20, 3 by default) and `easing`.
  public static let descriptor = CompositorDescriptor.transition(
    "zoom", "Zoom", "The outgoing clip grows and fades out, or the incoming clip fades in and shrinks to its size.",
    [
      .choice("direction", Direction.allCases.map(\.rawValue), "Whether the outgoing clip grows or the incoming one shrinks"),
      ParameterDescription(
        "scale", .number(minimum: 1, maximum: 20, unit: "times"), default: .number(3), summary: "The largest scale."),
    ])

  private let transition: MoveTransition
  private let direction: Direction
  private let scale: Double

  /// Creates an instance from parameter values.
  ///
  /// - Throws: `.invalidParameter` if a key is unknown or a value is out of bounds.
  public init(parameters: ParameterValues, context: RenderContext) throws(CompositorError) {
    let parameters = try BuiltinParameters(parameters, Self.descriptor)
    transition = try MoveTransition(parameters, context: context)
    direction = try parameters.choice("direction", Direction.self)
    scale = try parameters.number("scale")
  }

  /// Composes the frame for a request.
  public func compose(_ request: CompositionRequest) throws(CompositorError) -> Frame {
    try transition.compose(request) { scene in
      let isIn = direction == .in
      let part = isIn ? scene.progress : 1 - scene.progress
      let factor = 1 + (scale - 1) * part
      var top = (isIn ? scene.from : scene.to).scaled(
        x: factor, y: factor, about: request.context.center, at: request.time)
      top.fade(1 - part, at: request.time)
      return [top, isIn ? scene.to : scene.from]
    }
  }
}

/// The outgoing clip is squeezed to a line, in front of the incoming one.
public struct SqueezeTransition: VideoCompositor {
  /// Parameters: `line` (`horizontal` or `vertical`) and `easing`.
  public static let descriptor = CompositorDescriptor.transition(
    "squeeze", "Squeeze", "The outgoing clip is squeezed to a line and uncovers the incoming one.",
    [.choice("line", ["horizontal", "vertical"], "The orientation of the line")])

  private let transition: MoveTransition
  private let isHorizontal: Bool

  /// Creates an instance from parameter values.
  ///
  /// - Throws: `.invalidParameter` if a key is unknown or a value is out of bounds.
  public init(parameters: ParameterValues, context: RenderContext) throws(CompositorError) {
    let parameters = try BuiltinParameters(parameters, Self.descriptor)
    transition = try MoveTransition(parameters, context: context)
    isHorizontal = try parameters.string("line") == "horizontal"
  }

  /// Composes the frame for a request.
  public func compose(_ request: CompositionRequest) throws(CompositorError) -> Frame {
    try transition.compose(request) { scene in
      let rest = 1 - scene.progress
      let squeezed = scene.from.scaled(
        x: isHorizontal ? 1 : rest, y: isHorizontal ? rest : 1, about: request.context.center, at: request.time)
      return [squeezed, scene.to]
    }
  }
}

extension RenderContext {
  /// The middle of the canvas, in the composition's space.
  fileprivate var center: Point {
    Point(x: Double(size.width) / renderScale / 2, y: Double(size.height) / renderScale / 2)
  }
}
