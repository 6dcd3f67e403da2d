import CompositorTestSupport
import Foundation
import Testing

/// A mask that is the alpha of media without alpha is warned of, and no other one.
@Suite(.enabled(if: hasFFmpeg, "ffmpeg is not installed")) struct AlphaMaskTests {
  private static func messages(_ tracks: String, _ more: String = "") throws -> [String] {
    let scratch = try Scratch()
    try scratch.make("gray.png", ["-f", "lavfi", "-i", "color=gray:s=64x36", "-frames:v", "1", "-pix_fmt", "gray"])
    try scratch.make("clear.png", ["-f", "lavfi", "-i", "color=red@0.5:s=64x36,format=rgba", "-frames:v", "1"])
    let project = try scratch.file(
      "p.json5",
      """
      { version: 1, output: { size: "64x36", frameRate: 25 },
        assets: { a: { generate: "clock", size: "64x36" }, b: { generate: "bars", size: "64x36" }, gray: "gray.png", clear: "clear.png" },
        tracks: [\(tracks)] \(more) }
      """)
    let result = try ToolRun.compositor(["validate", project.path, "--json"])
    let found = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: Any]])
    return found.filter { $0["code"] as? String == "effectUnchanging" }.compactMap { $0["message"] as? String }
  }

  @Test(arguments: [
    ("asset: 'gray', channel: 'alpha'", "is shown everywhere"),
    ("asset: 'gray', channel: 'alpha', inverted: true", "is shown nowhere"),
    ("asset: 'gray'", nil), ("asset: 'clear', channel: 'alpha'", nil),
  ])
  func maskOfAnEffect(_ mask: String, _ words: String?) throws {
    // A clip above divides the clip with the effect, which is reported once.
    let found = try Self.messages(
      """
      { clips: [{ asset: 'a', duration: '2s', effects: [{ use: 'gaussian-blur', mask: { \(mask) } }] }] },
      { clips: [{ asset: 'b', at: '0.5s', duration: '1s', opacity: 0.5 }] }
      """)
    #expect(found.count == (words == nil ? 0 : 1), "\(found)")
    if let words { #expect(found.first?.contains(words) == true && found.first?.contains("gray.png") == true, "\(found)") }
  }

  /// A matte that is smaller than the canvas cuts out a rectangle.
  @Test(arguments: [
    ("asset: 'gray'", "channel: 'alpha'", "shows all of"),
    ("asset: 'gray'", "channel: 'alpha', inverted: true", "shows nothing of"),
    ("asset: 'gray'", "channel: 'luma'", nil), ("asset: 'clear'", "channel: 'alpha'", nil),
    ("asset: 'gray', transform: { scale: 0.5 }", "channel: 'alpha'", nil),
  ])
  func matteOfAnInstruction(_ matte: String, _ parameters: String, _ words: String?) throws {
    let found = try Self.messages(
      """
      { name: 'back', clips: [{ asset: 'a', duration: '2s' }] }, { name: 'front', clips: [{ asset: 'b', duration: '2s' }] },
      { name: 'matte', clips: [{ \(matte), duration: '2s' }] }
      """,
      """
      , instructions: [{ layers: [{ track: 'front' }, { track: 'back' }], compositor: 'builtin.mask', tracks: ['matte'],
        parameters: { \(parameters) } }]
      """)
    #expect(found.count == (words == nil ? 0 : 1), "\(found)")
    if let words { #expect(found.first?.contains(words) == true && found.first?.contains("gray.png") == true, "\(found)") }
  }
}
