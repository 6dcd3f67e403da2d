package import CompositorAPI
package import CompositorExport
import CompositorHost
import CompositorMedia
package import CompositorMediaIO
import CompositorTimeline
package import CompositorValidation

/// A project as far as it could be loaded, with everything that was found in it.
package struct LoadedProject: Sendable {
  /// The stages of loading. Errors of one stage prevent the later ones.
  package enum Stage: Int, Comparable, Sendable {
    case reading, laying, validating
    package static func < (first: Stage, second: Stage) -> Bool { first.rawValue < second.rawValue }
  }

  /// The project's source text; `nil` for a media file.
  package var text: SourceText?
  /// The project; `nil` if it cannot be read.
  package var file: ProjectFile?
  /// The edit, valid or not; `nil` if the clips cannot be laid out.
  package var edit: Edit?
  /// The edit, ready to render; `nil` if it is invalid.
  package var composition: ValidatedComposition?
  /// How the project's own movie is composed and encoded; `nil` if the edit is invalid.
  package var delivery: MovieDelivery?
  /// Descriptions of the edit's media, as far as known.
  package var media: [MediaSource: MediaInfo] = [:]
  /// The files of plugins, with the compositors and audio processors used from each.
  package var plugins: [String: [String]] = [:]
  /// Errors and warnings, in the order in which they were found.
  package var diagnostics: [ProjectDiagnostic] = []
  /// The error that prevents rendering in any format; `nil` if there is none.
  package var editFailure: CompositorError?
  /// The error that prevents writing the output as the project describes it; `nil` if there is none. Options of the command line may
  /// ask for another output.
  package var outputFailure: CompositorError?
  /// The stage that was reached.
  package var stage = Stage.reading

  /// The error that prevents rendering the project as it is; `nil` if it can be rendered.
  package var failure: CompositorError? { editFailure ?? outputFailure }

  /// The number of errors among the diagnostics.
  package var errorCount: Int { diagnostics.count { $0.diagnostic.severity == .error } }

  /// Creates a project of which nothing is known yet.
  package init(text: SourceText?) { self.text = text }

  /// Creates the result for a project that cannot be opened.
  package init(_ error: CompositorError) {
    editFailure = error
    diagnostics = [ProjectDiagnostic(error, in: nil)]
    diagnostics[0].isFailure = true
  }

  /// Records an error that prevents rendering.
  mutating func fail(_ error: CompositorError) {
    var diagnostic = ProjectDiagnostic(error, in: text)
    diagnostic.isFailure = editFailure == nil
    diagnostics.append(diagnostic)
    editFailure = editFailure ?? error
  }

  /// Names settings in diagnostics in the words of a program. The errors keep them, for the program that prints them.
  mutating func spell(_ spelling: SettingSpelling) {
    for index in diagnostics.indices { diagnostics[index].diagnostic = diagnostics[index].diagnostic.spelled(spelling) }
  }

  /// Adds a fix to each diagnostic of the project's text whose advice says what to write.
  mutating func offerAdvice(from file: ProjectFile) {
    guard let text, !diagnostics.isEmpty else { return }
    let fixes = LiteralFixes(text: text, document: file.document)
    for index in diagnostics.indices where diagnostics[index].fix == nil {
      let diagnostic = diagnostics[index].diagnostic
      guard diagnostic.file == text.name else { continue }
      diagnostics[index].fix = fixes.fix(diagnostic.literal, at: diagnostic.path)
    }
  }

  /// Returns the edit, ready to render.
  ///
  /// - Throws: The error that prevents it.
  package func validated() throws(CompositorError) -> (
    file: ProjectFile, composition: ValidatedComposition, delivery: MovieDelivery
  ) {
    if let editFailure { throw editFailure }
    guard let file, let composition, let delivery else {
      throw CompositorError(.internalFault, "The project was loaded without a composition or an error.")
    }
    return (file, composition, delivery)
  }

  /// Returns the edit, ready to render to a file that replaces none of its inputs.
  ///
  /// - Parameter files: Files that the project doesn't name.
  /// - Throws: The error that prevents it.
  package func renderable(
    naming files: [String]
  ) throws(CompositorError) -> (file: ProjectFile, composition: ValidatedComposition, delivery: MovieDelivery) {
    let (file, composition, delivery) = try validated()
    composition.catalog.name(file.mentionedFiles().union(files))
    return (file, composition, delivery)
  }
}
