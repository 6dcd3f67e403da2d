import CompositorAPI
import CompositorDiagram
import CompositorMediaIO
import CompositorValidation

/// The result of one reading of a project.
struct PreviewSnapshot: Sendable {
  /// Number of the reading, from 1.
  var generation: Int
  /// The composition to play; `nil` for a project with errors.
  var composition: ValidatedComposition?
  /// The edit, valid or not; `nil` if the file is not a project.
  var edit: Edit?
  /// Descriptions of its media, as far as known.
  var media: [MediaSource: MediaInfo] = [:]
  /// What the project calls tracks and sources.
  var names = DiagramNames()
  /// Errors and warnings, with their location in the file as far as known.
  var diagnostics: [ValidationDiagnostic] = []
  /// The lines with diagnostics, by line number.
  var lines: [Int: String] = [:]
  /// Files whose changes affect the project.
  var files: Set<String>
}
