import CompositorTestSupport
import Foundation
import Testing

/// Values as people write them elsewhere: the advice says what they are here, and `--fix-unsafe` writes that.
@Suite struct ForeignValueTests {
  @Test(arguments: [
    ("video: { encoderSpeed: \"slowest\" }", "\"veryslow\""), ("video: { encoderSpeed: \"fastest\" }", "\"ultrafast\""),
    ("audio: { channels: \"5.1\" }", "channels: 6"), ("audio: { channels: \"Stereo\" }", "channels: 2"),
    ("audio: { channels: \"6\" }", "channels: 6"), ("rotation: \"90\"", "rotation: 90"),
  ])
  func value_ofTheOutput_isWrittenAsItIsHere(_ written: String, _ meant: String) throws {
    let scratch = try Scratch()
    let text = """
      { version: 1, output: { size: "64x36", frameRate: 25, \(written) }, assets: { b: { generate: "bars" } },
        tracks: [{ clips: [{ asset: "b", duration: "1s" }] }] }
      """
    let file = try scratch.file("p.json5", text)
    let result = try ToolRun.compositor(["validate", "p.json5", "--fix-unsafe"], in: scratch.folder)
    let fixed = try String(contentsOf: file, encoding: .utf8)
    #expect(result.status == 0 && fixed.contains(meant), "\(result.output) \(fixed)")
  }

  /// No meaning is written that the value has not.
  @Test(arguments: ["audio: { channels: \"many\" }", "audio: { channels: \"9\" }", "rotation: \"upright\""])
  func value_ofNoMeaning_isOnlyRefused(_ written: String) throws {
    let scratch = try Scratch()
    let text = """
      { version: 1, output: { size: "64x36", \(written) }, assets: { b: { generate: "bars" } },
        tracks: [{ clips: [{ asset: "b", duration: "1s" }] }] }
      """
    let file = try scratch.file("p.json5", text)
    let result = try ToolRun.compositor(["validate", "p.json5", "--fix-unsafe"], in: scratch.folder)
    #expect(result.status == 65 && result.output.contains("Expected an integer"), "\(result.output)")
    #expect(try String(contentsOf: file, encoding: .utf8) == text)
  }

  @Test(.enabled(if: hasFFmpeg)) func image_ofAnAsset_isItsFile() throws {
    let scratch = try Scratch()
    try runProgram(
      "ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "color=red:s=64x36", "-frames:v", "1", scratch.file("x.png").path])
    let file = try scratch.file(
      "p.json5",
      "{ version: 1, assets: { b: { image: \"x.png\" } }, tracks: [{ clips: [{ asset: \"b\", duration: \"1s\" }] }] }")
    let result = try ToolRun.compositor(["validate", "p.json5", "--fix-unsafe"], in: scratch.folder)
    #expect(result.status == 0, "\(result.output)")
    #expect(try String(contentsOf: file, encoding: .utf8).contains("{ file: \"x.png\" }"))
  }

  /// Instructions that take a time from a neighbor are sorted if it stays their neighbor.
  @Test(arguments: [
    ("{ at: '1s', duration: '2s', B }, { at: 0, duration: '1s', A }, { at: '3s', A }", true),
    ("{ at: '2s', duration: '1s', A }, { duration: '1s', B }, { at: 0, duration: '2s', A }", true),
    ("{ at: '2s', duration: '2s', A }, { at: 0, A }", false),
  ])
  func instructions_outOfOrder_areSorted(_ written: String, _ isSorted: Bool) throws {
    let scratch = try Scratch()
    var list = written
    for name in ["A", "B"] { list = list.replacing(", \(name) }", with: ", layers: [{ track: '\(name)' }] }") }
    let text = """
      { version: 1, output: { size: "64x36", frameRate: 25 }, assets: { b: { generate: "bars" } },
        tracks: [{ name: "A", clips: [{ asset: "b", duration: "4s" }] }, { name: "B", clips: [{ asset: "b", duration: "4s" }] }],
        instructions: [\(list)] }
      """
    let file = try scratch.file("p.json5", text)
    let result = try ToolRun.compositor(["validate", "p.json5", "--fix"], in: scratch.folder)
    #expect((result.status == 0) == isSorted, "\(result.output)")
    #expect((try String(contentsOf: file, encoding: .utf8) == text) != isSorted)
  }
}
