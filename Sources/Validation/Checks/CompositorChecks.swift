import BuiltinCompositors
import CompositorAPI
import CompositorPlugins

/// Checks that each compositor used by an instruction, directly or as an effect, is known, that its parameters fit its schema,
/// and that files which they name can be read.
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
        let id = instruction.compositor
        try checks.checkTracks(of: id, instruction, index, into: &diagnostics)
        try checks.checkBlend(instruction, index, into: &diagnostics)
      }
      for (number, layer) in instruction.layers.enumerated() {
        for (position, effect) in layer.effects.enumerated() {
          try checks.check(
            effect, instruction: index, place: "effect \(position) of layer \(number)", track: layer.trackID,
            into: &diagnostics)
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
    var owner: String {
      ["\(Named.instruction(instruction).capitalizedName)", place].compactMap { $0 }.joined(separator: ", ")
    }
    if descriptors[id] == nil { descriptors[id] = registry[id]?.descriptor }
    guard let descriptor = descriptors[id] else {
      return try diagnostics.add(
        ValidationDiagnostic(
          .unknownCompositor, "\(owner) names the compositor “\(id)”, which isn't registered.",
          instruction: instruction, track: track, cause: "A spelling mistake, or a plugin that was not loaded."
        ).advising(UnknownCompositor.advice(for: id, registry)))
    }
    if place != nil { try checkEffect(use, at: owner, instruction: instruction, track: track, into: &diagnostics) }
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
          recoverySuggestion: fault.recoverySuggestion))
    }
    if faults.isEmpty { try checkFiles(of: use, descriptor, at: owner, instruction: instruction, into: &diagnostics) }
  }

  /// Checks that a built-in compositor of several clips gets them. Others are asked in a trial.
  private func checkTracks(
    of id: CompositorID, _ instruction: Instruction, _ index: Int, into diagnostics: inout DiagnosticCollector
  ) throws(ValidationStopped) {
    guard let needs = Self.needs(of: id) else { return }
    let (count, named) = (instruction.requiredTrackIDs.count, instruction.additionalTrackIDs.count)
    guard id == MaskCompositor.descriptor.id ? named == 0 : count < 2 else { return }
    try diagnostics.add(
      ValidationDiagnostic(
        .invalidParameter, "\(Named.instruction(index).capitalizedName), compositor “\(id)”: \(needs.what)", instruction: index,
        recoverySuggestion: needs.advice, timeRange: instruction.timeRange))
  }

  /// Warns of a blend mode with nothing but black below its only layer.
  private func checkBlend(
    _ instruction: Instruction, _ index: Int, into diagnostics: inout DiagnosticCollector
  ) throws(ValidationStopped) {
    let isOnBlack = (instruction.backgroundColor ?? .black) == .black && instruction.additionalTrackIDs.isEmpty
    guard instruction.compositor == BlendModeCompositor.descriptor.id, instruction.layers.count == 1, isOnBlack,
      case .string(let mode)? = instruction.parameters["mode"], mode != BlendMode.normal.rawValue
    else { return }
    try diagnostics.add(
      ValidationDiagnostic(
        .effectUnchanging, severity: .warning,
        "\(Named.instruction(index).capitalizedName), compositor “\(instruction.compositor)”: mode \(mode) blends the only layer with "
          + "black.",
        instruction: index, recoverySuggestion: "Give the instruction a second layer below, or remove the compositor.",
        timeRange: instruction.timeRange))
  }

  /// An effect gets one frame.
  private func checkEffect(
    _ use: EffectReference, at owner: String, instruction: Int, track: TrackID?, into diagnostics: inout DiagnosticCollector
  ) throws(ValidationStopped) {
    guard let needs = Self.needs(of: use.compositor) else { return }
    try diagnostics.add(
      ValidationDiagnostic(
        .invalidParameter, "\(owner), compositor “\(use.compositor)”: \(needs.what) An effect gets one frame.",
        instruction: instruction, track: track,
        recoverySuggestion: use.compositor == MaskCompositor.descriptor.id
          ? "Give another effect a mask: { use: …, mask: { … } }."
          : "Use it as a transition, or name it in an instruction of two layers."))
  }

  /// What a built-in compositor of several clips needs; `nil` for all others.
  private static func needs(of id: CompositorID) -> (what: String, advice: String)? {
    if id == MaskCompositor.descriptor.id {
      return (
        "A mask needs a matte.",
        "Name its track as the instruction's first additional track (in a project: tracks of an instruction). Elsewhere, give an effect "
          + "a mask instead."
      )
    }
    guard CompositorRegistry.builtIn[id]?.descriptor.role == .transition, id.rawValue.hasPrefix("builtin.") else { return nil }
    return ("A transition needs two tracks.", "Give it a layer for the outgoing clip, then one for the incoming clip.")
  }

  private mutating func checkFiles(
    of use: EffectReference, _ descriptor: CompositorDescriptor, at place: String, instruction: Int,
    into diagnostics: inout DiagnosticCollector
  ) throws(ValidationStopped) {
    guard descriptor.parameters.contains(where: \.kind.isFile), readable.insert(use).inserted else { return }
    do throws(CompositorError) {
      let read = try ParameterFiles.reading(use.parameters, for: descriptor)
      if use.compositor == LUTEffect.descriptor.id, case .string(let text)? = read["file"] { try LUTEffect.check(text) }
    } catch {
      var path: String? { if case .string(let path)? = use.parameters["file"] { path } else { nil } }
      try diagnostics.add(
        ValidationDiagnostic(
          .invalidParameter, "\(place), compositor “\(use.compositor)”: \(error.message)", instruction: instruction,
          cause: error.cause ?? path, recoverySuggestion: error.recoverySuggestion))
    }
  }
}

extension ParameterDescription.Kind {
  fileprivate var isFile: Bool { fileLimit != nil }
}
