public import CompositorAPI

/// The old picture comes closer and fades, or the new one comes from close by.
public struct ZoomTransition: VideoCompositor {
  enum Direction: String, CaseIterable, Sendable {
    case `in`, out
  }

  /// Direction, scale, easing.
  public static let descriptor = CompositorDescriptor.transition(
    "zoom", "Zoom", "The old picture grows and fades away, or the new one fades in and shrinks to its place.",
    [
      .choice("direction", Direction.allCases.map(\.rawValue), "Whether the old picture grows or the new one shrinks"),
      ParameterDescription(
        "scale", .number(minimum: 1, maximum: 20, unit: "times"), default: .number(3), summary: "How large it gets."),
    ])

  private let transition: MoveTransition
  private let direction: Direction
  private let scale: Double

  /// Makes an instance.
  ///
  /// - Throws: `.invalidParameter`.
  public init(parameters: ParameterValues, context: RenderContext) throws(CompositorError) {
    let parameters = try BuiltinParameters(parameters, Self.descriptor)
    transition = try MoveTransition(parameters, context: context)
    direction = try parameters.choice("direction", Direction.self)
    scale = try parameters.number("scale")
  }

  /// Makes the frame for a request.
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

/// The old picture is squeezed to a line, in front of the new one.
public struct SqueezeTransition: VideoCompositor {
  /// Line, easing.
  public static let descriptor = CompositorDescriptor.transition(
    "squeeze", "Squeeze", "The old picture is squeezed to a line and gives the new one free.",
    [.choice("line", ["horizontal", "vertical"], "How the line lies that the old picture becomes")])

  private let transition: MoveTransition
  private let isHorizontal: Bool

  /// Makes an instance.
  ///
  /// - Throws: `.invalidParameter`.
  public init(parameters: ParameterValues, context: RenderContext) throws(CompositorError) {
    let parameters = try BuiltinParameters(parameters, Self.descriptor)
    transition = try MoveTransition(parameters, context: context)
    isHorizontal = try parameters.string("line") == "horizontal"
  }

  /// Makes the frame for a request.
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
