public import CompositorAPI

/// Blurs with a Gaussian. Edge samples repeat beyond the frame.
public struct GaussianBlurEffect: VideoCompositor {
  /// Parameter: `radius`, the standard deviation in pixels, 0 … 1000, 8 by default; animatable.
  public static let descriptor = CompositorDescriptor.effect(
    "gaussian-blur", "Gaussian blur", "Blurs with a Gaussian.",
    [.amount("radius", 0...1000, "px", 8, "The Gaussian's standard deviation.")], identity: ["radius": .integer(0)])

  private let parameters: BuiltinParameters
  private let compositor: LayerCompositor

  /// Creates an instance from parameter values.
  ///
  /// - Throws: `.invalidParameter` if a key is unknown or a value is out of bounds.
  public init(parameters: ParameterValues, context: RenderContext) throws(CompositorError) {
    self.parameters = try BuiltinParameters(parameters, Self.descriptor)
    compositor = try LayerCompositor(context: context)
  }

  /// Composes the frame for a request.
  public func compose(_ request: CompositionRequest) throws(CompositorError) -> Frame {
    let scene = try EffectScene(request, alpha: .premultiplied, made: parameters, compositor: compositor)
    let sigma = try scene.parameters.number("radius") * request.context.renderScale
    let context = scene.surface.context
    guard context.blending == .linear, sigma >= 0.05 else {
      return try scene.surface.finish(
        GaussianBlur.blur(scene.frame, sigma: sigma, within: request.visibleRegion, context: context))
    }
    let mixer = LightMixer(context, curves: compositor.curves)
    return try scene.surface.finish(mixer.frame(mixer.reading(scene.frame), sigma: sigma))
  }
}
