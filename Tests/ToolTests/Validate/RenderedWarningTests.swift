import Foundation
import Testing

/// `render` prints the warnings that `validate` prints: at their places, or, if they are about the output, as notes on what was written.
/// Of advice, it prints three sentences, and how many more there are.
@Suite struct RenderedWarningTests {
  private static let warned: [DiagnosticFixture] = DiagnosticFixture.all.filter { fixture in
    let expected = (try? fixture.lines("expect")) ?? []
    return !expected.isEmpty && expected.allSatisfy { $0.hasPrefix("warning ") }
  }

  /// The codes of advice.
  private static let advice: Set<String> = [
    "unevenEnds", "shorterThanFrame", "offFrameGrid", "upscaled", "mixedFrameRates", "colorClipped", "titleOutsideSafeArea",
    "audioClipped", "limitedPlayback", "canvasUnfilled",
  ]

  /// The warnings of `validate` of which `render` says nothing.
  private func missing(_ project: String, output: String, in folder: URL) throws -> [String] {
    let validated = try ToolRun.compositor(["validate", project, "--json"], in: folder)
    let found = try #require(try JSONSerialization.jsonObject(with: Data(validated.output.utf8)) as? [[String: Any]])
    let rendered = try ToolRun.compositor(
      ["render", project, "-o", output, "--range", "0s..0.08s", "--progress", "none"], in: folder)
    try #require(rendered.status == 0, "\(project): \(rendered.errors)")
    return found.compactMap { diagnostic in
      let (message, code) = (diagnostic["message"] as? String ?? "?", diagnostic["code"] as? String ?? "?")
      // The exporter knows what the codec stores, and says it in words of its own.
      let words = message.hasPrefix("The output is to have alpha") ? "the output was to have alpha" : message
      let isCounted = rendered.errors.contains(" more: compositor validate \(project)") && Self.advice.contains(code)
      return rendered.errors.contains(words) || isCounted ? nil : "\(code): \(message) is missing in: \(rendered.errors)"
    }
  }

  @Test func fixturesWithWarnings_areThere() { #expect(Self.warned.count >= 60) }

  @Test(arguments: warned) func render_saysWhatValidateSays(_ fixture: DiagnosticFixture) throws {
    let scratch = try fixture.scratch()
    #expect(try missing(fixture.name, output: "o.mkv", in: scratch.folder) == [])
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var output: String
    var rest = ""
    var file = "o.mov"
    /// Codes and places that `validate` finds.
    var found: [String]
    var testDescription: String { "\(output) \(rest) \(file)" }
  }

  private static let dropped = "alphaDropped output.background"
  private static let instruction = "instructions: [{ background: 'clear', layers: [{ track: 'A' }] }]"

  static let rows: [Row] = [
    Row(output: "background: 'clear'", found: [dropped]), Row(output: "background: '#00000000'", found: [dropped]),
    Row(output: "background: '#ff000080'", found: [dropped]),
    Row(output: "background: 'clear', format: 'rgba'", file: "o%d.png", found: [dropped]),
    Row(output: "background: 'clear', video: { codec: 'prores' }, format: 'yuva444p10'", found: [dropped]),
    Row(output: "background: 'clear', video: { codec: 'prores', profile: '4444' }", found: [dropped]),
    Row(output: "background: 'clear', video: { codec: 'vp9' }", file: "o.webm", found: [dropped]),
    Row(output: "background: 'clear', alpha: true, video: { codec: 'h264' }", found: ["alphaDropped output.alpha"]),
    Row(output: "background: 'clear', alpha: true, preset: 'prores-4444'", found: []),
    Row(output: "background: 'black'", found: []), Row(output: "background: '#000000ff'", found: []),
    Row(output: "background: 'black'", rest: instruction, found: ["alphaDropped instructions[0].background"]),
    Row(
      output: "background: 'clear'", rest: instruction, found: [dropped, "alphaDropped instructions[0].background"]),
    Row(output: "preset: 'prores-4444'", rest: instruction, found: []),
    Row(
      output: "video: { codec: 'prores' }, format: 'yuv444p16'", found: ["unwritableOutput output.format"]),
    Row(output: "video: { codec: 'prores' }, format: 'yuv422p10'", found: []),
  ]

  @Test(arguments: rows) func output_thatDropsSomething_saysItInBothViews(_ row: Row) throws {
    let scratch = try Scratch()
    _ = try scratch.file(
      "p.json5",
      """
      { version: 1, output: { size: "64x48", frameRate: 25, \(row.output) },
        assets: { a: { generate: "color", color: "red" } },
        tracks: [{ name: "A", clips: [{ asset: "a", duration: "0.2s", transform: { scale: 0.5 } }] }], \(row.rest) }
      """)
    let result = try ToolRun.compositor(["validate", "p.json5", "--json"], in: scratch.folder)
    let found = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: Any]])
    #expect(found.map { "\($0["code"] ?? "") \($0["path"] ?? "")" } == row.found, "\(result.output)")
    #expect(try missing("p.json5", output: row.file, in: scratch.folder) == [])
    let rendered = try ToolRun.compositor(
      ["render", "p.json5", "-o", row.file, "--overwrite", "--progress", "none"], in: scratch.folder)
    #expect(
      rendered.errors.contains("keeps no alpha") == row.found.contains { $0.hasSuffix("background") }, "\(rendered.errors)")
  }

  @Test func advice_isPrintedInSentences_andTheRestIsCounted() throws {
    let scratch = try Scratch()
    let titles = ["one", "two", "three", "four", "five"].map {
      "{ text: '\($0)', fade: '0s', position: ['50%', '97%'] }"
    }
    for count in [2, 5] {
      _ = try scratch.file(
        "p.json5",
        """
        { version: 1, output: { size: "320x180", frameRate: 25 }, assets: { a: { generate: "color", color: "navy" } },
          tracks: [{ clips: [{ asset: "a", duration: "0.2s" }] }], titles: [\(titles.prefix(count).joined(separator: ", "))] }
        """)
      let result = try ToolRun.compositor(
        ["render", "p.json5", "-o", "o.mp4", "--overwrite", "--progress", "none"], in: scratch.folder)
      try #require(result.status == 0, "\(result.errors)")
      let notes = result.errors.split(separator: "\n").filter { $0.contains("note: ") }
      #expect(notes.count == (count == 2 ? 2 : 4), "\(result.errors)")
      #expect(notes.first?.contains("The text “one” extends ") == true && notes[0].contains("p.json5:2:"), "\(notes)")
      #expect((notes.last == "compositor: note: and 2 more: compositor validate p.json5") == (count == 5), "\(notes)")
    }
  }
}
