import CompositorAPI
import CompositorDiagram
import CompositorMedia
import CompositorProjectFormat
import CompositorTimeline
import CompositorValidation
import Foundation
import Testing

/// Diagrams of projects in the repository, beside this file as SVG that a person can open.
@Suite struct GoldenDiagramTests {
  static let variable = "COMPOSITOR_ACCEPT_DIAGRAMS"

  /// Projects whose media the repository holds or makes.
  static let projects = [
    "card", "dissolve-pip", "effects", "explicit", "filters", "magic-title", "ramps", "scores", "scripts", "slow-motion",
    "soundtrack", "title-track", "titles", "transitions",
  ]

  private func edit(_ project: String) throws -> Edit {
    let path = repository.appending(path: "Examples/\(project).json5").path
    return try ProjectFile(contentsOf: path).edit(catalog: MediaCatalog())
  }

  /// The path does not depend on the repository's folder.
  private func placed(_ svg: String) -> String { svg.replacing(repository.path + "/", with: "") }

  private func compare(_ svg: String, _ name: String) throws {
    let file = repository.appending(path: "Tests/DiagramTests/Fixtures/\(name).svg")
    if ProcessInfo.processInfo.environment[Self.variable] == "1" {
      try svg.write(to: file, atomically: true, encoding: .utf8)
      return
    }
    let golden = try? String(contentsOf: file, encoding: .utf8)
    let difference = zip((golden ?? "").split(separator: "\n"), svg.split(separator: "\n")).first { $0 != $1 }
    #expect(
      golden == svg,
      """
      The diagram of \(name) is not that of \(file.path).
      was: \(difference?.0 ?? "nothing, or another number of lines")
      is:  \(difference?.1 ?? "")
      If the new one is right, run the tests with \(Self.variable)=1, look at the new picture, and commit it.
      """)
  }

  @Test(arguments: projects) func diagram_ofAnExample_isTheGolden(_ project: String) throws {
    let diagram = TimelineDiagram(try edit(project))
    try compare(placed(diagram.svg(DiagramSettings(title: "\(project).json5"))), project)
  }

  /// Every example that needs nothing else is among them.
  @Test func projects_ofTheExamples_areAllDrawn() throws {
    let folder = repository.appending(path: "Examples")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".json5") }
    #expect(Set(names.map { String($0.dropLast(6)) }) == Set(Self.projects))
  }

  @Test(arguments: DiagramSettings.Theme.allCases) func diagram_ofTheFaultyEditor_isTheGolden(_ theme: DiagramSettings.Theme)
    throws
  {
    let edit = try Edits.faultyEditor()
    let report = CompositionValidator.validate(edit, catalog: Edits.catalog)
    let diagram = TimelineDiagram(edit, diagnostics: report.diagnostics)
    let settings = DiagramSettings(title: "Three clips, one transition lost", time: .seconds(7), theme: theme)
    try compare(diagram.svg(settings), "faulty-editor-\(theme.rawValue)")
  }

  @Test func svg_drawnTwice_hasTheSameBytes() throws {
    let edit = try edit("transitions")
    #expect(TimelineDiagram(edit).svg() == TimelineDiagram(edit).svg())
  }
}
