import CompositorAPI
import CompositorConversion

/// The frame that an effect processes, in planes.
struct EffectScene {
  /// The frame, with the surface's size and format.
  let frame: Frame
  let surface: PlanarSurface
  /// The request's parameters over those of the instance.
  let parameters: BuiltinParameters

  /// - Parameter alpha: Whether color is multiplied by alpha, if the output has alpha.
  /// - Throws: `.invalidParameter`; errors of converting the frame.
  init(
    _ request: CompositionRequest, alpha: AlphaMode, made parameters: BuiltinParameters, compositor: LayerCompositor
  ) throws(CompositorError) {
    surface = PlanarSurface(request.context, alpha: alpha)
    frame = try EffectScene.picture(of: request, in: surface.context, compositor: compositor)
    self.parameters = try parameters.updated(with: request.instruction.parameters)
  }

  /// The frame of the only layer: converted if it fills the surface unchanged, else composed.
  static func picture(
    of request: CompositionRequest, in context: RenderContext, compositor: LayerCompositor
  ) throws(CompositorError) -> Frame {
    let trackIDs = request.instruction.requiredTrackIDs
    if trackIDs.count == 1, let frame = request.frame(trackIDs[0]), frame.size == context.size,
      request.instruction.layers.allSatisfy(\.isUntouched)
    {
      return try context.converted(frame)
    }
    return try compositor.draw(
      request.instruction.layers, of: request, over: request.instruction.backgroundColor, into: context)
  }
}

extension LayerInstruction {
  /// Whether the layer shows its track unchanged.
  fileprivate var isUntouched: Bool {
    opacity.isConstant && transform.isConstant && crop.isConstant && self == LayerInstruction(trackID: trackID)
  }
}
