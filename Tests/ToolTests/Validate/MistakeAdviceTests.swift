import Foundation
import Testing

/// Mistakes are said at their place, with advice that works.
@Suite struct MistakeAdviceTests {
  struct Row: Sendable, CustomTestStringConvertible {
    /// Members of the clip, and of the project.
    var clip = "asset: 'a'"
    var output = ""
    var rest = ""
    /// The key path, and what is said.
    var path: String
    var says: [String]
    var testDescription: String { "\(clip) \(output) \(rest)" }
  }

  static let rows = [
    Row(
      clip: "asset: 'a', speed: [{ at: 0, value: 1 }, { at: '1s', value: 1.5 }], pitch: 'time-domain'",
      path: "tracks[0].clips[0].pitch", says: ["cannot follow a speed that changes"]),
    Row(
      output: "audioTracks: [{ tracks: ['A'] }, { tracks: ['B'] }]", rest: "", path: "output.audioTracks[1]",
      says: ["Audio track 1 of the output mixes tracks without audio"]),
    Row(
      clip: "asset: 'n'", path: "assets.n",
      says: ["Numbered images are written as { images: \"im_%04d.png\", frameRate: 25 }."]),
    Row(rest: "titles: [{ text: 'x', size: 400 }]", path: "titles[0].size", says: ["Write 1 to 180 pixels, or 0.1% to 100%."]),
    Row(
      rest: "captions: [{ file: 'c.srt', style: { marginX: '60%' } }]", path: "captions[0].style.marginX",
      says: ["outside 0% to 45% of the frame's width", "Write 0 to 144 pixels, or 0% to 45%."]),
    Row(
      rest: "titles: [{ layer: { bounds: [9, 9], content: { movie: { asset: 's' } } } }]", path: "titles[0].layer",
      says: ["s.wav: It has no video.", "Name media with video."]),
  ]

  @Test(arguments: rows) func mistake_isSaidAtItsPlace_withAdvice(_ row: Row) throws {
    let scratch = try Scratch()
    try scratch.make("s.wav", ["-f", "lavfi", "-i", "sine=440:d=1:r=48000"])
    try scratch.make("im_%04d.png", ["-f", "lavfi", "-i", "testsrc2=s=64x36:d=0.2:r=10"])
    _ = try scratch.file("c.srt", "1\n00:00:00,200 --> 00:00:01,000\nHello\n")
    _ = try scratch.file(
      "p.json5",
      """
      { version: 1, output: { size: "320x180", frameRate: 25\(row.output.isEmpty ? "" : ", " + row.output) },
        assets: { a: { generate: "bars", size: "320x180", tone: 440 }, b: { generate: "bars", size: "320x180" }, n: "im_%04d.png", s: "s.wav" },
        tracks: [{ name: "A", clips: [{ duration: "2s", \(row.clip) }] }, { name: "B", clips: [{ asset: "b", duration: "2s", opacity: 0.5 }] }]\(row.rest.isEmpty ? "" : ", " + row.rest) }
      """)
    let result = try ToolRun.compositor(["validate", "p.json5", "--json"], in: scratch.folder)
    let found = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: Any]])
    let own = found.filter { $0["path"] as? String == row.path }
    let text = own.map { "\($0["message"] ?? "") \($0["recoverySuggestion"] ?? "")" }.joined(separator: "\n")
    for says in row.says { #expect(text.contains(says), "\(result.output)") }
    #expect(own.allSatisfy { $0["line"] as? Int ?? 0 > 1 || row.path.hasPrefix("output") }, "\(result.output)")
  }

  /// The end of the last line of lyrics is no one's statement: the movie's end cuts nothing off. That of another file is.
  @Test(arguments: [
    ("l.lrc", "[00:00.50]First\n[00:01.00]Last\n", false),
    ("l.srt", "1\n00:00:01,000 --> 00:00:11,000\nLast\n", true), ("m.lrc", "[00:00.50]First\n[00:03.00]Late\n", true),
  ])
  func lastLine_ofLyrics_isNotCutOff(_ name: String, _ text: String, _ isWarned: Bool) throws {
    let scratch = try Scratch()
    _ = try scratch.file(name, text)
    _ = try scratch.file(
      "p.json5",
      """
      { version: 1, output: { size: "320x180", frameRate: 25 }, assets: { a: { generate: "clock", size: "320x180" } },
        tracks: [{ clips: [{ asset: "a", duration: "2s" }] }], captions: [{ file: "\(name)" }] }
      """)
    let result = try ToolRun.compositor(["validate", "p.json5"], in: scratch.folder)
    #expect(result.status == 0 && result.output.contains("captionNotSeen") == isWarned, "\(result.output)")
  }

  @Test(arguments: [("size: '40%'", "takes "), ("size: '12%'", nil), ("", nil)])
  func captions_largerThanTheCanvas_areSaidAtTheirStyle(_ style: String, _ says: String?) throws {
    let scratch = try Scratch()
    _ = try scratch.file("e.srt", "1\n00:00:00,000 --> 00:00:01,000\nHello there\n")
    _ = try scratch.file(
      "p.json5",
      """
      { version: 1, output: { size: "320x180", frameRate: 25 }, assets: { a: { generate: "clock", size: "320x180" } },
        tracks: [{ clips: [{ asset: "a", duration: "2s" }] }], captions: [{ file: "e.srt", style: { \(style) } }] }
      """)
    let result = try ToolRun.compositor(["validate", "p.json5"], in: scratch.folder)
    #expect(result.status == 0 && result.output.contains("captionNotSeen") == (says != nil), "\(result.output)")
    #expect(says.map(result.output.contains) ?? true, "\(result.output)")
  }

  /// Music of half the level beside loud speech: too much, unless speech lowers it.
  @Test(arguments: [
    ("", 1.0, true), ("duck: { tracks: ['music'], by: '20dB' },", 1, false),
    ("duck: { tracks: ['music'], by: '1dB' },", 1, true),
    // Where speech is quiet or over, music has its own level.
    ("duck: { tracks: ['music'], by: '20dB' },", 2, true),
  ])
  func duckedMusic_clipsOnlyByWhatIsLeftOfIt(_ duck: String, _ volume: Double, _ isWarned: Bool) throws {
    let scratch = try Scratch()
    _ = try scratch.file(
      "p.json5",
      """
      { version: 1, output: { size: "320x180", frameRate: 25, audio: { limiter: false } },
        assets: { a: { generate: "clock", size: "320x180", tone: 440 }, m: { generate: "bars", size: "320x180", tone: 220 } },
        tracks: [
          { name: "speech", \(duck) clips: [{ asset: "a", duration: "1s" }] },
          { name: "music", volume: \(volume), clips: [{ asset: "m", video: false, duration: "1s" }] },
        ] }
      """)
    let result = try ToolRun.compositor(["validate", "p.json5"], in: scratch.folder)
    #expect(result.status == 0 && result.output.contains("audioClipped") == isWarned, "\(result.output)")
  }
}
