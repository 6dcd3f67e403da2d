package import CompositorAPI
package import CompositorMediaIO

extension ValidationReport {
  /// The diagnostics for a render of the whole timeline: a part that is missing from a truncated file is an error if the render
  /// fails because of it.
  ///
  /// A render of a part of the timeline may not need what is missing, so validation itself only warns.
  package func diagnostics(forWholeRenderOf damaged: DamagePolicy) -> [ValidationDiagnostic] {
    guard damaged == .fail, let validated else { return diagnostics }
    var fatal: Set<ValidationDiagnostic.Code> = []
    if diagnostics.contains(where: { $0.code == .audioCutShort }),
      validated.missingSound(from: .zero, through: validated.edit.composition.duration) != nil
    {
      fatal.insert(.audioCutShort)
    }
    if diagnostics.contains(where: { $0.code == .mediaCutShort }), let plan = try? RenderPlan(validated),
      plan.missingPictures(in: 0..<plan.frameCount) != nil
    {
      fatal.insert(.mediaCutShort)
    }
    return diagnostics.map { diagnostic in
      var result = diagnostic
      if fatal.contains(diagnostic.code) { result.severity = .error }
      return result
    }
  }
}
