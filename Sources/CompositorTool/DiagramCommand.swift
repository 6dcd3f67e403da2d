import ArgumentParser
import CompositorAPI
import CompositorDiagram
import CompositorHost
import CompositorProjectFormat
import CompositorTimeline

/// `compositor diagram`.
struct DiagramCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "diagram", abstract: "Draw the timeline of a project.")

  @OptionGroup var project: ProjectArgument

  func run() async throws {
    let catalog = MediaCatalog()
    let file = try ProjectFile(opening: project.path, variables: project.variables)
    Terminal.warn(of: file)
    let loaded = try project.plugins.edit(of: file, draft: try file.edit(catalog: catalog), catalog: catalog)
    let report = CompositionValidator.validate(loaded.edit, catalog: catalog, registry: loaded.registry)
    let diagram = TimelineDiagram(loaded.edit, diagnostics: report.diagnostics)
    try Terminal.result(diagram.svg(DiagramSettings(title: project.name)), terminator: "")
  }
}
