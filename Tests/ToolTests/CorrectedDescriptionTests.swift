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

  @Test(arguments: [
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
  ])
  func whatTheHostCorrects_isReported(_ change: String, _ says: String) throws {
    let result = try check(["-DCHANGE=\(change)"])
    #expect(result.status == (says.isEmpty ? 0 : 65), "\(result.output)\(result.errors)")
    #expect(result.output.contains(says.isEmpty ? "none failed" : "FAILED   description"), "\(result.output)\(result.errors)")
    #expect(says.isEmpty || result.output.contains(says), "\(result.output)\(result.errors)")
    #expect(says.isEmpty || result.output.contains(", 1 failed"), "\(result.output)")
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
