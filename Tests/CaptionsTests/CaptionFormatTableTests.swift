import CompositorAPI
import CompositorCaptions
import CompositorExport
import CompositorHost
import CompositorMediaWriting
import CompositorTestSupport
import CompositorValidation
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

  static let two: [Case.Cue] = [["1000", "2000", "first"], ["2500", "3500", "second"]]

  static let all = webVTT + subRip + otherFormats
  private static let containers = ["mp4", "mov", "mkv", "webm"]

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
  }

  @Test(.enabled(if: hasFFmpeg, "ffmpeg is not installed"), arguments: all.filter(\.ffmpegAgrees))
  func cues_areAsManyAsFFmpegReads(_ item: Case) throws {
    let file = try CaptionReadingTests.write(item.text, "counted-\(item.name)")
    let packets = try runTool("ffprobe", ["-v", "error", "-show_entries", "packet=size", "-of", "csv=p=0", file])
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

  /// Tracks of movies, counted by ffprobe and read again. `make test` writes each file into one of the containers.
  @Test(.enabled(if: hasFFmpeg), arguments: containers)
  func softTrack_hasEveryCue(container: String) async throws {
    let folder = try TemporaryFolder()
    var rows: [String] = []
    let items = Self.all.filter { $0.cues.allSatisfy { $0.end < 10_000 } && !$0.name.hasPrefix("overlap") }
    let turn = Self.containers.firstIndex(of: container) ?? 0
    for (index, item) in items.enumerated() where TableSelection.isWhole || index % Self.containers.count == turn {
      let file = try CaptionReadingTests.write(item.text, "soft-\(item.name)")
      let project = try CaptionedProject("{ file: \"\(file)\", as: \"track\" }", size: "64x36", seconds: 10)
      let path = folder.file("\(item.name).\(container)")
      let settings = ExportSettings(
        video: VideoEncodingSettings(codec: container == "webm" ? .vp9 : .h264), audio: nil)
      _ = try await Exporter.export(project.composition, to: path, settings: settings)
      let packets = try runTool(
        "ffprobe", ["-v", "error", "-select_streams", "s", "-show_entries", "packet=size", "-of", "csv=p=0", path])
      let count = packets.split(whereSeparator: \.isNewline).count { Int($0.prefix { $0.isNumber }) ?? 0 > 2 }
      let read = Self.cues(try CaptionTrack(contentsOf: path))
      rows.append("\(item.name): \(count) packets, \(read.count) cues of \(item.cues.count)")
      #expect(count == item.cues.count && read.count == item.cues.count, "\(item.name) in \(container)")
      #expect(read.map(\.start) == item.cues.map { max($0.start, 0) }, "\(item.name) in \(container)")
      // SubRip as libavcodec writes it has no way to write what looks like a tag.
      if container == "mkv", !item.name.hasPrefix("tags") { #expect(read.map(\.text) == item.cues.map(\.text), "\(item.name)") }
    }
    print("\(container):", rows.joined(separator: "; "))
  }

  @Test(arguments: [
    ("empty.srt", ""), ("blank.srt", " \n\n\t\n"), ("empty.vtt", "WEBVTT\n\n"),
    ("notes.vtt", "WEBVTT\n\nNOTE nothing\n\nSTYLE\n::cue {}\n"),
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
    let project = try CaptionedProject(
      "{ file: \"\(file)\", as: \"track\", language: \"pt-BR\", forced: true }", size: "64x36", seconds: 5)
    let result = try await Exporter.export(
      project.composition, to: path, settings: ExportSettings(video: VideoEncodingSettings(codec: .h264), audio: nil))
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    let entry = try #require(bytes.firstRange(of: Array("tx3g".utf8)))
    // Reserved bytes and a data reference, then the display flags: all samples are forced.
    #expect(Array(bytes[(entry.upperBound + 8)..<(entry.upperBound + 12)]) == [0xc0, 0, 0, 0])
    #expect(
      result.notes.contains { $0.kind == .captions && $0.message.contains("pt-BR") && $0.message.contains("por") },
      "\(result.notes)")
  }
}
