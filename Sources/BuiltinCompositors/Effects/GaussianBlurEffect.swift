public import CompositorAPI

/// Blurs by a Gaussian. Beyond its edges the picture goes on as its edge is.
public struct GaussianBlurEffect: VideoCompositor {
  /// Radius; may change over time.
  public static let descriptor = CompositorDescriptor.effect(
    "gaussian-blur", "Gaussian blur", "Blurs by a Gaussian.",
    [.amount("radius", 0...1000, "px", 8, "The Gaussian's standard deviation; two thirds lie inside it.")])

  private let parameters: BuiltinParameters
  private let compositor: LayerCompositor

  /// Makes an instance.
  ///
  /// - Throws: `.invalidParameter`.
  public init(parameters: ParameterValues, context: RenderContext) throws(CompositorError) {
    self.parameters = try BuiltinParameters(parameters, Self.descriptor)
    compositor = try LayerCompositor(context: context)
  }

  /// Makes the frame for a request.
  public func compose(_ request: CompositionRequest) throws(CompositorError) -> Frame {
    let scene = try EffectScene(request, alpha: .premultiplied, made: parameters, compositor: compositor)
    let sigma = try scene.parameters.number("radius") * request.context.renderScale
    let context = scene.surface.context
    guard context.blending == .linear, sigma >= 0.05 else {
      return try scene.surface.finish(GaussianBlur.blur(scene.frame, sigma: sigma, context: context))
    }
    let mixer = LightMixer(context, curves: compositor.curves)
    return try scene.surface.finish(mixer.frame(mixer.reading(scene.frame), sigma: sigma))
  }
}
