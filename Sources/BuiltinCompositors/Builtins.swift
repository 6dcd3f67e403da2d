public import CompositorAPI

/// The compositors that come with the package.
public enum Builtins {
  /// All built-in compositors: the layer compositor, blend modes, mask, transitions and effects.
  public static let all: [any VideoCompositor.Type] =
    [LayerCompositor.self, BlendModeCompositor.self, MaskCompositor.self] + transitions + effects

  /// The transitions, which lead from an outgoing clip to an incoming one.
  public static let transitions: [any VideoCompositor.Type] = [
    BarnDoorTransition.self, BlindsTransition.self, BlurThroughTransition.self, CheckerTransition.self, ClockTransition.self,
    CoverTransition.self,
    DipTransition.self, DissolveTransition.self, IrisTransition.self, NoiseDissolveTransition.self, PushTransition.self,
    SqueezeTransition.self, UncoverTransition.self, WipeTransition.self, ZoomTransition.self,
  ]

  /// The effects, which process a single layer.
  public static let effects: [any VideoCompositor.Type] = [
    ChromaKeyEffect.self, ColorEffect.self, GaussianBlurEffect.self, LUTEffect.self,
  ]
}
