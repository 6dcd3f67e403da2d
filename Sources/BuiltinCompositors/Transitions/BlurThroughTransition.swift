public import CompositorAPI

/// Blurs out of the outgoing clip and into the incoming one.
public struct BlurThroughTransition: VideoCompositor {
  /// Parameters: `radius`, 0 … 0.5 of the frame's height, and `easing`.
  public static let descriptor = CompositorDescriptor.transition(
    "blur-through", "Blur through", "Blurs out of the outgoing clip and into the incoming one.",
    [
      ParameterDescription(
        "radius", .number(minimum: 0, maximum: 0.5, unit: "of the height"), default: .number(0.04),
        summary: "The Gaussian's largest standard deviation, as a fraction of the frame's height.")
    ])

  private let easing: Easing
  private let radius: Double
  private let compositor: LayerCompositor

  /// Creates an instance from parameter values.
  ///
  /// - Throws: `.invalidParameter` if a key is unknown or a value is out of bounds.
  public init(parameters: ParameterValues, context: RenderContext) throws(CompositorError) {
    let parameters = try BuiltinParameters(parameters, Self.descriptor)
    easing = try parameters.easing()
    radius = try parameters.number("radius")
    compositor = try LayerCompositor(context: context)
  }

  /// Composes the frame for a request. A blur of the mixture equals the mixture of the blurs, at half the cost.
  public func compose(_ request: CompositionRequest) throws(CompositorError) -> Frame {
    let scene = try TransitionScene(request, easing: easing, compositor: compositor)
    guard scene.progress > 0 else { return try scene.finish(scene.fromPicture()) }
    guard scene.progress < 1 else { return try scene.finish(scene.toPicture()) }
    let context = scene.surface.context
    // Smoothstep: most of the mixing happens while the blur is wide.
    let weight = scene.progress * scene.progress * (3 - 2 * scene.progress)
    let (from, to) = (try scene.fromPicture(), try scene.toPicture())
    let sigma = radius * Double(context.size.height) * (1 - abs(2 * scene.progress - 1))
    if context.blending == .linear {
      let (mixer, width) = (LightMixer(context, curves: compositor.curves), context.size.width)
      let mixing = try mixer.mixing(from, to) { $1.update(repeating: Float(weight), count: width) }
      return try scene.finish(mixer.frame(mixing, sigma: sigma))
    }
    let mixed = try from.mixed(with: to, weight: weight, context, compositor.curves)
    return try scene.finish(GaussianBlur.blur(mixed, sigma: sigma, context: context))
  }
}
