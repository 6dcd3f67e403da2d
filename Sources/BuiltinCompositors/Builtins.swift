public import CompositorAPI

/// The compositors that come with the package, all of them: what a registry begins with.
public enum Builtins {
  /// The layer compositor, blend mode and mask, the transitions and the effects.
  public static let all: [any VideoCompositor.Type] =
    [LayerCompositor.self, BlendModeCompositor.self, MaskCompositor.self] + transitions + effects

  /// From one picture to another.
  public static let transitions: [any VideoCompositor.Type] = [
    BarnDoorTransition.self, BlindsTransition.self, BlurThroughTransition.self, CheckerTransition.self, ClockTransition.self,
    CoverTransition.self,
    DipTransition.self, DissolveTransition.self, IrisTransition.self, NoiseDissolveTransition.self, PushTransition.self,
    SqueezeTransition.self, UncoverTransition.self, WipeTransition.self, ZoomTransition.self,
  ]

  /// One picture changed.
  public static let effects: [any VideoCompositor.Type] = [
    ChromaKeyEffect.self, ColorEffect.self, GaussianBlurEffect.self, LUTEffect.self,
  ]
}
