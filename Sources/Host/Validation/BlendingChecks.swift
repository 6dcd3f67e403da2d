import CompositorAPI

/// `blending: linear` holds for everything that blends, or is refused here: where something else mixes codes that we cannot turn into light,
/// and for blend modes whose formulas end at white, in HDR.
enum BlendingChecks {
  static func run(_ composition: ValidatedComposition, into diagnostics: inout DiagnosticCollector) throws(ValidationStopped) {
    let edit = composition.edit
    guard edit.videoComposition.blending == .linear else { return }
    let isHDR = RenderFormat(composition).attributes.color.transfer.isHDR
    for (index, instruction) in edit.videoComposition.instructions.enumerated() {
      let id = instruction.compositor
      guard instruction.passthroughTrackID == nil else { continue }
      if id.mixesCodes, Set(instruction.requiredTrackIDs).count > 1 {
        try diagnostics.add(
          ValidationDiagnostic(
            .blendingNotLinear, "Instruction \(index): \(id) mixes code values, not light, as blending: linear asks.",
            instruction: index,
            recoverySuggestion: "Use a built-in transition or blend, or blending: encoded."))
      }
      guard isHDR, id == "builtin.blend", case .string(let mode)? = instruction.parameters["mode"], mode != "normal" else {
        continue
      }
      try diagnostics.add(refusal(ofMode: mode, "Instruction \(index)", instruction: index))
    }
    guard isHDR else { return }
    for (index, layer) in edit.titles.layers.enumerated() {
      guard let (mode, path) = layer.blendMode(at: Titles.path(ofLayer: index)) else { continue }
      try diagnostics.add(refusal(ofMode: mode.rawValue, "A title", path: path))
    }
  }

  private static func refusal(
    ofMode mode: String, _ owner: String, instruction: Int? = nil, path: String? = nil
  ) -> ValidationDiagnostic {
    ValidationDiagnostic(
      .blendingNotLinear, "\(owner): the blend mode \(mode) ends at white, and the light of an HDR output does not.",
      instruction: instruction,
      recoverySuggestion: "Use the mode normal, an SDR output, or blending: encoded.", path: path)
  }
}

extension CompositorID {
  /// Whether it is a filter from outside that knows code values only.
  fileprivate var mixesCodes: Bool { rawValue.hasPrefix("avfilter.") || rawValue.hasPrefix("frei0r.") }
}

extension Layer {
  /// The first blend mode other than normal in a tree, and its key path.
  fileprivate func blendMode(at path: String) -> (BlendMode, String)? {
    if blendMode != .normal { return (blendMode, path + ".blendMode") }
    for (index, layer) in sublayers.enumerated() {
      if let found = layer.blendMode(at: "\(path).sublayers[\(index)]") { return found }
    }
    return mask?.blendMode(at: path + ".mask")
  }
}
