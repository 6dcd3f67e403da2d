import CompositorAPI
import CompositorCaptions
import CompositorHost
import CompositorExport
import CompositorTestSupport
import Foundation
import Testing

/// Captions as files of their own.
struct CaptionFileTests {
  static let track: CaptionTrack = {
    let spans = [
      CaptionSpan("Plain <&> "), CaptionSpan("bold", isBold: true),
      CaptionSpan("\nyellow", color: Color(red: 1, green: 1, blue: 0)),
      CaptionSpan(" {x}", isItalic: true, isUnderlined: true),
    ]
    return CaptionTrack([
      CaptionCue(CaptionReadingTests.range(1000, 2500), spans, placement: CaptionPlacement(.top, .left)),
      CaptionCue(CaptionReadingTests.range(3_661_230, 3_662_000), "Second"),
    ])
  }()

  @Test(arguments: CaptionFileFormat.allCases)
  func text_readBack_isTheSame(format: CaptionFileFormat) throws {
    let path = try CaptionReadingTests.write(Self.track.text(as: format), "written.\(format.rawValue)")
    let read = try CaptionTrack(contentsOf: path)
    #expect(read.cues.map(\.timeRange) == Self.track.cues.map(\.timeRange))
    #expect(read.cues.last?.spans == [CaptionSpan("Second")])
    let cue = try #require(read.cues.first)
    // SRT has no way to write what looks like a tag.
    #expect(cue.text == (format == .srt ? cue.text : "Plain <&> bold\nyellow {x}"), "\(cue.text)")
    #expect(cue.spans.contains { $0.isBold && $0.text == "bold" && !$0.isItalic })
    #expect(cue.spans.contains { $0.isItalic && $0.isUnderlined && !$0.isBold })
    #expect(cue.placement?.vertical == .top && cue.placement?.horizontal == .left)
    if format != .vtt { #expect(cue.spans.contains { $0.color == Color(red: 1, green: 1, blue: 0) }) }
  }

  @Test(.enabled(if: hasFFmpeg), arguments: CaptionFileFormat.allCases)
  func text_readByFFmpeg_hasTheTimes(format: CaptionFileFormat) throws {
    let path = try CaptionReadingTests.write(Self.track.text(as: format), "probed.\(format.rawValue)")
    let times = try runTool(
      "ffprobe", ["-v", "error", "-show_entries", "packet=pts_time,duration_time", "-of", "csv=p=0", path])
    #expect(
      times.split(whereSeparator: \.isNewline).map { $0.split(separator: ",").compactMap { Double($0) } } == [
        [1, 1.5], [3661.23, 0.77],
      ])
  }

  @Test func part_ofATrack_isCutAndShifted() {
    let range = TimeRange(start: .seconds(2), end: .seconds(10))
    let text = CaptionTrack([
      CaptionCue(CaptionReadingTests.range(1000, 2500), "a"), CaptionCue(CaptionReadingTests.range(9500, 12_000), "b"),
      CaptionCue(CaptionReadingTests.range(10_000, 12_000), "c"),
    ]).text(as: .srt, in: range)
    #expect(text == "1\n00:00:00,000 --> 00:00:00,500\na\n\n2\n00:00:07,500 --> 00:00:08,000\nb\n")
  }

  @Test func export_ofCaptions_guardsNamesAndInputs() throws {
    let folder = try TemporaryFolder()
    func code(_ name: String, input: String? = nil, overwrites: Bool = false) -> CompositorError.Code? {
      #expect(throws: CompositorError.self) {
        try CaptionExporter.export(Self.track, to: folder.file(name), inputs: input.map { [$0] } ?? [], overwrites: overwrites)
      }?.code
    }
    #expect(code("a.txt") == .unsupportedOutput)
    try CaptionExporter.export(Self.track, to: folder.file("a.srt"))
    #expect(try folder.names == ["a.srt"])
    #expect(code("a.srt") == .outputExists)
    #expect(code("a.srt", input: folder.file("a.srt"), overwrites: true) == .outputIsInput)
    try CaptionExporter.export(Self.track, to: folder.file("a.srt"), overwrites: true)
    #expect(try String(contentsOfFile: folder.file("a.srt"), encoding: .utf8) == Self.track.text(as: .srt))
    var late = Self.track
    late.offset = .positiveInfinity
    #expect(throws: CompositorError.self) { try CaptionExporter.export(late, to: folder.file("b.srt")) }
  }
}
