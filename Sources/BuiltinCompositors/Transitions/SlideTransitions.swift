public import CompositorAPI

/// The new picture pushes the old one out of the frame.
///
/// The frames are those of the layers that a timeline writes for a push: offsets are not rounded to samples.
public struct PushTransition: VideoCompositor {
  /// Direction, easing.
  public static let descriptor = CompositorDescriptor.transition(
    "push", "Push", "The new picture pushes the old one out of the frame.", [MoveDirection.parameter])

  private let transition: MoveTransition
  private let direction: MoveDirection

  /// Makes an instance.
  ///
  /// - Throws: `.invalidParameter`.
  public init(parameters: ParameterValues, context: RenderContext) throws(CompositorError) {
    let parameters = try BuiltinParameters(parameters, Self.descriptor)
    transition = try MoveTransition(parameters, context: context)
    direction = try parameters.choice("direction", MoveDirection.self)
  }

  /// Makes the frame for a request.
  public func compose(_ request: CompositionRequest) throws(CompositorError) -> Frame {
    try transition.compose(request) { scene in
      let away = direction.offset(across: request.context.canvas)
      return [
        scene.to.moved(from: Point(x: -away.x, y: -away.y), to: .zero, progress: scene.progress, at: request.time),
        scene.from.moved(from: .zero, to: away, progress: scene.progress, at: request.time),
      ]
    }
  }
}

/// The new picture slides over the old one, which stays.
public struct CoverTransition: VideoCompositor {
  /// Direction, easing.
  public static let descriptor = CompositorDescriptor.transition(
    "cover", "Cover", "The new picture slides over the old one.", [MoveDirection.parameter])

  private let transition: MoveTransition
  private let direction: MoveDirection

  /// Makes an instance.
  ///
  /// - Throws: `.invalidParameter`.
  public init(parameters: ParameterValues, context: RenderContext) throws(CompositorError) {
    let parameters = try BuiltinParameters(parameters, Self.descriptor)
    transition = try MoveTransition(parameters, context: context)
    direction = try parameters.choice("direction", MoveDirection.self)
  }

  /// Makes the frame for a request.
  public func compose(_ request: CompositionRequest) throws(CompositorError) -> Frame {
    try transition.compose(request) { scene in
      let offset = direction.following(direction.offset(scene.progress, of: request), of: request)
      return [scene.to.moved(by: offset, at: request.time), scene.from]
    }
  }
}

/// The old picture slides away and uncovers the new one.
public struct UncoverTransition: VideoCompositor {
  /// Direction, easing.
  public static let descriptor = CompositorDescriptor.transition(
    "uncover", "Uncover", "The old picture slides away from over the new one.", [MoveDirection.parameter])

  private let transition: MoveTransition
  private let direction: MoveDirection

  /// Makes an instance.
  ///
  /// - Throws: `.invalidParameter`.
  public init(parameters: ParameterValues, context: RenderContext) throws(CompositorError) {
    let parameters = try BuiltinParameters(parameters, Self.descriptor)
    transition = try MoveTransition(parameters, context: context)
    direction = try parameters.choice("direction", MoveDirection.self)
  }

  /// Makes the frame for a request.
  public func compose(_ request: CompositionRequest) throws(CompositorError) -> Frame {
    try transition.compose(request) { scene in
      [scene.from.moved(by: direction.offset(scene.progress, of: request), at: request.time), scene.to]
    }
  }
}
