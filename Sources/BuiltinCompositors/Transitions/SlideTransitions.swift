public import CompositorAPI

/// The incoming clip pushes the outgoing one out of the frame.
///
/// The frames equal those of the layers that a timeline writes for a push: offsets are not rounded to samples.
public struct PushTransition: VideoCompositor {
  /// Parameters: `direction` and `easing`.
  public static let descriptor = CompositorDescriptor.transition(
    "push", "Push", "The incoming clip pushes the outgoing one out of the frame.", [MoveDirection.parameter])

  private let slide: Slide

  /// Creates an instance from parameter values.
  ///
  /// - Throws: `.invalidParameter` if a key is unknown or a value is out of bounds.
  public init(parameters: ParameterValues, context: RenderContext) throws(CompositorError) {
    slide = try Slide(parameters, of: Self.descriptor, context: context)
  }

  /// Composes the frame for a request.
  public func compose(_ request: CompositionRequest) throws(CompositorError) -> Frame {
    try slide.compose(request) { scene, direction in
      let away = direction.offset(across: request.context.canvas)
      return [
        scene.to.moved(from: Point(x: -away.x, y: -away.y), to: .zero, progress: scene.progress, at: request.time),
        scene.from.moved(from: .zero, to: away, progress: scene.progress, at: request.time),
      ]
    }
  }
}

/// The incoming clip slides over the outgoing one, which does not move.
public struct CoverTransition: VideoCompositor {
  /// Parameters: `direction` and `easing`.
  public static let descriptor = CompositorDescriptor.transition(
    "cover", "Cover", "The incoming clip slides over the outgoing one.", [MoveDirection.parameter])

  private let slide: Slide

  /// Creates an instance from parameter values.
  ///
  /// - Throws: `.invalidParameter` if a key is unknown or a value is out of bounds.
  public init(parameters: ParameterValues, context: RenderContext) throws(CompositorError) {
    slide = try Slide(parameters, of: Self.descriptor, context: context)
  }

  /// Composes the frame for a request.
  public func compose(_ request: CompositionRequest) throws(CompositorError) -> Frame {
    try slide.compose(request) { scene, direction in
      let offset = direction.following(direction.offset(scene.progress, of: request), of: request)
      return [scene.to.moved(by: offset, at: request.time), scene.from]
    }
  }
}

/// The outgoing clip slides away and uncovers the incoming one.
public struct UncoverTransition: VideoCompositor {
  /// Parameters: `direction` and `easing`.
  public static let descriptor = CompositorDescriptor.transition(
    "uncover", "Uncover", "The outgoing clip slides away and uncovers the incoming one.", [MoveDirection.parameter])

  private let slide: Slide

  /// Creates an instance from parameter values.
  ///
  /// - Throws: `.invalidParameter` if a key is unknown or a value is out of bounds.
  public init(parameters: ParameterValues, context: RenderContext) throws(CompositorError) {
    slide = try Slide(parameters, of: Self.descriptor, context: context)
  }

  /// Composes the frame for a request.
  public func compose(_ request: CompositionRequest) throws(CompositorError) -> Frame {
    try slide.compose(request) { scene, direction in
      [scene.from.moved(by: direction.offset(scene.progress, of: request), at: request.time), scene.to]
    }
  }
}

/// What the transitions above have in common: the layers of both clips move in a direction.
private struct Slide: Sendable {
  private let transition: MoveTransition
  private let direction: MoveDirection

  init(
    _ parameters: ParameterValues, of descriptor: CompositorDescriptor, context: RenderContext
  ) throws(CompositorError) {
    let parameters = try BuiltinParameters(parameters, descriptor)
    transition = try MoveTransition(parameters, context: context)
    direction = try parameters.choice("direction", MoveDirection.self)
  }

  /// Composes the frame for a request; see ``MoveTransition/compose(_:layers:)``.
  func compose(
    _ request: CompositionRequest, layers: (TransitionScene, MoveDirection) -> [LayerInstruction]
  ) throws(CompositorError) -> Frame {
    try transition.compose(request) { layers($0, direction) }
  }
}
