import CompositorAPI

/// The common part of transitions that move complete frames: they compute the placement of two layers, and the layer
/// compositor does the rest.
struct MoveTransition: Sendable {
  private let easing: Easing
  private let compositor: LayerCompositor

  init(_ parameters: BuiltinParameters, context: RenderContext) throws(CompositorError) {
    easing = try parameters.easing()
    compositor = try LayerCompositor(context: context)
  }

  /// Composes the frame for a request.
  ///
  /// - Parameter layers: The outgoing and the incoming clip's layers, moved for a progress above 0 and below 1, front to
  ///   back.
  func compose(
    _ request: CompositionRequest, layers: (TransitionScene) -> [LayerInstruction]
  ) throws(CompositorError) -> Frame {
    let scene = try TransitionScene(request, easing: easing, compositor: compositor)
    guard scene.progress > 0 else { return try scene.finish([scene.from]) }
    guard scene.progress < 1 else { return try scene.finish([scene.to]) }
    return try scene.finish(layers(scene))
  }
}

extension MoveDirection {
  static let parameter = ParameterDescription.choice("direction", allCases.map(\.rawValue), "The direction of motion")

  /// A fraction of the distance across the canvas, in units of the composition. Rounded to whole samples of every plane, so
  /// that moving frames are copied and stay sharp.
  func offset(_ part: Double, of request: CompositionRequest) -> Point {
    let context = request.context
    let step = context.outputFormat.subsampling == .s444 ? 1.0 : 2.0
    func snapped(_ length: Int) -> Double {
      let whole = part * Double(length)
      guard abs(part) != 1 else { return whole / context.renderScale }
      return (whole / step).rounded() * step / context.renderScale
    }
    return offset(across: Size(width: snapped(context.size.width), height: snapped(context.size.height)))
  }

  /// The offset of the other frame, which begins where this one ends.
  func following(_ offset: Point, of request: CompositionRequest) -> Point {
    let whole = self.offset(1, of: request)
    return Point(x: offset.x - whole.x, y: offset.y - whole.y)
  }
}

extension RenderContext {
  /// The canvas in units of the composition.
  var canvas: Size { Size(width: Double(size.width) / renderScale, height: Double(size.height) / renderScale) }
}

extension LayerInstruction {
  /// The layer at a fraction of the way between two offsets, equal to a ramp of its transform between them.
  func moved(from start: Point, to end: Point, progress: Double, at time: MediaTime) -> LayerInstruction {
    var layer = self
    func place(_ offset: Point) -> AffineMatrix {
      transform.value(at: time).concatenating(.translation(x: offset.x, y: offset.y))
    }
    layer.transform = PropertyTimeline(default: place(start).interpolated(to: place(end), fraction: progress))
    return layer
  }

  /// The layer moved by an offset in the composition's space.
  func moved(by offset: Point, at time: MediaTime) -> LayerInstruction {
    var layer = self
    layer.place(.translation(x: offset.x, y: offset.y), at: time)
    return layer
  }

  /// The layer scaled about a point in the composition's space.
  func scaled(x: Double, y: Double, about point: Point, at time: MediaTime) -> LayerInstruction {
    var layer = self
    // It changes from frame to frame, like an animated transform.
    layer.sampling = layer.sampling ?? .fast
    layer.place(
      AffineMatrix.translation(x: -point.x, y: -point.y).concatenating(.scale(x: x, y: y))
        .concatenating(.translation(x: point.x, y: point.y)), at: time)
    return layer
  }
}
