import CompositorTestSupport
import Foundation
import Testing

/// Advice with a value to write is a fix that writes it.
@Suite struct WrittenFixTests {
  /// A part of a project, the advice on it, the value that the fix writes, and the part after the fix.
  struct Row: Sendable {
    var output = ""
    var clip = ""
    var rest = ""
    let advice: String
    let value: String
    let mended: String
  }

  private static let hidden = "position: [\"50%\", \"50%\"], content: { text: { string: \"Hi\""

  static let rows = [
    Row(
      output: "frameRate: \"29,97\"", advice: "Write 29.97.", value: "29.97", mended: "frameRate: 29.97"),
    Row(
      output: "cover: { file: \"c.png\" }", advice: "Write \"c.png\".", value: "\"c.png\"", mended: "cover: \"c.png\""),
    Row(
      output: "size: \"321x181\", video: { codec: \"hevc\" }",
      advice: "Use an even size such as 322x182, 4:4:4 frames, or FFV1.", value: "\"322x182\"", mended: "size: \"322x182\""),
    Row(clip: "volume: -6", advice: "Write \"-6dB\" for decibels.", value: "\"-6dB\"", mended: "volume: \"-6dB\""),
    Row(clip: "at: '1,5s'", advice: "Write \"1.5s\".", value: "\"1.5s\"", mended: "at: '1.5s'"),
    Row(clip: "at: \"2\"", advice: "Write \"2s\" for seconds.", value: "\"2s\"", mended: "at: \"2s\""),
    Row(clip: "videoTrack: 3", advice: "Use track 0.", value: "0", mended: "videoTrack: 0"),
    Row(
      clip: "effects: ['gaussian-blur']", advice: "Write { use: \"gaussian-blur\" }.", value: "{ use: \"gaussian-blur\" }",
      mended: "effects: [{ use: \"gaussian-blur\" }]"),
    Row(
      clip: "duration: \"2s\" }, { asset: \"a\", at: \"9s\", transition: { duration: \"1s\" }", advice: "Write at: \"auto\".",
      value: "at: \"auto\"", mended: "at: \"auto\""),
    Row(
      rest: "titles: [{ start: \"1s\", duration: \"1s\", layer: { \(hidden), reveal: 0 } } } }]",
      advice: "Write reveal: 1, or animate text.reveal.", value: "reveal: 1", mended: "reveal: 1 }"),
    Row(
      rest: "titles: [{ start: \"2s\", duration: \"1s\", "
        + "layer: { sublayers: [{ timing: { beginTime: \"2.5s\" }, \(hidden) } } }] } }]",
      advice: "Write beginTime: \"0.5s\".", value: "beginTime: \"0.5s\"", mended: "beginTime: \"0.5s\""),
  ]

  @Test(arguments: rows.indices) func fix_writesTheValueOfTheAdvice(_ index: Int) throws {
    let row = Self.rows[index]
    let clip = row.clip.contains("duration") ? row.clip + ", duration: \"2s\"" : row.clip + ", duration: \"4s\""
    let text = """
      { version: 1, output: { \(row.output) }, assets: { a: { generate: "bars" } },
        tracks: [{ clips: [{ asset: "a", \(row.clip.isEmpty ? "duration: \"4s\"" : clip) }] }],
        \(row.rest) }
      """
    try check(text, advice: row.advice, value: row.value, mended: row.mended)
  }

  @Test func fix_ofTheVersion() throws {
    let rest = "assets: { a: { generate: \"bars\" } }, tracks: [{ clips: [{ asset: \"a\", duration: \"1s\" }] }] }"
    for written in ["version: 2, ", ""] {
      try check("{ \(written)\(rest)", advice: "Write version: 1.", value: "version: 1", mended: "{ version: 1, assets")
    }
  }

  @Test func fix_ofATitleOfAnAsset_writesItsStart() throws {
    try check(
      """
      { version: 1, assets: { a: { generate: "bars" }, t: { titles: [{ text: "Hi", start: "4s", duration: "1s" }] } },
        tracks: [{ clips: [{ asset: "a", duration: "4s" }, { asset: "t", duration: "2s" }] }] }
      """, advice: "Write start: \"0s\".", value: "start: \"0s\"", mended: "start: \"0s\"")
  }

  private func check(_ text: String, advice: String, value: String, mended: String) throws {
    let scratch = try Scratch()
    _ = try scratch.file("p.json5", text)
    let result = try ToolRun.compositor(["validate", "p.json5"], in: scratch.folder)
    #expect(result.output.contains("help: \(advice)\n"), "\(result.output)")
    #expect(result.output.contains("fix: Write \(value) ("), "\(result.output)")
    _ = try ToolRun.compositor(["validate", "p.json5", "--fix-unsafe"], in: scratch.folder)
    let after = try String(contentsOf: scratch.file("p.json5"), encoding: .utf8)
    #expect(after.contains(mended), "\(after)")
  }
}
