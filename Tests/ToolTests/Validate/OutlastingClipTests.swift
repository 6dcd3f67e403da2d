import Foundation
import Testing

/// A small clip that is left on black at the end, because the one beneath it ends earlier, is warned of; what is meant so isn't.
@Suite struct OutlastingClipTests {
  private static let small = "transform: { x: '80%', y: '80%', scale: 0.3 }"
  private static func over(_ clip: String, base: String = "asset: 'bars', duration: '1s'") -> String {
    "tracks: [{ clips: [{ \(base) }] }, { clips: [{ \(clip) }] }]"
  }

  static let left = [
    over("asset: 'red', duration: '4s', \(small)"), over("asset: 'red', at: '0.5s', duration: '3s', \(small)"),
    over("asset: 'red', duration: '2s', \(small)"),
    over("asset: 'red', duration: '3s', opacity: 0.5, cornerRadius: 20, \(small)"),
    over("asset: 'red', duration: '3s', crop: { x: 0, y: 0, width: 100, height: 180 }"),
    over(
      "asset: 'red', duration: '3s', \(small)",
      base: "asset: 'bars', duration: '1s', transform: [{ at: 0, scale: 1 }, { at: '1s', scale: 1.2 }]"),
    over(
      "asset: 'red', duration: '3s', \(small)",
      base: "asset: 'bars', duration: '1s', effects: [{ use: 'gaussian-blur', radius: 3 }]"),
    "tracks: [{ clips: [{ asset: 'bars', duration: '1s' }] }, { clips: [{ asset: 'red', duration: '3s', \(small) }] }, { clips: [{ asset: 'clock', duration: '3s', transform: { x: '20%', scale: 0.3 } }] }]",
  ]

  static let meant = [
    // For a moment, until the end of the clip, or on a background.
    over("asset: 'red', duration: '1.9s', \(small)"), over("asset: 'red', duration: '1s', \(small)"),
    over("asset: 'red', duration: '0.5s', \(small)"), over("asset: 'red', duration: 'fill', \(small)"),
    over("asset: 'red', duration: '3s', \(small)").replacing("tracks:", with: "BACKGROUND tracks:"),
    // Larger, moving, or after the clip rather than over it.
    over("asset: 'red', duration: '3s'"), over("asset: 'red', duration: '3s', transform: { scale: 0.8 }"),
    over("asset: 'red', duration: '3s', transform: [{ at: 0, scale: 0.3 }, { at: '3s', scale: 1 }]"),
    over("asset: 'red', at: '1s', duration: '3s', \(small)"),
    // Beside a small clip, under a title, and as a title.
    over("asset: 'red', duration: '3s', \(small)", base: "asset: 'bars', duration: '1s', transform: { x: '20%', scale: 0.3 }"),
    over("asset: 'red', duration: '3s', \(small)") + ", titles: [{ text: 'The end' }]",
    over("asset: 'end', duration: '3s', fit: 'none', \(small)"),
    // Instructions say what is shown.
    "tracks: [{ name: 'A', clips: [{ asset: 'bars', duration: '1s' }] }, { name: 'B', clips: [{ asset: 'red', duration: '3s', \(small) }] }], instructions: [{ duration: '1s', layers: [{ track: 'B' }, { track: 'A' }] }, { layers: [{ track: 'B' }] }]",
  ]

  private func found(_ body: String) throws -> [[String: Any]] {
    let scratch = try Scratch()
    let background = body.contains("BACKGROUND") ? ", background: 'black'" : ""
    _ = try scratch.file(
      "p.json5",
      """
      { version: 1, output: { size: "320x180", frameRate: 25\(background) },
        assets: { bars: { generate: "bars", size: "320x180" }, red: { generate: "color", color: "red", size: "320x180" },
          clock: { generate: "clock", size: "320x180" }, end: { titles: [{ text: "The end", fade: "0s" }], size: "160x90" } },
        \(body.replacing("BACKGROUND ", with: "")) }
      """)
    let result = try ToolRun.compositor(["validate", "p.json5", "--json"], in: scratch.folder)
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    let found = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: Any]])
    return found.filter { $0["code"] as? String == "nothingShown" }
  }

  @Test(arguments: left) func smallClip_thatIsLeftOnBlack_isWarnedOf(_ body: String) throws {
    let found = try found(body)
    #expect(found.map { $0["path"] as? String } == ["tracks[0].clips[0]"], "\(found)")
    #expect(found.first?["severity"] as? String == "warning" && found.first?["recoverySuggestion"] != nil)
    #expect((found.first?["message"] as? String)?.hasPrefix("From 1 s to ") == true, "\(found)")
  }

  @Test(arguments: meant) func smallClip_thatIsMeantSo_isNot(_ body: String) throws {
    #expect(try found(body).isEmpty)
  }
}
