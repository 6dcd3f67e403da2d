import ArgumentParser
import CompositorAPI
import CompositorHost
import CompositorExport
import CompositorProjectFormat
import CompositorTimeline
import CompositorMediaIO
import CompositorOverlay
import Synchronization

/// One project, rendered once for each row of a table whose columns are its variables.
final class BatchRendering: Sendable {
  private let table: CSVTable
  private let outputs: [Result<String, CompositorError>]
  private let project: ProjectArgument
  private let captions: CaptionOptions
  private let options: OutputOptions
  private let range: String?
  private let rowsAtATime: Int
  /// Media are described once, for all rows.
  private let catalog = MediaCatalog()
  /// The fonts of the row before, and the files that they come from.
  private let fonts = Mutex<(files: [String], library: FontLibrary)?>(nil)

  init(
    _ path: String, project: ProjectArgument, captions: CaptionOptions, options: OutputOptions, range: String?, jobs: Int
  ) throws {
    guard project.path != "-" else {
      throw ValidationError("--batch reads the project anew for each row: it cannot be on the standard input.")
    }
    guard options.output != "-" else { throw ValidationError("--batch writes files, and --output is the standard output.") }
    let table = try CSVTable(contentsOf: path)
    outputs = try usage("--output") { () throws(CompositorError) in try table.outputs(options.output) }
    rowsAtATime = jobs
    (self.table, self.project, self.captions, self.options, self.range) = (table, project, captions, options, range)
  }

  func run() async throws {
    let reporter = BatchReporter(options.progress, rowCount: outputs.count)
    let batch = BatchExporter(outputs: outputs, overwrites: options.overwrite, rowsAtATime: rowsAtATime)
    let failure = Mutex<CompositorError?>(nil)
    let summary = await batch.run { row throws(CompositorError) in
      try self.prepare(row)
    } progress: { row, progress in
      reporter.report(progress, ofRow: row)
    } report: { outcome in
      do throws(CompositorError) {
        try reporter.report(outcome)
      } catch {
        failure.withLock { $0 = $0 ?? error }
      }
    }
    if let failure = failure.withLock({ $0 }) { throw failure }
    try reporter.finish(summary)
    if summary.canceled > 0 { throw ExitCode(Interruption.status) }
    if let error = summary.firstError { throw ExitCode(ProcessStatus(error.code).rawValue) }
  }

  /// A row's composition; what is wrong with it is told with the row's place in the table.
  private func prepare(
    _ row: Int
  ) throws(CompositorError) -> (composition: ValidatedComposition, settings: ExportSettings) {
    do {
      let variables = project.variables.merging(table.variables(ofRow: row)) { _, new in new }
      var file = try project(of: row, variables)
      if let canvas = options.encoding.size { file.layOut(on: canvas) }
      let loaded = try LoadedProject(
        file, catalog: catalog, captions: captions, colors: options.colorOverrides, audio: try options.audio.overrides,
        fonts: try fonts(of: file), plugins: project.plugins, damaged: options.damage.damaged, mediaTypes: options.mediaTypes)
      return (loaded.composition, try loaded.settings(options, range: range))
    } catch let error as CompositorError {
      throw error
    } catch {
      // A mistake in the options that shows itself with this row's project.
      throw CompositorError(.invalidValue, "\(error)")
    }
  }

  /// The project with a row's values; an error without another cause says which row of the table they are of.
  private func project(of row: Int, _ variables: [String: String]) throws(CompositorError) -> ProjectFile {
    do {
      return try ProjectFile(opening: project.path, variables: variables, ignoringUnused: true)
    } catch {
      throw CompositorError(
        error.code, error.message, recoverySuggestion: error.recoverySuggestion,
        cause: error.cause ?? "with the values of \(table.place(ofRow: row))", at: error.location,
        systemErrorNumber: error.systemErrorNumber)
    }
  }

  /// The fonts of a project, loaded anew only if they are others than those of the row before. What the project says in an older way is told
  /// then too.
  private func fonts(of file: ProjectFile) throws(CompositorError) -> FontLibrary {
    if let known = fonts.withLock({ $0 }), known.files == file.fonts { return known.library }
    Terminal.warn(of: file)
    let library = try file.loadFonts()
    fonts.withLock { $0 = (file.fonts, library) }
    return library
  }
}
