import CompositorAPI
import CompositorConversion

/// The picture that an effect is asked to change, in planes to work on.
struct EffectScene {
  /// The picture, of the surface's size and format.
  let frame: Frame
  let surface: PlanarSurface
  /// The parameters that hold at the request's time, over those that the instance was made with.
  let parameters: BuiltinParameters

  /// - Parameter alpha: Whether color is to be multiplied by alpha, where there is some.
  /// - Throws: `.invalidParameter`; what conforming the picture throws.
  init(
    _ request: CompositionRequest, alpha: AlphaMode, made parameters: BuiltinParameters, compositor: LayerCompositor
  ) throws(CompositorError) {
    surface = PlanarSurface(request.context, alpha: alpha)
    frame = try EffectScene.picture(of: request, in: surface.context, compositor: compositor)
    self.parameters = try parameters.updated(with: request.instruction.parameters)
  }

  /// The picture of the only layer: converted where it fills the surface as it is, else placed.
  static func picture(
    of request: CompositionRequest, in context: RenderContext, compositor: LayerCompositor
  ) throws(CompositorError) -> Frame {
    let trackIDs = request.instruction.requiredTrackIDs
    if trackIDs.count == 1, let frame = request.frame(trackIDs[0]), frame.size == context.size,
      request.instruction.layers.allSatisfy(\.isUntouched)
    {
      return try context.converted(frame)
    }
    var request = request
    request.context = context
    request.context.observer = nil
    return try compositor.compose(request)
  }
}

extension LayerInstruction {
  /// Whether the layer shows its track as it is.
  fileprivate var isUntouched: Bool {
    opacity.isConstant && transform.isConstant && crop.isConstant && self == LayerInstruction(trackID: trackID)
  }
}
