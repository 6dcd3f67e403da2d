import CompositorAPI
import CompositorHost
import CompositorMediaIO

/// A project as it was read at one time.
struct PreviewSnapshot: Sendable {
  /// Counts readings, from 1 on.
  var generation: Int
  /// What can be played; nil for a project with errors.
  var composition: ValidatedComposition?
  /// The edit, valid or not; nil if the text is not a project.
  var edit: Edit?
  /// What is known of its media.
  var media: [MediaSource: MediaInfo] = [:]
  /// What is wrong with it, located in the text as far as that is known.
  var diagnostics: [ValidationDiagnostic] = []
  /// The lines of the project's text that diagnostics are about, by number.
  var lines: [Int: String] = [:]
  /// Files whose changes change the project.
  var files: Set<String>
}

extension PreviewSnapshot {
  /// The time at which a diagnostic is shown; nil for one that concerns no time.
  func time(of diagnostic: ValidationDiagnostic) -> MediaTime? {
    if let found = diagnostic.foundTime, found.isNumeric { return found }
    guard let index = diagnostic.instruction, let instructions = edit?.videoComposition.instructions,
      instructions.indices.contains(index)
    else { return nil }
    let start = instructions[index].timeRange.start
    return start.isNumeric ? start : nil
  }
}
