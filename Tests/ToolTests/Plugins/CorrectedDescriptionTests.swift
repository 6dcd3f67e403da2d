import CompositorValidation
import Foundation
import Testing

/// Descriptions that the host reads otherwise than they say it: `plugins check` reports each, and nothing in a careful one.
@Suite struct CorrectedDescriptionTests {
  private func check(_ flags: [String]) throws -> ToolRun.Result {
    let workshop = try PluginWorkshop()
    let plugin = try workshop.compile(
      PluginWorkshop.fixtures.appending(path: "corrected.c"), flags: flags, name: "corrected")
    return try ToolRun.compositor(["plugins", "check", plugin.path])
  }

  /// The report of each change.
  private static func checkAll() throws -> [String: ToolRun.Result] {
    let workshop = try PluginWorkshop()
    let commands = try changes.enumerated().map { index, change -> [String] in
      let source = PluginWorkshop.fixtures.appending(path: "corrected.c")
      let plugin = try workshop.compile(source, flags: ["-DCHANGE=\(change.text)"], name: "corrected\(index)")
      return ["plugins", "check", plugin.path]
    }
    return Dictionary(uniqueKeysWithValues: zip(changes.map(\.text), try ToolRun.together(commands)))
  }

  /// A check waits for a second of the clock, so that several are done at a time.
  private static let reports = Result { try checkAll() }

  private static let changes: [(text: String, says: String)] = [
    ("", ""),
    ("level.is_required = 0", ""),
    ("value.kind = 0", ""),
    ("level.hint = COMPOSITOR_HINT_ANGLE", ""),
    ("description.parameters = NULL", "parameter_count is 1, but parameters is NULL"),
    ("description.parameter_count = -1", "parameter_count is -1, which is not possible"),
    ("description.parameter_count = 2000000000", "parameter_count is 2000000000, which is not possible"),
    ("description.parameter_count = 3", "parameter_count is 3, but 2 of parameters are NULL"),
    ("plugin.compositor_count = 2000000000", "compositor_count is 2000000000, which is not possible"),
    ("plugin.audio_processor_count = 1", "audio_processor_count is 1, but audio_processors is NULL"),
    ("description.preset_count = -4", "preset_count is -4, which is not possible"),
    ("description.preset_count = 2000000000", "preset_count is 2000000000, which is not possible"),
    ("description.presets = NULL; description.preset_count = 2", "preset_count is 2, but presets is NULL"),
    ("value.number = 0.5", "the default of the integer “level” is 0.5"),
    ("level.maximum = 9.5", "the range of the integer “level” is 0.0 to 9.5"),
    ("value.kind = COMPOSITOR_STRING; value.string = \"x\"", "the default of “level” is of the kind 3"),
    ("level.hint = 99", "the hint of “level” is 99"),
    ("level.hint = -1", "the hint of “level” is -1"),
    ("description.needs_other_times = 1", "needs_other_times is set, but needs is NULL"),
    ("description.summary = \"Größe – “3×”: 很好\"", ""),
    ("description.summary = \"a\\033[2Jb\"", "the summary has control characters"),
    ("description.summary = \"a\\nb\"", "the summary has control characters, line breaks or"),
    ("description.name = \"a\\342\\200\\256b\"", "the name has control characters"),
    ("description.name = \"a\\377b\"", "the name isn't UTF-8"),
    ("level.summary = \"a\\033b\"", "the summary of “level” has control characters"),
    ("level.group = \"a\\033b\"", "the group of “level” has control characters"),
    ("level.label = \"a\\007b\"", "the label of “level” has control characters"),
    ("level.unit = \"a\\rb\"", "the unit of “level” has control characters"),
    ("plugin.name = \"a\\033b\"", "the plugin's name has control characters"),
  ]

  @Test(arguments: changes) func whatTheHostCorrects_isReported(_ change: String, _ says: String) throws {
    let result = try #require(try Self.reports.get()[change])
    #expect(result.status == (says.isEmpty ? 0 : 65), "\(result.output)\(result.errors)")
    #expect(result.output.contains(says.isEmpty ? "none failed" : "FAILED   description"), "\(result.output)\(result.errors)")
    #expect(says.isEmpty || result.output.contains(says), "\(result.output)\(result.errors)")
    #expect(says.isEmpty || result.output.contains(", 1 failed"), "\(result.output)")
  }

  /// Memory that is behind a value's numbers is neither read nor printed.
  @Test(arguments: [
    ("POINT", 2_000_000_000, "a point has 2"), ("POINT", 1, "a point has 2"), ("POINT", -1, "a point has 2"),
    ("COLOR", 5, "a color has 3 or 4"), ("COLOR", 2, "a color has 3 or 4"),
  ])
  func numbersOfAnotherCount_areOneShortError(_ kind: String, _ count: Int, _ says: String) throws {
    let result = try check([
      "-DCHANGE=static const double one[] = {1}; value.kind = level.kind = COMPOSITOR_\(kind); value.numbers = one; "
        + "value.number_count = \(count)"
    ])
    #expect(result.status == 69, "\(result.output)\(result.errors)")
    #expect(result.errors.contains("has \(count) numbers, but \(says)") && result.errors.utf8.count < 500, "\(result.errors)")
  }

  /// If the host's own frames don't fit the limit, the plugin is not blamed.
  @Test func framesBeyondTheMemoryLimit_areNotTried() throws {
    let workshop = try PluginWorkshop()
    let change = "static const char *const floats[] = {\"rgbaf32\", NULL}; description.output_formats = floats"
    let plugin = try workshop.compile(
      PluginWorkshop.fixtures.appending(path: "corrected.c"), flags: ["-DCHANGE=\(change)"], name: "float")
    let short = try ToolRun.compositor(["plugins", "check", plugin.path, "--plugin-memory", "256"])
    #expect(short.status == 0, "\(short.output)\(short.errors)")
    #expect(
      short.output.contains("not checked: size 4096x2304. The memory limit of 256 MiB is too small"), "\(short.output)")
    let enough = try ToolRun.compositor(["plugins", "check", plugin.path])
    #expect(enough.status == 0 && !enough.output.contains("not checked"), "\(enough.output)\(enough.errors)")
  }

  /// An ID of other characters is one error of every command.
  @Test(arguments: [
    ("../../etc/passwd", false), ("org..example.h", false), ("org.example.", false), ("оrg.example.h", false), ("a b.c", false),
    ("org.example.h-2_x", true),
  ])
  func id_ofOtherCharacters_isAnErrorEverywhere(_ id: String, _ isValid: Bool) throws {
    let workshop = try PluginWorkshop()
    let plugin = try workshop.compile(
      PluginWorkshop.fixtures.appending(path: "corrected.c"), flags: ["-DID=\"\(id)\""], name: "corrected")
    let project = try workshop.scratch.file(
      "p.json5",
      """
      { version: 1, plugins: ["corrected.so"], output: { size: "64x36", frameRate: 25 }, assets: { a: { generate: "bars" } },
        tracks: [{ clips: [{ asset: "a", duration: "4f" }] }],
        effects: [{ at: 0, duration: "2f", compositor: "\(id)" }] }
      """)
    for arguments in [["plugins", "inspect", plugin.path], ["validate", project.path]] {
      let result = try ToolRun.compositor(arguments)
      #expect((result.status == 0) == isValid, "\(arguments): \(result.output)\(result.errors)")
      let text = result.output + result.errors
      #expect(text.contains("has invalid characters: valid are letters") != isValid, "\(arguments): \(text)")
    }
  }
}
