import CompositorTestSupport
import Foundation
import Testing

/// Music that is to fill the movie, and ends before it, is warned of at its duration.
@Suite struct FilledMusicTests {
  @Test(arguments: [
    ("{ clips: [{ asset: 's', duration: 'fill' }] }", "", true),
    ("{ clips: [{ asset: 's', duration: 'fill', loop: 2 }] }", "", true),
    ("{ clips: [{ asset: 's', at: '1s', duration: 'fill' }] }", "", true),
    ("{ clips: [{ asset: 's', in: '1.5s', duration: 'fill' }] }", "", true),
    ("{ clips: [{ asset: 's', duration: 'fill', speed: 0.5 }] }", "", true),
    // To the end, or nearly.
    ("{ clips: [{ asset: 's', duration: 'fill', loop: true }] }", "", false),
    ("{ clips: [{ asset: 's', duration: 'fill', loop: 3 }] }", "", false),
    ("{ clips: [{ asset: 's', at: '3.5s', duration: 'fill' }] }", "", false),
    // For as long as it says, muted, or in one of several languages.
    ("{ clips: [{ asset: 's' }] }", "", false), ("{ clips: [{ asset: 's', duration: '1s' }] }", "", false),
    ("{ clips: [{ asset: 's', duration: 'fill', mute: true }] }", "", false),
    ("{ mute: true, clips: [{ asset: 's', duration: 'fill' }] }", "", false),
    ("{ name: 'S', clips: [{ asset: 's', duration: 'fill' }] }", "audioTracks: [{ tracks: ['S'] }]", false),
    // Generated tones have no end.
    ("{ clips: [{ asset: 'a', video: false, duration: 'fill' }] }", "", false),
  ])
  func music_thatEndsBeforeTheMovie_isWarnedOf(_ track: String, _ output: String, _ isWarned: Bool) throws {
    let scratch = try Scratch()
    try scratch.make("s.wav", ["-f", "lavfi", "-i", "sine=440:d=2:r=48000"])
    _ = try scratch.file(
      "p.json5",
      """
      { version: 1, output: { size: "64x36", frameRate: 25, \(output) },
        assets: { a: { generate: "bars", size: "64x36", tone: 440 }, s: "s.wav" },
        tracks: [{ clips: [{ asset: "a", duration: "6s", audio: false }] }, \(track)] }
      """)
    let result = try ToolRun.compositor(["validate", "p.json5", "--json"], in: scratch.folder)
    let found = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: Any]])
    let uneven = found.filter { $0["code"] as? String == "unevenEnds" }
    #expect(uneven.map { $0["path"] as? String } == (isWarned ? ["tracks[1].clips[0].duration"] : []), "\(result.output)")
    #expect(uneven.allSatisfy { $0["severity"] as? String == "warning" && $0["recoverySuggestion"] != nil })
  }

  /// A picture over others that is to fill the movie, and isn't there when it has ended.
  @Test(arguments: [
    ("{ clips: [{ asset: 'v', duration: 'fill', audio: false }] }", true),
    ("{ clips: [{ asset: 'v', duration: 'fill', audio: false, fit: 'none', loop: 2 }] }", true),
    ("{ clips: [{ asset: 'v', duration: 'fill', audio: false, loop: true }] }", false),
    ("{ clips: [{ asset: 'v', duration: 'fill', audio: false, hold: true }] }", false),
    ("{ clips: [{ asset: 'v', duration: '1s', audio: false }] }", false),
    ("{ clips: [{ asset: 'a', duration: 'fill', audio: false }] }", false),
  ])
  func picture_thatEndsBeforeTheMovie_isWarnedOf(_ track: String, _ isWarned: Bool) throws {
    let scratch = try Scratch()
    try scratch.make("v.mp4", ["-f", "lavfi", "-i", "testsrc2=d=2:s=32x18:r=25", "-pix_fmt", "yuv420p"])
    _ = try scratch.file(
      "p.json5",
      """
      { version: 1, output: { size: "64x36", frameRate: 25 }, assets: { a: { generate: "bars", size: "64x36" }, v: "v.mp4" },
        tracks: [{ clips: [{ asset: "a", duration: "6s" }] }, \(track)] }
      """)
    let result = try ToolRun.compositor(["validate", "p.json5", "--json"], in: scratch.folder)
    let found = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: Any]])
    let uneven = found.filter { $0["code"] as? String == "unevenEnds" }
    #expect(uneven.map { $0["path"] as? String } == (isWarned ? ["tracks[1].clips[0].duration"] : []), "\(result.output)")
  }
}
