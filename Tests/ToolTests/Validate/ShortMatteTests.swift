import Foundation
import Testing

/// A matte that begins later or ends earlier than the instruction that it masks is warned of: what it masks isn't shown there.
@Suite struct ShortMatteTests {
  @Test(arguments: [("0s", "2s", false), ("0s", "1s", true), ("0.6s", "1.4s", true)])
  func matte_withoutMedia_isWarnedOf(_ at: String, _ duration: String, _ isWarned: Bool) throws {
    let scratch = try Scratch()
    let project = try scratch.file(
      "p.json5",
      """
      { version: 1, output: { size: "64x36", frameRate: 25 },
        assets: { a: { generate: "color", color: "red", size: "64x36" }, b: { generate: "bars", size: "64x36" },
          m: { generate: "gradient", from: "white", to: "black", size: "64x36" } },
        tracks: [{ name: "back", clips: [{ asset: "b", duration: "2s" }] }, { name: "front", clips: [{ asset: "a", duration: "2s" }] },
          { name: "matte", clips: [{ asset: "m", at: "\(at)", duration: "\(duration)" }] }],
        instructions: [{ layers: [{ track: "front" }, { track: "back" }], tracks: ["matte"], compositor: "builtin.mask" }] }
      """)
    let result = try ToolRun.compositor(["validate", project.path, "--json"])
    let found = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: Any]])
    #expect(found.compactMap { $0["code"] as? String } == (isWarned ? ["trackWithoutMedia"] : []), "\(result.output)")
  }

  /// What is masked, or blended with another layer, and has no media for a part of the instruction: the message says what the instruction is.
  @Test(arguments: [
    (
      "compositor: 'builtin.mask', tracks: ['other'], layers: [{ track: 'front' }]", "masks tracks[0] \"front\"",
      "nothing to mask"
    ),
    (
      "compositor: 'builtin.blend', parameters: { mode: 'multiply' }, layers: [{ track: 'front' }, { track: 'other' }]",
      "blends two layers", "one of the two"
    ),
  ])
  func front_withoutMedia_isWarnedOf(_ instruction: String, _ does: String, _ outcome: String) throws {
    let scratch = try Scratch()
    let project = try scratch.file(
      "p.json5",
      """
      { version: 1, output: { size: "64x36", frameRate: 25 },
        assets: { a: { generate: "color", color: "red", size: "64x36" }, m: { generate: "gradient", from: "white", to: "black", size: "64x36" } },
        tracks: [{ name: "front", clips: [{ asset: "a", at: "1s", duration: "1s" }] }, { name: "other", clips: [{ asset: "m", duration: "2s" }] }],
        instructions: [{ \(instruction) }] }
      """)
    let result = try ToolRun.compositor(["validate", project.path, "--json"])
    let found = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: Any]])
    let message = found.first { $0["code"] as? String == "trackWithoutMedia" }?["message"] as? String ?? ""
    #expect(message.contains(does) && message.contains(outcome) && !message.contains("transition"), "\(result.output)")
  }
}
