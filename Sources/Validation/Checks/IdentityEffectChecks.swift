import BuiltinCompositors
import CompositorAPI
import CompositorPlugins

/// Checks for effects whose values are those with which they change nothing, such as a blur of radius 0, and for a blend mode without a layer
/// to blend with.
struct IdentityEffectChecks {
  static func run(
    _ instructions: [Instruction], registry: CompositorRegistry, into diagnostics: inout DiagnosticCollector
  ) throws(ValidationStopped) {
    // Instructions divide an animation: a part of it that changes nothing is meant if another part does.
    var moving: Set<PlacedEffect.Place> = []
    for (index, instruction) in instructions.enumerated() {
      for use in PlacedEffect.all(in: instruction, index) where values(of: use.effect, registry) == nil {
        if !use.effect.animatedParameters.isEmpty { moving.insert(use.place) }
      }
    }
    var reported = ReportedEffects()
    for (index, instruction) in instructions.enumerated() {
      for use in PlacedEffect.all(in: instruction, index) {
        guard use.effect.animatedParameters.isEmpty || !moving.contains(use.place) else { continue }
        guard let fault = fault(of: use.effect, registry), reported.insert(use, ofInstruction: index) else { continue }
        try diagnostics.add(
          ValidationDiagnostic(
            .effectUnchanging, severity: .warning, "The effect \(use.name) \(fault.what).", instruction: index,
            track: use.place.track, recoverySuggestion: fault.advice, path: use.path, timeRange: instruction.timeRange))
      }
    }
  }

  /// What an effect doesn't do, and what to do about it; `nil` for an effect that changes something.
  private static func fault(of use: EffectReference, _ registry: CompositorRegistry) -> (what: String, advice: String)? {
    if use.compositor == BlendModeCompositor.descriptor.id {
      // An effect gets one frame.
      guard case .string(let mode)? = use.parameters["mode"], mode != BlendMode.normal.rawValue else { return nil }
      return (
        "has no layer below it: \(mode) blends the frame with black",
        "Name it as the compositor of an instruction with two layers, or remove the effect."
      )
    }
    return values(of: use, registry).map {
      ("changes nothing: \($0)", "Give it another value, or remove the effect.")
    }
  }

  /// What a message says of the values with which an effect changes nothing; `nil` for an effect that changes something, or that
  /// doesn't say.
  private static func values(of use: EffectReference, _ registry: CompositorRegistry) -> String? {
    guard let descriptor = registry[use.compositor]?.descriptor, let identity = descriptor.identity else { return nil }
    for (key, value) in identity {
      let fixed = use.parameters[key] ?? descriptor.parameter(named: key)?.defaultValue
      guard let animated = use.animatedParameters[key] else {
        guard fixed == value else { return nil }
        continue
      }
      let isStill = animated.ramps.allSatisfy { $0.start == value && $0.end == value }
      guard isStill, animated.defaultValue == value else { return nil }
    }
    let written = use.parameters.keys.filter { identity[$0] != nil }
    let named = (written + use.animatedParameters.keys.filter { identity[$0] != nil }).sorted()
    guard !named.isEmpty else { return "none of its values is given" }
    return named.map { "\($0) is \(identity[$0].map(\.text) ?? "")" }.joined(separator: ", ")
  }
}
