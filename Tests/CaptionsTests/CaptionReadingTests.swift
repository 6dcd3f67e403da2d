import CompositorAPI
import CompositorCaptions
import CompositorTestSupport
import Foundation
import Testing

/// Captions as they are read from files and tracks.
struct CaptionReadingTests {
  static let folder = Result { try TemporaryFolder() }

  static func write(_ text: String, _ name: String, encoding: String.Encoding = .utf8) throws -> String {
    let path = try folder.get().file(name)
    let data = try #require(text.data(using: encoding))
    try data.write(to: URL(filePath: path))
    return path
  }

  static func range(_ start: Int64, _ end: Int64) -> TimeRange {
    TimeRange(start: MediaTime(value: start, timescale: 1000), end: MediaTime(value: end, timescale: 1000))
  }

  static let german = "1\n00:00:01,000 --> 00:00:02,500\nGrüße über Straßen\n\n2\n00:00:03,000 --> 00:00:04,000\nZwei\n"

  @Test(arguments: [
    ("utf8.srt", String.Encoding.utf8, "", false), ("bom.srt", .utf8, "\u{feff}", false),
    ("crlf.srt", .utf8, "", true), ("le.srt", .utf16LittleEndian, "\u{feff}", false),
    ("be.srt", .utf16BigEndian, "\u{feff}", true), ("unmarked-le.srt", .utf16LittleEndian, "", false),
    ("unmarked-be.srt", .utf16BigEndian, "", true),
  ])
  func file_inAnyUnicodeEncoding_readsTheSame(
    name: String, encoding: String.Encoding, mark: String, hasCarriageReturns: Bool
  ) throws {
    let text = mark + (hasCarriageReturns ? Self.german.replacing("\n", with: "\r\n") : Self.german)
    let track = try CaptionTrack(contentsOf: try Self.write(text, name, encoding: encoding))
    #expect(track.cues.map(\.text) == ["Grüße über Straßen", "Zwei"])
    #expect(track.cues.map(\.timeRange) == [Self.range(1000, 2500), Self.range(3000, 4000)])
  }

  @Test func file_inLatin1_isToldAndReadWithTheEncoding() throws {
    let path = try Self.write(Self.german, "latin1.srt", encoding: .isoLatin1)
    let error = #expect(throws: CompositorError.self) { try CaptionTrack(contentsOf: path) }
    #expect(error?.code == .unreadableMedia)
    #expect(error?.message.contains("line 3 is “Grüße über Straßen”") == true, "\(String(describing: error))")
    #expect(error?.recoverySuggestion?.contains("windows-1252") == true)
    var options = CaptionReadingOptions()
    options.encoding = "windows-1252"
    #expect(try CaptionTrack(contentsOf: path, options: options).cues.first?.text == "Grüße über Straßen")
    options.encoding = "no-such-encoding"
    let unknown = #expect(throws: CompositorError.self) { try CaptionTrack(contentsOf: path, options: options) }
    #expect(unknown?.code == .invalidValue)
  }

  @Test func srt_withTags_becomesSpans() throws {
    let text = """
      1
      00:00:01,000 --> 00:00:02,000
      {\\an8}Plain <b>bold <i>both</i></b>
      <font color="#ff8000">orange</font> <u>under</u>

      """
    let cue = try #require(try CaptionTrack(contentsOf: try Self.write(text, "tags.srt")).cues.first)
    #expect(cue.placement == CaptionPlacement(.top, .center))
    #expect(cue.text == "Plain bold both\norange under")
    func span(_ text: String) -> CaptionSpan? { cue.spans.first { $0.text.contains(text) } }
    #expect(span("bold")?.isBold == true && span("bold")?.isItalic == false)
    #expect(span("both")?.isBold == true && span("both")?.isItalic == true)
    #expect(span("orange")?.color == Color(red: 1, green: 128.0 / 255, blue: 0))
    #expect(span("under")?.isUnderlined == true)
    #expect(span("Plain")?.color == nil)
  }

  @Test(arguments: [
    ("line:0", CaptionPlacement(.top)),
    ("line:90%,end align:start position:10%", CaptionPlacement(.bottom, .left, x: 0.1, y: 0.9)),
    ("line:50%,center", CaptionPlacement(.middle, y: 0.5)), ("align:end", CaptionPlacement(.bottom, .right)),
    ("line:-1", CaptionPlacement(.bottom)), ("position:20%,line-left align:center", CaptionPlacement(.bottom, .left, x: 0.2)),
    ("size:50%", nil),
  ])
  func webVTT_withSettings_isPlaced(settings: String, placement: CaptionPlacement?) throws {
    let text = "WEBVTT\n\nname\n00:01.000 --> 00:02.000 \(settings)\n<v Ada>Hello &amp; <b>good</b> day</v>\n"
    let cue = try #require(
      try CaptionTrack(contentsOf: try Self.write(text, "settings\(settings.utf8.count).vtt")).cues.first)
    #expect(cue.placement == placement)
    #expect(cue.text == "Hello & good day")
    #expect(cue.spans.contains { $0.isBold && $0.text == "good" })
  }

  @Test func ass_ofStyles_hasTheirLookAndPlace() throws {
    let text = Self.script(
      styles: "Style: Sign,Arial,20,&H00FFFFFF,&H0,&H0,&H0,-1,0,0,0,100,100,0,0,1,2,0,9,10,10,10,1\n",
      events: """
        Dialogue: 0,0:00:01.00,0:00:02.00,Sign,,0,0,0,,Sign {\\i1}italic{\\r} {\\pos(192,72)}here\\Nnext \\{brace\\}
        Dialogue: 0,0:00:00.50,0:00:02.00,Default,,0,0,0,,{\\p1}m 0 0 l 10 10{\\p0}After, with commas
        """)
    let track = try CaptionTrack(contentsOf: try Self.write(text, "styles.ass"))
    #expect(track.script == text)
    #expect(track.cues.map(\.text) == ["After, with commas", "Sign italic here\nnext {brace}"])
    let sign = try #require(track.cues.last)
    #expect(sign.spans.count { !$0.isBold } == 0)
    #expect(sign.placement == CaptionPlacement(.top, .right, x: 0.5, y: 0.25))
    #expect(track.cues.first?.placement == nil)
  }

  static func script(styles: String = "", header: String = "", events: String) -> String {
    """
    [Script Info]
    ScriptType: v4.00+
    PlayResX: 384
    PlayResY: 288
    \(header)
    [V4+ Styles]
    Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, \
    ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
    Style: Default,DejaVu Sans,24,&H00FFFFFF,&H000000FF,&H00000000,&H00000000,0,0,0,0,100,100,0,0,1,2,0,2,10,10,10,1
    \(styles)
    [Events]
    Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
    \(events)

    """
  }

  @Test func cues_thatLastNoTimeOrLess_areLeftOut() throws {
    let text = """
      1
      00:00:02,000 --> 00:00:02,000
      nothing

      2
      00:00:04,000 --> 00:00:03,000
      backwards

      3
      00:00:01,000 --> 00:00:03,000
      first

      4
      00:00:01,500 --> 00:00:02,000
      inside

      """
    let track = try CaptionTrack(contentsOf: try Self.write(text, "odd.srt"))
    #expect(track.cues.map(\.text) == ["first", "inside"])
  }

  @Test func files_thatCannotBeRead_areRefused() throws {
    func code(_ path: String, track: Int = 0) -> CompositorError.Code? {
      var options = CaptionReadingOptions()
      options.track = track
      let error = #expect(throws: CompositorError.self) { try CaptionTrack(contentsOf: path, options: options) }
      #expect(error?.recoverySuggestion != nil && error?.location.file == path, "\(String(describing: error))")
      return error?.code
    }
    #expect(code(try Self.folder.get().file("none.srt")) == .fileNotFound)
    #expect(code(try Self.folder.get().path) == .sourceRefused)
    #expect(code(try Self.write("Dear diary,\nnothing happened.\n", "letter.srt")) == .unreadableMedia)
    #expect(code(try Self.write(Self.german, "one.srt"), track: 1) == .trackNotFound)
    let large = try Self.write(Self.german, "large.srt")
    let handle = try FileHandle(forWritingTo: URL(filePath: large))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data(repeating: 10, count: 4096))
    try handle.truncate(atOffset: (100 << 20) + 1)
    try handle.close()
    #expect(code(large) == .unreadableMedia)
    // Captions without any caption are a mistake: a movie without captions is made without their file.
    #expect(code(try Self.write("", "empty.srt")) == .unreadableMedia)
    #expect(code(try Self.write("WEBVTT\n\n", "empty.vtt")) == .unreadableMedia)
  }

  @Test(.enabled(if: hasFFmpeg)) func tracks_inMedia_readAsTheirFiles() throws {
    let folder = try TemporaryFolder()
    let srt = try Self.write(Self.german, "source.srt")
    let script = try Self.write(
      Self.script(events: "Dialogue: 0,0:00:01.00,0:00:02.50,Default,,0,0,0,,{\\pos(10,10)}Sign"), "source.ass")
    for (name, codecs) in [("a.mp4", ["mov_text", "mov_text"]), ("a.mkv", ["srt", "ass"]), ("b.mkv", ["webvtt", "ass"])] {
      try runTool(
        "ffmpeg",
        [
          "-v", "error", "-f", "lavfi", "-i", "testsrc=s=64x36:r=25:d=5", "-i", srt, "-i", script, "-map", "0", "-map", "1",
          "-map", "2", "-c:v", "mpeg4", "-c:s:0", codecs[0], "-c:s:1", codecs[1], "-metadata:s:s:0", "language=ger",
          "-metadata:s:s:0", "title=Deutsch", folder.file(name),
        ])
      var options = CaptionReadingOptions()
      let first = try CaptionTrack(contentsOf: folder.file(name), options: options)
      #expect(first.cues.map(\.text) == ["Grüße über Straßen", "Zwei"], "\(name)")
      #expect(first.cues.map(\.timeRange) == [Self.range(1000, 2500), Self.range(3000, 4000)], "\(name)")
      #expect(first.language == "de")
      #expect(first.script == nil)
      options.track = 1
      let second = try CaptionTrack(contentsOf: folder.file(name), options: options)
      #expect(second.cues.map(\.text) == ["Sign"])
      #expect((second.script != nil) == (codecs[1] == "ass"))
      options.track = 2
      let error = #expect(throws: CompositorError.self) {
        try CaptionTrack(contentsOf: folder.file(name), options: options)
      }
      #expect(error?.code == .trackNotFound)
    }
  }

  /// A file of Blu-ray subtitles: one screen that shows nothing.
  @Test(.enabled(if: hasFFmpeg)) func subtitles_thatArePictures_areRefusedByName() throws {
    let folder = try TemporaryFolder()
    var bytes: [UInt8] = []
    func segment(_ type: UInt8, _ payload: [UInt8]) {
      bytes +=
        [0x50, 0x47, 0, 1, 0x5f, 0x90, 0, 0, 0, 0, type, UInt8(payload.count >> 8), UInt8(payload.count & 255)] + payload
    }
    for _ in 0..<3 {
      segment(0x16, [7, 0x80, 4, 0x38, 0x10, 0, 0, 0x80, 0, 0, 0])
      segment(0x80, [])
    }
    try Data(bytes).write(to: URL(filePath: folder.file("a.sup")))
    try runTool(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc=s=64x36:r=25:d=2", "-f", "sup", "-i", folder.file("a.sup"), "-map", "0",
        "-map", "1", "-c:v", "mpeg4", "-c:s", "copy", folder.file("a.mkv"),
      ])
    let error = #expect(throws: CompositorError.self) { try CaptionTrack(contentsOf: folder.file("a.mkv")) }
    #expect(error?.code == .decoderNotFound)
    #expect(error?.message.contains("hdmv_pgs_subtitle") == true)
    #expect(error?.recoverySuggestion?.hasPrefix("Use a text track, or convert") == true)
    try Data("1\n00:00:00,000 --> 00:00:01,000\nHello\n".utf8).write(to: URL(filePath: folder.file("a.srt")))
    try runTool(
      "ffmpeg",
      ["-v", "error", "-i", folder.file("a.mkv"), "-i", folder.file("a.srt"), "-map", "0", "-map", "1", "-c:v", "copy"]
        + ["-c:s:0", "copy", "-c:s:1", "srt", folder.file("both.mkv")])
    let other = #expect(throws: CompositorError.self) { try CaptionTrack(contentsOf: folder.file("both.mkv")) }
    #expect(other?.recoverySuggestion?.hasPrefix("Choose track 1, which is text, or convert") == true)
  }
}
