import Foundation
import Testing

/// Masks of effects in projects and reports.
@Suite(.serialized) struct EffectMaskProjectTests {
  private let workshop: PluginWorkshop
  private let folder: URL

  init() throws {
    workshop = try PluginWorkshop()
    folder = workshop.scratch.folder
    for (name, source) in [
      ("footage.mkv", "testsrc2=s=160x90:r=25"), ("luma.mkv", "gradients=s=97x61:r=25:c0=black:c1=white"),
      ("song.wav", "sine=d=1"),
    ] {
      let video = name == "song.wav" ? [] : ["-frames:v", "3", "-c:v", "ffv1"]
      let result = try ToolRun.run(
        URL(filePath: "/usr/bin/env"),
        ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", source] + video + [folder.appending(path: name).path])
      try #require(result.status == 0, "\(result.errors)")
    }
  }

  private func validate(_ mask: String, effects: String = "") throws -> String {
    let project = try workshop.scratch.file(
      "mistake.json5",
      """
      { version: 1, output: { size: "160x90", frameRate: 25, audio: false },
        assets: { a: { file: "footage.mkv" }, matte: { file: "luma.mkv" }, song: { file: "song.wav" } },
        tracks: [{ clips: [{ asset: "a", duration: "3f", effects: [{ use: "color", brightness: 0.1,
          mask: { \(mask) } }] }] }]\(effects) }
      """)
    let result = try ToolRun.compositor(["validate", project.path])
    return result.output + result.errors
  }

  @Test(arguments: [
    ("asset: \"mate\"", "mistake.json5:4:20: error: There is no asset \"mate\"", "Did you mean \"matte\"?"),
    ("asset: \"song\"", "mistake.json5:4:20: error: The mask ", "shows no video. [mediaTrackMissing]"),
    ("asset: \"matte\", in: \"2f\"", "mistake.json5:4:11: error: The mask has 0.04 s of its media left", "hold: true"),
    ("asset: \"matte\", in: \"1s\"", "error: The mask starts after the end of its media", "Start earlier"),
    ("asset: \"matte\", in: \"1f\", hold: true", "mistake.json5", ": valid"),
    ("asset: \"matte\", in: \"1f\", loop: true", "mistake.json5", ": valid"),
    ("asset: \"matte\", videoTrack: 2", "mistake.json5:4:41: error: ", "has no video track 2"),
    ("asset: \"matte\", channel: \"red\"", "\"red\" is not possible here", "Possible: luma, alpha."),
  ])
  func mistakes_areSaidInTheProjectsTerms(_ mask: String, _ error: String, _ advice: String) throws {
    let text = try validate(mask)
    #expect(text.contains(error) && text.contains(advice), "\(text)")
  }

  @Test func masks_ofTimeRanges_belongToEffectsOnly() throws {
    let range = ", effects: [{ at: 0, duration: \"2f\", "
    let compositor = try validate(
      "asset: \"matte\"", effects: "\(range)compositor: \"builtin.layer\", mask: { asset: \"matte\" } }]")
    #expect(compositor.contains("\"compositor\" and \"mask\" exclude each other"), "\(compositor)")
    let effect = try validate(
      "asset: \"matte\"", effects: "\(range)use: \"color\", saturation: 0, mask: { asset: \"matte\", inverted: true } }]")
    #expect(effect.contains(": valid"), "\(effect)")
    let explained = try ToolRun.compositor(["explain", folder.appending(path: "mistake.json5").path]).output
    #expect(explained.contains("then builtin.color (saturation: 0) masked by the inverted luma of track"), "\(explained)")
    #expect(explained.contains("after builtin.color (brightness: 0.1) masked by the luma of track"), "\(explained)")
    #expect(explained.contains("a mask: nothing to convert"), "\(explained)")
  }

  // MARK: Tools

  @Test func inspect_andCheck_knowPluginsThatTakeMasks() throws {
    let plugin = try workshop.compile(PluginWorkshop.fixtures.appending(path: "masked.c"), name: "masked")
    let text = try ToolRun.compositor(["plugins", "inspect", plugin.path]).output
    #expect(text.contains("takes the output's format, and its mask; makes"), "\(text)")
    #expect(try ToolRun.compositor(["plugins", "inspect", plugin.path, "--json"]).output.contains(#/"takesMask" *: *true/#))
    let check = try ToolRun.compositor(["plugins", "check", plugin.path])
    #expect(check.status == 0 && check.output.contains(#/ok +mask/#), "\(check.output)")
    let careless = try workshop.compile(
      PluginWorkshop.fixtures.appending(path: "masked.c"), flags: ["-DCARELESS"], name: "careless")
    let found = try ToolRun.compositor(["plugins", "check", careless.path])
    #expect(found.status == 65 && found.output.contains(#/FAILED +mask +/#), "\(found.output)")
  }
}
