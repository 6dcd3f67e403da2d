import CompositorAPI
import CompositorCaptions
import CompositorExport
import CompositorHost
import CompositorMediaWriting
import CompositorTestSupport
import Foundation
import Testing

/// Every caption format with every block of its specification, and what people make of it: all cues, in every way of delivery.
struct CaptionFormatTableTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let text: String
    /// The cues by hand: start and end in milliseconds, and text. Names of speakers are part of it.
    let cues: [Cue]
    /// Cues that cannot be shown.
    var omitted = 0
    /// Whether ffmpeg finds the same number.
    var ffmpegAgrees = true
    var testDescription: String { name }

    struct Cue: Equatable, Sendable, ExpressibleByArrayLiteral {
      let start, end: Int64
      let text: String
      init(arrayLiteral parts: String...) { (start, end, text) = (Int64(parts[0]) ?? 0, Int64(parts[1]) ?? 0, parts[2]) }
      init(_ start: Int64, _ end: Int64, _ text: String) { (self.start, self.end, self.text) = (start, end, text) }
    }
  }

  private static let two: [Case.Cue] = [["1000", "2000", "first"], ["2500", "3500", "second"]]

  static let webVTT: [Case] = [
    Case(name: "plain.vtt", text: "WEBVTT\n\n00:01.000 --> 00:02.000\nfirst\n\n00:00:02.500 --> 00:00:03.500\nsecond\n", cues: two),
    Case(
      name: "style.vtt",
      text: """
        WEBVTT - with a title

        STYLE
        ::cue { color: lime; }
        ::cue(b) { background: url("x-->y"); }

        NOTE a comment
        in two lines

        REGION
        id:r1
        width:40%
        lines:3
        regionanchor:0%,100%
        viewportanchor:10%,90%
        scroll:up

        STYLE

        ::cue(#one) { font-size: 2em }

        one
        00:00:01.000 --> 00:00:02.000 region:r1 align:left
        first

        NOTE

        00:00:02.500 --> 00:00:03.500 line:0 position:20%,line-left size:60% vertical:lr
        second

        """, cues: two, ffmpegAgrees: false),
    Case(name: "header.vtt", text: "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:900000\nKind: captions\n\n00:01.000 --> 00:02.000\nfirst\n\n00:02.500 --> 00:03.500\nsecond", cues: two),
    Case(name: "no-blank.vtt", text: "WEBVTT\n00:01.000 --> 00:02.000\nfirst\n\n00:02.500 --> 00:03.500\nsecond\n", cues: two, ffmpegAgrees: false),
    Case(name: "title-no-blank.vtt", text: "WEBVTT A file\n00:01.000 --> 00:02.000\nfirst\n\n00:02.500 --> 00:03.500\nsecond\n", cues: two, ffmpegAgrees: false),
    Case(name: "crlf.vtt", text: "\u{feff}WEBVTT\r\n\r\n1\r\n00:01.000 --> 00:02.000\r\nfirst\r\n\r\n2\r\n00:02.500 --> 00:03.500\r\nsecond\r\n", cues: two),
    Case(name: "cr.vtt", text: "WEBVTT\r\r00:01.000 --> 00:02.000\rfirst\r\r00:02.500 --> 00:03.500\rsecond\r", cues: two, ffmpegAgrees: false),
    Case(name: "tabs.vtt", text: "WEBVTT\tnotes\n\n00:01.000\t-->\t00:02.000\talign:start\nfirst\n\n00:02.500-->00:03.500\nsecond\n", cues: two, ffmpegAgrees: false),
    Case(name: "run-together.vtt", text: "WEBVTT\n\n00:01.000 --> 00:02.000\nfirst\n00:02.500 --> 00:03.500\nsecond\n", cues: two, ffmpegAgrees: false),
    Case(name: "blank-lines.vtt", text: "WEBVTT\n\n\n\n00:01.000 --> 00:02.000\nfirst\n\n\n\n00:02.500 --> 00:03.500\nsecond\n\n\n", cues: two),
    Case(
      name: "tags.vtt",
      text: "WEBVTT\n\n00:01.000 --> 00:02.000\n<b>a <i>b <u>c</u></i></b> <c.yellow.bg_blue>d</c> <lang en-GB>e</lang> <ruby>f<rt>g</rt></ruby>\n<00:01.500>h &amp; &lt;i&gt; &nbsp;j&#39;s &unknown; k\n",
      cues: [["1000", "2000", "a b c d e fg\nh & <i> \u{a0}j's &unknown; k"]]),
    Case(
      name: "voices.vtt",
      text: "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ada Lovelace>Hello\n<v.loud Bob &amp; Co>Hi</v> there\n\n00:02.500 --> 00:03.500\n<v Ada>One <b>two</b></v>\n",
      cues: [["1000", "2000", "Ada Lovelace: Hello\nBob & Co: Hi there"], ["2500", "3500", "Ada: One two"]]),
    Case(
      name: "overlap.vtt", text: "WEBVTT\n\n00:01.000 --> 00:04.000\nlong\n\n00:01.000 --> 00:02.000\nsame\n\n00:01.500 --> 00:03.000\nlater\n",
      cues: [["1000", "4000", "long"], ["1000", "2000", "same"], ["1500", "3000", "later"]]),
    Case(
      name: "identifiers.vtt", text: "WEBVTT\n\n42\n00:01.000 --> 00:02.000\nfirst\n\nNOTE not an id\n\nan id with spaces\n00:02.500 --> 00:03.500\nsecond\n", cues: two),
    Case(
      name: "odd.vtt",
      text: "WEBVTT\n\n00:02.000 --> 00:02.000\nnothing\n\n00:03.000 --> 00:01.000\nbackwards\n\n00:xx.000 --> 00:02.000\nunreadable\n\n1:00:01,000 --> 1:00:02\nlate\n\n00:05.000 --> 00:06.000\n\n",
      cues: [["3601000", "3602000", "late"]], omitted: 4, ffmpegAgrees: false),
    Case(
      name: "long-times.vtt", text: "WEBVTT\n\n100:00:01.000 --> 100:00:02.000\nfirst\n", cues: [["360001000", "360002000", "first"]], ffmpegAgrees: false),
    Case(name: "no-cue-text-end.vtt", text: "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ada\n\n00:02.500 --> 00:03.500\na < b <b>c", cues: [["2500", "3500", "a c"]], omitted: 1, ffmpegAgrees: false),
    Case(
      name: "segments.vtt", text: "WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000\n\n00:01.000 --> 00:02.000\nfirst\n\nWEBVTT\nX-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000\n\n00:02.500 --> 00:03.500\nsecond\n", cues: two),
  ]

  static let subRip: [Case] = [
    Case(name: "plain.srt", text: "1\n00:00:01,000 --> 00:00:02,000\nfirst\n\n2\n00:00:02,500 --> 00:00:03,500\nsecond\n", cues: two),
    Case(name: "no-blank.srt", text: "1\n00:00:01,000 --> 00:00:02,000\nfirst\n2\n00:00:02,500 --> 00:00:03,500\nsecond", cues: two),
    Case(name: "no-index.srt", text: "00:00:01,000 --> 00:00:02,000\nfirst\n\n00:00:02,500 --> 00:00:03,500\nsecond\n", cues: two),
    Case(name: "points.srt", text: "1\n00:00:01.000 --> 00:00:02.000\nfirst\n\n2\n00:00:02.5 --> 00:00:03.50\nsecond\n", cues: two),
    Case(name: "spaces.srt", text: "\n\n 1 \n 00:00:01,000  -->  00:00:02,000 \nfirst\n\n\n2\n00:00: 02,500-->00:00:03, 500\nsecond\n\n", cues: two, ffmpegAgrees: false),
    Case(name: "no-hours.srt", text: "1\n00:01,000 --> 00:02,000\nfirst\n\n2\n0:02,500 -> 0:03,500\nsecond\n", cues: two, ffmpegAgrees: false),
    Case(name: "no-fraction.srt", text: "1\n00:00:01 --> 00:00:02\nfirst\n\n2\n00:00:02:500 --> 00:00:03:500\nsecond\n", cues: two, ffmpegAgrees: false),
    Case(name: "crlf.srt", text: "\u{feff}1\r\n00:00:01,000 --> 00:00:02,000\r\nfirst\r\n\r\n2\r\n00:00:02,500 --> 00:00:03,500\r\nsecond\r\n", cues: two),
    Case(name: "cr.srt", text: "1\r00:00:01,000 --> 00:00:02,000\rfirst\r\r2\r00:00:02,500 --> 00:00:03,500\rsecond\r", cues: two, ffmpegAgrees: false),
    Case(
      name: "negative.srt", text: "1\n-00:00:01,000 --> 00:00:02,000\nfirst\n\n2\n00:00:02,500 --> 00:00:03,500\nsecond\n",
      cues: [["-1000", "2000", "first"], ["2500", "3500", "second"]], ffmpegAgrees: false),
    Case(
      name: "coordinates.srt", text: "1\n00:00:01,000 --> 00:00:02,000 X1:201 X2:516 Y1:397 Y2:423\nfirst\n\n2\n00:00:02,500 --> 00:00:03,500  X1:100 Y1:100\nsecond\n", cues: two),
    Case(
      name: "tags.srt",
      text: "1\n00:00:01,000 --> 00:00:02,000\n{\\an8}<b>a <i>b</b></i> <FONT COLOR=red size=\"3\">c</font> &amp; &lt;d&gt; &#233; AT&T x<3 {laughs} {y:i}e<br>f\n",
      cues: [["1000", "2000", "a b c & <d> é AT&T x<3 {laughs} e\nf"]]),
    Case(
      name: "inner-blank.srt", text: "1\n00:00:01,000 --> 00:00:02,000\nfirst\n\nof two\n\n2\n00:00:02,500 --> 00:00:03,500\n2012\n\n3\n00:00:04,000 --> 00:00:05,000\nwas a year\n",
      cues: [["1000", "2000", "first\nof two"], ["2500", "3500", "2012"], ["4000", "5000", "was a year"]]),
    Case(
      name: "unordered.srt", text: "2\n00:00:02,500 --> 00:00:03,500\nsecond\n\n1\n00:00:01,000 --> 00:00:02,000\nfirst\n", cues: two),
    Case(
      name: "odd.srt",
      text: "1\n00:00:02,000 --> 00:00:02,000\nnothing\n\n2\n00:00:03,000 --> 00:00:01,000\nbackwards\n\n3\n00:00:0x,000 --> 00:00:02,000\nunreadable\n\n4\n00:00:01,000 --> 00:00:02,000\n\n5\n00:00:02,500 --> 00:00:03,500\nsecond\n",
      cues: [["2500", "3500", "second"]], omitted: 4, ffmpegAgrees: false),
    Case(
      name: "millions.srt", text: "1000000\n00:00:01,000 --> 00:00:02,000\nfirst\n\n1000001\n00:00:02,500 --> 00:00:03,500\nsecond\n", cues: two),
    Case(
      name: "arrow-in-text.srt", text: "1\n00:00:01,000 --> 00:00:02,000\na --> b\n\n2\n00:00:02,500 --> 00:00:03,500\nsecond\n",
      cues: [["1000", "2000", "a --> b"], ["2500", "3500", "second"]]),
  ]

  private static func script(_ events: String, format: String = "") -> String { CaptionReadingTests.script(events: format + events) }

  static let others: [Case] = [
    Case(
      name: "events.ass",
      text: script(
        """
        Comment: 0,0:00:00.00,0:00:09.00,Default,,0,0,0,,not shown
        Dialogue: 0,0:00:01.00,0:00:02.00,Default,Ada,0,0,0,,{\\i1}fir{\\i0}st
        Dialogue: 1,0:00:02.50,0:00:03.50,*Default,,0,0,0,Banner;5,sec{\\k20}ond
        """), cues: two),
    Case(
      name: "no-info.ass",
      text: "[V4+ Styles]\nFormat: Name, Fontname, Fontsize\nStyle: Default,DejaVu Sans,20\n\n[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\nDialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,first\nDialogue: 0,0:00:02.50,0:00:03.50,Default,,0,0,0,,second\n",
      cues: two, ffmpegAgrees: false),
    Case(
      name: "old.ssa",
      text: "[Script Info]\nScriptType: v4.00\nPlayResY: 288\n\n[V4 Styles]\nFormat: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, TertiaryColour, BackColour, Bold, Italic, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, AlphaLevel, Encoding\nStyle: Default,DejaVu Sans,20,65535,65535,65535,-2147483640,-1,0,1,3,0,2,30,30,30,0,0\n\n[Events]\nFormat: Marked, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\nDialogue: Marked=0,0:00:01.00,0:00:02.00,Default,NTP,0000,0000,0000,,first\nDialogue: Marked=0,0:00:02.50,0:00:03.50,Default,NTP,0000,0000,0000,,second\n",
      cues: two),
    Case(name: "youtube.sbv", text: "0:00:01.000,0:00:02.000\nfirst\n\n0:00:02.500,0:00:03.500\nsecond\n", cues: two, ffmpegAgrees: false),
    Case(
      name: "song.lrc", text: "[ar:Somebody]\n[ti:A song]\n[offset:0]\n[00:01.00]fi<00:01.50>rst\n[00:02.00]\n[00:02.50]second\n[00:03.5]\n", cues: two,
      ffmpegAgrees: false),
    Case(
      name: "chorus.lrc", text: "[00:01.00][00:05.00]again\n[00:02.00]\n[00:06.00]\n",
      cues: [["1000", "2000", "again"], ["5000", "6000", "again"]], ffmpegAgrees: false),
    Case(
      name: "viewer.sub", text: "[INFORMATION]\n[TITLE]x\n[END INFORMATION]\n[SUBTITLE]\n00:00:01.00,00:00:02.00\nfirst\n\n00:00:02.50,00:00:03.50\nsecond\n\n",
      cues: two, ffmpegAgrees: false),
    Case(
      name: "page.smi",
      text: "<SAMI>\n<BODY>\n<SYNC Start=1000><P Class=ENCC>first\n<SYNC Start=2000><P Class=ENCC>&nbsp;\n<SYNC Start=2500><P Class=ENCC>second\n<SYNC Start=3500><P Class=ENCC>&nbsp;\n</BODY>\n</SAMI>\n",
      cues: two, ffmpegAgrees: false),
  ]

  static let all = webVTT + subRip + others

  private static func cues(_ track: CaptionTrack, namingSpeakers: Bool = true) -> [Case.Cue] {
    track.cues.map { cue in
      let range = cue.timeRange
      func milliseconds(_ time: MediaTime) -> Int64 { Int64((time.seconds * 1000).rounded()) }
      return Case.Cue(
        milliseconds(range.start), milliseconds(range.end), namingSpeakers ? cue.namingSpeakers.text : cue.text)
    }
  }

  @Test(arguments: all) func file_hasEveryCue(_ item: Case) throws {
    let track = try CaptionTrack(contentsOf: try CaptionReadingTests.write(item.text, item.name))
    #expect(Self.cues(track) == item.cues)
    let omissions = track.omissions
    #expect(omissions.withoutDuration + omissions.withUnreadableTimes + omissions.withoutText == item.omitted, "\(omissions)")
    guard hasFFmpeg, item.ffmpegAgrees else { return }
    let packets = try runTool(
      "ffprobe", ["-v", "error", "-show_entries", "packet=size", "-of", "csv=p=0", try CaptionReadingTests.folder.get().file(item.name)])
    #expect(packets.split(whereSeparator: \.isNewline).count { Int($0.prefix { $0.isNumber }) ?? 0 > 0 } == item.cues.count)
  }

  /// What is written can be read again, with the same times and text.
  @Test(arguments: all, CaptionFileFormat.allCases)
  func conversion_ofEveryCue_isReadBack(_ item: Case, format: CaptionFileFormat) throws {
    let track = try CaptionTrack(contentsOf: try CaptionReadingTests.write(item.text, item.name))
    let name = "converted-\(item.name).\(format.rawValue)"
    let read = try CaptionTrack(contentsOf: try CaptionReadingTests.write(track.text(as: format), name))
    let expected = item.cues.map { Case.Cue(max($0.start, 0), $0.end, $0.text) }
    #expect(Self.cues(read) == expected, "\(format)")
    if format == .vtt { #expect(read.cues.map { $0.spans.map(\.speaker) } == track.cues.map { $0.spans.map(\.speaker) }) }
  }

  /// At the middle of each cue it is drawn, and after the last one nothing is.
  @Test(arguments: all) func burnedIn_everyCueIsDrawn(_ item: Case) throws {
    let file = try CaptionReadingTests.write(item.text, "burned-\(item.name)")
    let project = try CaptionedProject("{ file: \"\(file)\", style: { substituteFont: true } }", size: "320x180")
    let track = try #require(project.composition.edit.captions.first)
    let overlay = try CaptionOverlay(track, canvas: PixelSize(width: 320, height: 180))
    for cue in item.cues {
      let middle = MediaTime(value: (max(cue.start, 0) + cue.end) / 2, timescale: 1000)
      #expect(overlay.appearance(at: middle) != nil, "\(cue)")
    }
    let last = try #require(item.cues.map(\.end).max())
    #expect(overlay.appearance(at: MediaTime(value: last, timescale: 1000)) == nil)
  }

  /// Tracks of movies, counted by ffprobe and read again.
  @Test(.enabled(if: hasFFmpeg), arguments: ["mp4", "mov", "mkv", "webm"])
  func softTrack_hasEveryCue(container: String) async throws {
    let folder = try TemporaryFolder()
    var rows: [String] = []
    for item in Self.all where item.cues.allSatisfy({ $0.end < 10_000 }) && !item.name.hasPrefix("overlap") {
      let file = try CaptionReadingTests.write(item.text, "soft-\(item.name)")
      let project = try CaptionedProject("{ file: \"\(file)\", as: \"track\" }", size: "64x36", seconds: 10)
      let path = folder.file("\(item.name).\(container)")
      var settings = ExportSettings(
        video: VideoEncodingSettings(codec: container == "webm" ? .vp9 : .h264), audio: nil)
      settings.render.budget = RenderBudget()
      _ = try await Exporter.export(project.composition, to: path, settings: settings)
      let packets = try runTool(
        "ffprobe", ["-v", "error", "-select_streams", "s", "-show_entries", "packet=size", "-of", "csv=p=0", path])
      let count = packets.split(whereSeparator: \.isNewline).count { Int($0.prefix { $0.isNumber }) ?? 0 > 2 }
      let read = Self.cues(try CaptionTrack(contentsOf: path))
      rows.append("\(item.name): \(count) packets, \(read.count) cues of \(item.cues.count)")
      #expect(count == item.cues.count && read.count == item.cues.count, "\(item.name) in \(container)")
      #expect(read.map(\.start) == item.cues.map { max($0.start, 0) }, "\(item.name) in \(container)")
      // Timed text ends each line without its spaces.
      if container == "mkv" { #expect(read.map(\.text) == item.cues.map(\.text), "\(item.name)") }
    }
    print("\(container):", rows.joined(separator: "; "))
  }

  @Test(arguments: [
    ("empty.srt", ""), ("blank.srt", " \n\n\t\n"), ("empty.vtt", "WEBVTT\n\n"), ("notes.vtt", "WEBVTT\n\nNOTE nothing\n\nSTYLE\n::cue {}\n"),
    ("backwards.srt", "1\n00:00:02,000 --> 00:00:01,000\nx\n"),
  ])
  func file_withoutAnyCue_isAnError(name: String, text: String) throws {
    let path = try CaptionReadingTests.write(text, "none-\(name)")
    let error = #expect(throws: CompositorError.self) { try CaptionTrack(contentsOf: path) }
    #expect(error?.code == .unreadableMedia && error?.location.file == path)
    #expect(error?.message.contains("no captions") == true && error?.recoverySuggestion != nil)
    #expect(throws: CompositorError.self) { try CaptionedProject("{ file: \"\(path)\" }") }
    #expect(throws: CompositorError.self) { try CaptionedProject("{ file: \"\(path)\", as: \"track\" }") }
  }

  @Test(arguments: [
    ("a.ttml", "<?xml version=\"1.0\"?>\n<tt xmlns=\"http://www.w3.org/ns/ttml\"><body/></tt>\n", "TTML"),
    ("a.scc", "Scenarist_SCC V1.0\n\n00:00:01:00\t9420 9420\n", "SCC"), ("a.sub", "{25}{50}Hello|World\n", "MicroDVD"),
    ("a.json", "{ \"cues\": [] }\n", "JSON"), ("a.idx", "# VobSub index file, v7\n", "VobSub"),
  ])
  func formats_thatAreNotRead_areRefusedByName(name: String, text: String, format: String) throws {
    let path = try CaptionReadingTests.write(text, name)
    let error = #expect(throws: CompositorError.self) { try CaptionTrack(contentsOf: path) }
    #expect(error?.code == .unreadableMedia && error?.message.contains(format) == true, "\(String(describing: error))")
    #expect(error?.recoverySuggestion?.contains("SRT") == true)
  }

  @Test func speakers_areNamedUnlessTheStyleSaysOtherwise() throws {
    let path = try CaptionReadingTests.write("WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ada>Hello\n", "speaker.vtt")
    var track = try CaptionTrack(contentsOf: path)
    #expect(track.text(as: .srt).contains("Ada: Hello"))
    #expect(track.text(as: .vtt).contains("<v Ada>Hello</v>"))
    track.style.namesSpeakers = false
    #expect(track.text(as: .srt).contains("\nHello"))
    let project = try CaptionedProject("{ file: \"\(path)\", style: { speakers: false } }")
    #expect(project.composition.edit.captions.first?.style.namesSpeakers == false)
  }

  @Test(.enabled(if: hasFFmpeg), arguments: ["mp4", "mov"]) func forced_isAFlagOfTimedText(container: String) async throws {
    let folder = try TemporaryFolder()
    let file = try CaptionReadingTests.write(CaptionReadingTests.german, "forced.srt")
    let path = folder.file("a.\(container)")
    let project = try CaptionedProject("{ file: \"\(file)\", as: \"track\", language: \"pt-BR\", forced: true }", size: "64x36", seconds: 5)
    let result = try await Exporter.export(
      project.composition, to: path, settings: ExportSettings(video: VideoEncodingSettings(codec: .h264), audio: nil))
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    let entry = try #require(bytes.firstRange(of: Array("tx3g".utf8)))
    // Reserved bytes and a data reference, then the display flags: all samples are forced.
    #expect(Array(bytes[(entry.upperBound + 8)..<(entry.upperBound + 12)]) == [0xc0, 0, 0, 0])
    #expect(result.notes.contains { $0.contains("pt-BR") && $0.contains("por") }, "\(result.notes)")
  }
}
