import ArgumentParser
import Compositor
import Synchronization

/// Renders a project once for each row of a table. The table's columns are the project's variables.
final class BatchRendering: Sendable {
  private let table: CSVTable
  private let outputs: [Result<String, CompositorError>]
  private let render: RenderOptions
  private let rowsAtATime: Int
  /// The variables that the outputs' names use.
  private let namedVariables: Set<String>
  /// The variables that have defaults in the project.
  private let declared: Set<String>
  /// Descriptions of files, shared by all rows. Each row has titles of its own, also while another one is rendered.
  private let catalog = MediaCatalog()
  private let fonts = SharedFonts()

  init(_ path: String, _ render: RenderOptions, jobs: Int) throws {
    let (project, options) = (render.project, render.options)
    guard project.path != "-" else {
      throw ValidationError("--batch reads the project again for each row, so it cannot be the standard input.")
    }
    guard options.output != "-" else { throw ValidationError("--batch writes files, but --output is the standard output.") }
    let table = try CSVTable(contentsOf: path)
    var outputs = try usage("--output") { () throws(CompositorError) in try table.outputs(options.output) }
    for remark in table.unusedColumns(of: project.path, others: project.variables, pattern: options.output) {
      Terminal.complain("note: \(path): \(remark)")
    }
    rowsAtATime = jobs
    namedVariables = Set(RowName.placeholders(of: options.output))
    declared = ProjectFile.declaredVariables(of: project.path)
    if options.overwrite {
      outputs = BatchGuard(project: project.path, variables: project.variables, table: table).guarding(outputs)
    }
    (self.table, self.render, self.outputs) = (table, render, outputs)
  }

  func run() async throws {
    let reporter = BatchReporter(render.options.progress, places: outputs.indices.map(table.place))
    let batch = BatchExporter(outputs: outputs, overwrites: render.options.overwrite, rowsAtATime: rowsAtATime)
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

  /// Loads the project with a row's values. Errors name the row's position in the table.
  private func prepare(
    _ row: Int
  ) throws(CompositorError) -> (composition: ValidatedComposition, settings: ExportSettings) {
    do {
      var loader = render.project.loader(catalog: MediaCatalog(sharing: catalog), try render.overrides)
      loader.namedVariables = namedVariables
      let file = try project(of: row, loader)
      loader.fonts = try fonts.library(for: file)
      let loaded = try render.load(file, by: loader, row: "row \(row + 1)")
      return (loaded.composition, try loaded.settings(render.options, range: render.range))
    } catch let error as CompositorError {
      throw error
    } catch {
      // An invalid option that only this row's project reveals.
      throw CompositorError(.invalidValue, "\(error)")
    }
  }

  /// Opens the project with a row's values. An error without a cause of its own names the row of the table.
  private func project(of row: Int, _ loader: ProjectLoader) throws(CompositorError) -> ProjectFile {
    do {
      return try loader.open(render.project.path, row: table.variables(ofRow: row, declared: declared))
    } catch {
      throw CompositorError(
        error.code, error.message, advice: error.advice,
        cause: error.cause
          ?? "with the values of \(table.place(ofRow: row)); its columns: \(table.columns.joined(separator: ", "))",
        at: error.location,
        systemErrorNumber: error.systemErrorNumber)
    }
  }
}
