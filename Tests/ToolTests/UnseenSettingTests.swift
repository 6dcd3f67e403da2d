import Foundation
import Testing

/// Settings that nothing uses are warned of at their key; the same settings where they count aren't.
@Suite struct UnseenSettingTests {
  struct Row: Sendable, CustomTestStringConvertible {
    /// Members of the clip, and of the project.
    var clip: String
    var rest = ""
    /// The key paths of the warnings, in order.
    var paths: [String]
    var testDescription: String { "\(clip) \(rest)" }
  }

  private static let clip = "tracks[1].clips[0]"
  private static let looks = [
    "fit: 'fill'", "opacity: 0.5", "transform: { x: 3 }", "crop: { x: 0, y: 0, width: 9, height: 9 }", "sampling: 'best'",
    "effects: [{ use: 'gaussian-blur', radius: 3 }]", "cornerRadius: 4", "borderWidth: 2", "shadowOpacity: 0.5",
  ]
  /// The second track alone, passed through, then as a layer.
  private static let passed = "instructions: [{ duration: '1s', passthrough: 'B' }, { layers: [{ track: 'B' }] }]"

  static let rows: [Row] =
    looks.map { look in
      Row(clip: "asset: 'a', video: false, \(look)", paths: ["\(clip).\(look.prefix { $0 != ":" })"])
    }
    + looks.map { look in Row(clip: "asset: 's', \(look)", paths: ["\(clip).\(look.prefix { $0 != ":" })"]) }
    + [
      Row(
        clip: "asset: 'a', opacity: 0.2, transform: { scale: 0.5 }", rest: passed,
        paths: ["\(clip).opacity", "\(clip).transform"]),
      Row(clip: "asset: 'a'", rest: passed, paths: []),
      Row(clip: "asset: 'a', video: false, volume: '-6dB', fadeIn: '1s'", paths: []),
      Row(clip: "asset: 's', fit: 'fit', opacity: 1", paths: []),
      Row(
        clip: "asset: 's'", rest: "captions: [{ file: 'c.srt', as: 'track', style: { color: 'red' } }]",
        paths: ["captions[0].style"]),
      Row(
        clip: "asset: 's'", rest: "captions: [{ file: 'c.srt', default: true, forced: true }]",
        paths: ["captions[0].default", "captions[0].forced"]),
      Row(
        clip: "asset: 's'", rest: "captions: [{ file: 'c.srt', as: 'both', default: true, style: { color: 'red' } }]",
        paths: []),
    ]

  @Test(arguments: rows) func setting_thatNothingUses_isWarnedOfAtItsKey(_ row: Row) throws {
    let scratch = try Scratch()
    try scratch.make("s.wav", ["-f", "lavfi", "-i", "sine=440:d=2:r=48000"])
    _ = try scratch.file("c.srt", "1\n00:00:00,200 --> 00:00:01,000\nHello\n")
    _ = try scratch.file(
      "p.json5",
      """
      { version: 1, output: { size: "64x36", frameRate: 25 }, assets: { a: { generate: "bars", size: "64x36", tone: 440 }, s: "s.wav" },
        tracks: [{ name: "A", clips: [{ asset: "a", duration: "2s", audio: false }] }, { name: "B", clips: [{ duration: "2s", \(row.clip) }] }],
        \(row.rest) }
      """)
    let result = try ToolRun.compositor(["validate", "p.json5", "--json"], in: scratch.folder)
    let found = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: Any]])
    let unchanging = found.filter { $0["code"] as? String == "effectUnchanging" }
    #expect(unchanging.map { $0["path"] as? String } == row.paths, "\(result.output)")
    #expect(unchanging.allSatisfy { $0["severity"] as? String == "warning" && $0["recoverySuggestion"] != nil })
    #expect(result.status == 0, "\(result.output)\(result.errors)")
  }
}
