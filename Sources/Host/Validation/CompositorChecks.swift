import CompositorAPI

/// Each instruction's compositor is known, and its parameters fit the compositor's schema.
enum CompositorChecks {
  static func run(
    _ instructions: [Instruction], registry: CompositorRegistry, into findings: inout FindingCollector
  ) throws(ValidationStopped) {
    var descriptors: [CompositorID: CompositorDescriptor] = [:]
    for (index, instruction) in instructions.enumerated() where instruction.passthroughTrackID == nil {
      let id = instruction.compositor
      if descriptors[id] == nil { descriptors[id] = registry[id]?.descriptor }
      guard let descriptor = descriptors[id] else {
        let known = registry.descriptors.map(\.id.rawValue).joined(separator: ", ")
        try findings.add(
          ValidationFinding(
            .unknownCompositor, "Instruction \(index) names the compositor “\(id)”, which nobody registered.",
            instruction: index, likelyCause: "A spelling mistake, or a module that was not loaded.",
            fix: "Known compositors: \(known)."))
        continue
      }
      if instruction.parameters.isEmpty, descriptor.parameters.isEmpty { continue }
      for fault in ParameterSchema.faults(of: instruction.parameters, in: descriptor) {
        try findings.add(
          ValidationFinding(
            .invalidParameter, "Instruction \(index), compositor “\(id)”: \(fault.what)", instruction: index, fix: fault.fix))
      }
    }
  }
}
