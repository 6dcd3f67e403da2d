import CompositorAPI
import Testing

/// Positions of errors are values: names of files are never searched for them.
@Suite struct ErrorLocationTests {
  struct Row: Sendable {
    let location: ErrorLocation
    let text: String
    let document: DocumentPosition?
    /// What the message of its diagnostic begins with.
    var referenced = ""
  }

  private static let project = DocumentPosition(file: "p.json5", line: 3, column: 14)
  private static let template = DocumentPosition(file: "t.json5", line: 1, column: 5)

  static let rows = [
    Row(location: ErrorLocation(file: "clip.mp4"), text: "clip.mp4", document: nil),
    // Names that look like positions.
    Row(location: ErrorLocation(file: "a:3:4"), text: "a:3:4", document: nil),
    Row(location: ErrorLocation(file: "a:3:4: b"), text: "a:3:4: b", document: nil),
    Row(
      location: ErrorLocation(file: "a:3:4", documents: [DocumentPosition(file: "a:3:4", line: 5, column: 6)]),
      text: "a:3:4:5:6", document: DocumentPosition(file: "a:3:4", line: 5, column: 6)),
    Row(location: ErrorLocation(file: "p.json5", documents: [project]), text: "p.json5:3:14", document: project),
    Row(location: ErrorLocation(documents: [project]), text: "p.json5:3:14", document: project),
    Row(
      location: ErrorLocation(file: "clip.mp4", documents: [project]), text: "p.json5:3:14: clip.mp4", document: project,
      referenced: "clip.mp4: "),
    Row(
      location: ErrorLocation(file: "t.json5", documents: [project, template]), text: "p.json5:3:14: t.json5:1:5",
      document: project, referenced: "t.json5:1:5: "),
    Row(
      location: ErrorLocation(file: "clip.mp4", documents: [project, template]),
      text: "p.json5:3:14: t.json5:1:5: clip.mp4", document: project, referenced: "t.json5:1:5: clip.mp4: "),
    Row(
      location: ErrorLocation(file: "t.csv", documents: [DocumentPosition(file: "t.csv", line: 4)]), text: "t.csv:4",
      document: DocumentPosition(file: "t.csv", line: 4)),
  ]

  @Test(arguments: rows) func location_saysFileAndPosition(row: Row) {
    let error = CompositorError(.invalidProject, "It is odd.", at: row.location)
    #expect(error.location.place == row.text && error.description == "\(row.text): It is odd.")
    #expect(error.location.document == row.document)
    let diagnostic = ValidationDiagnostic(error)
    #expect(diagnostic.file == row.document?.file ?? row.location.file)
    #expect(diagnostic.line == row.document?.line && diagnostic.column == row.document?.column)
    #expect(diagnostic.message == row.referenced + "It is odd.")
  }

  @Test func location_ofAnError_keepsItsOwnFile() {
    let other = ErrorLocation(file: "p.json5", documents: [Self.project])
    let known = CompositorError(.readFailed, "It is odd.", at: ErrorLocation(file: "clip.mp4")).locating(other)
    #expect(known.location == ErrorLocation(file: "clip.mp4"))
    #expect(CompositorError(.readFailed, "It is odd.").locating(other).location == other)
  }
}
