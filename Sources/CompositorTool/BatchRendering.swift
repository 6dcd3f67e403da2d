import ArgumentParser
import CompositorAPI
import Foundation
import CompositorHost
import CompositorExport
import CompositorProjectFormat
import CompositorTimeline
import CompositorMediaIO
import CompositorOverlay

/// One project, rendered once for each row of a table whose columns are its variables.
struct BatchRendering {
  let table: CSVTable
  let project: ProjectArgument
  let captions: CaptionOptions
  let options: OutputOptions
  let range: String?

  init(
    _ path: String, project: ProjectArgument, captions: CaptionOptions, options: OutputOptions, range: String?
  ) throws {
    let text: String
    do {
      text = try String(contentsOf: URL(fileURLWithPath: path), encoding: .utf8)
    } catch {
      throw CompositorError(
        .fileNotFound, "The table cannot be read.", recoverySuggestion: "Give a CSV file in UTF-8.",
        cause: error.localizedDescription,
        at: ErrorLocation(file: path))
    }
    table = try CSVTable(text, name: path)
    (self.project, self.captions, self.options, self.range) = (project, captions, options, range)
    let places = table.columns + ["row"]
    for name in RowName.placeholders(of: options.output) where !places.contains(name) {
      throw ValidationError("--output names {\(name)}, and the table has \(table.columns.joined(separator: ", ")).")
    }
    guard Set((0..<table.rows.count).map(output)).count == table.rows.count else {
      throw ValidationError("--output must differ from row to row: write {row}, or a column such as {\(table.columns[0])}.")
    }
  }

  private func output(_ row: Int) -> String {
    RowName.fill(options.output, row: row + 1, fields: table.variables(ofRow: row))
  }

  func run() async throws {
    // Media are described and fonts loaded once, for all rows.
    let catalog = MediaCatalog()
    var fonts: FontLibrary?
    let start = ContinuousClock.now
    for row in table.rows.indices {
      try await naming(row) { try await render(row, catalog, &fonts) }
    }
    let elapsed = ContinuousClock.now - start
    let seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
    let rate = Double(table.rows.count) / max(seconds, 1e-9)
    try Terminal.result("\(table.rows.count) renders in \(Self.short(seconds)) s: \(Self.short(rate)) a second")
  }

  /// Says in which row an error came.
  private func naming(_ row: Int, _ body: () async throws -> Void) async throws {
    do {
      try await body()
    } catch let error as CompositorError {
      throw CompositorError(
        error.code, "Row \(row + 1) of the table: \(error.message)", recoverySuggestion: error.recoverySuggestion,
        cause: error.cause,
        at: error.location)
    }
  }

  private func render(_ row: Int, _ catalog: MediaCatalog, _ fonts: inout FontLibrary?) async throws {
    let variables = project.variables.merging(table.variables(ofRow: row)) { _, new in new }
    let file = try ProjectFile(opening: project.path, variables: variables, ignoringUnused: true)
    if row == 0 { Terminal.warn(of: file) }
    let library = if let fonts { fonts } else { try file.loadFonts() }
    fonts = library
    let loaded = try LoadedProject(
      file, catalog: catalog, captions: captions, colors: options.colorOverrides, audio: try options.audio.overrides,
      fonts: library,
      plugins: project.plugins,
      damaged: options.damage.damaged, mediaTypes: options.mediaTypes)
    let settings = try options.settings(
      file.output, for: loaded.composition, range: try loaded.range(range))
    let result = try await Exporter.export(loaded.composition, to: output(row), settings: settings)
    for warning in result.warnings { Terminal.complain("warning: \(result.path): \(warning.message)") }
  }

  private static func short(_ value: Double) -> String { String((value * 100).rounded() / 100) }
}
