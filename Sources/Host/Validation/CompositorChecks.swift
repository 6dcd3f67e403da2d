import CompositorPlugins
import CompositorAPI

/// Each compositor that an instruction names, itself or as an effect, is known; its parameters fit the compositor's schema,
/// and files that they name can be read.
struct CompositorChecks {
  private let registry: CompositorRegistry
  private var descriptors: [CompositorID: CompositorDescriptor] = [:]
  private var readable: Set<EffectReference> = []

  static func run(
    _ instructions: [Instruction], registry: CompositorRegistry, into diagnostics: inout DiagnosticCollector
  ) throws(ValidationStopped) {
    var checks = CompositorChecks(registry: registry)
    for (index, instruction) in instructions.enumerated() {
      if instruction.passthroughTrackID == nil {
        try checks.check(instruction.compositorReference, instruction: index, place: nil, into: &diagnostics)
        for (number, layer) in instruction.layers.enumerated() {
          for (position, effect) in layer.effects.enumerated() {
            try checks.check(
              effect, instruction: index, place: "effect \(position) of layer \(number)", track: layer.trackID,
              into: &diagnostics)
          }
        }
      }
      for (position, effect) in instruction.effects.enumerated() {
        try checks.check(effect, instruction: index, place: "effect \(position)", into: &diagnostics)
      }
    }
  }

  private init(registry: CompositorRegistry) {
    self.registry = registry
  }

  private mutating func check(
    _ use: EffectReference, instruction: Int, place: String?, track: TrackID? = nil, into diagnostics: inout DiagnosticCollector
  ) throws(ValidationStopped) {
    let id = use.compositor
    let owner = ["Instruction \(instruction)", place].compactMap { $0 }.joined(separator: ", ")
    if descriptors[id] == nil { descriptors[id] = registry[id]?.descriptor }
    guard let descriptor = descriptors[id] else {
      return try diagnostics.add(
        ValidationDiagnostic(
          .unknownCompositor, "\(owner) names the compositor “\(id)”, which nobody registered.",
          instruction: instruction, track: track, likelyCause: "A spelling mistake, or a plugin that was not loaded.",
          fix: UnknownCompositor.recoverySuggestion(for: id, registry)))
    }
    let isPlain = use.parameters.isEmpty && use.animatedParameters.isEmpty && descriptor.parameters.isEmpty
    guard !isPlain else { return }
    let values = use.parameters.completed(with: use.animatedParameters)
    let faults =
      ParameterSchema.faults(of: values, in: descriptor).filter { use.animatedParameters[$0.key] == nil }
      + ParameterSchema.faults(ofAnimated: use.animatedParameters, in: descriptor)
    for fault in faults {
      try diagnostics.add(
        ValidationDiagnostic(
          .invalidParameter, "\(owner), compositor “\(id)”: \(fault.what)", instruction: instruction, track: track,
          fix: fault.fix))
    }
    if faults.isEmpty { try checkFiles(of: use, descriptor, at: owner, instruction: instruction, into: &diagnostics) }
  }

  private mutating func checkFiles(
    of use: EffectReference, _ descriptor: CompositorDescriptor, at place: String, instruction: Int,
    into diagnostics: inout DiagnosticCollector
  ) throws(ValidationStopped) {
    guard descriptor.parameters.contains(where: \.kind.isFile), readable.insert(use).inserted else { return }
    do {
      _ = try ParameterFiles.reading(use.parameters, for: descriptor)
    } catch {
      try diagnostics.add(
        ValidationDiagnostic(
          .invalidParameter, "\(place), compositor “\(use.compositor)”: \(error.message)", instruction: instruction,
          likelyCause: error.cause, fix: error.recoverySuggestion))
    }
  }
}

extension ParameterDescription.Kind {
  fileprivate var isFile: Bool { if case .textFile = self { true } else { false } }
}
