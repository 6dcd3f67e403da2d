import CompositorAPI
import CompositorCaptions
import CompositorHost
import CompositorExport
import CompositorMediaIO
import CompositorMediaWriting
import CompositorTestSupport
import Foundation
import Testing

/// Captions as tracks of movies, read back by ffprobe.
struct SoftTrackTests {
  private static let srt = """
    1
    00:00:00,500 --> 00:00:01,250
    <b>One</b>

    2
    00:00:01,500 --> 00:00:02,000
    Zwei

    3
    00:00:02,700 --> 00:00:09,000
    {\\an8}beyond the end

    """

  /// Samples of a fragmented MP4 state no durations: an empty one ends the caption before.
  @Test(.enabled(if: hasFFmpeg), arguments: ["", "+frag_keyframe+empty_moov"])
  func captions_ofAFragmentedFile_endWhereTheirSamplesDo(_ flags: String) throws {
    let folder = try TemporaryFolder()
    let text =
      "1\n00:00:00,200 --> 00:00:00,900\nOne\n\n2\n00:00:01,000 --> 00:00:02,000\nTwo\n\n3\n00:00:03,000 --> 00:00:03,500\nThree\n"
    try text.write(toFile: folder.file("e.srt"), atomically: true, encoding: .utf8)
    _ = try runTool(
      "ffmpeg",
      [
        "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=r=25:d=4:s=64x36", "-i", folder.file("e.srt"), "-map", "0", "-map",
        "1",
        "-c:v", "libx264", "-bf", "0", "-pix_fmt", "yuv420p", "-c:s", "mov_text", "-movflags",
        flags.isEmpty ? "+faststart" : flags,
        folder.file("e.mp4"),
      ])
    let cues = try CaptionTrack(contentsOf: folder.file("e.mp4")).cues
    let times = cues.map { [$0.timeRange.start.seconds, $0.timeRange.end.seconds] }
    let isSame =
      times.count == 3
      && zip(times, [[0.2, 0.9], [1, 2], [3, 3.5]]).allSatisfy { abs($0[0] - $1[0]) + abs($0[1] - $1[1]) < 0.002 }
    #expect(isSame, "\(times)")
  }

  /// Start and duration of each packet of a subtitle track that holds a text.
  private func times(_ path: String, track: Int = 0) throws -> [[Double]] {
    let lines = try runTool(
      "ffprobe",
      [
        "-v", "error", "-select_streams", "s:\(track)", "-show_entries", "packet=pts_time,duration_time,size", "-of", "csv=p=0",
        path,
      ]
    ).split(whereSeparator: \.isNewline)
    let packets: [[Double]] = lines.map { line in line.split(separator: ",").compactMap { Double($0) } }
    return packets.filter { $0.count == 3 && $0[2] > 2 }.map { [$0[0], $0[1]] }
  }

  private func export(
    _ captions: String, _ name: String, in folder: TemporaryFolder, range: TimeRange? = nil
  ) async throws -> String {
    let project = try CaptionedProject(captions, size: "64x36")
    let path = folder.file(name)
    var settings = ExportSettings(video: VideoEncodingSettings(codec: .h264), audio: nil)
    settings.timeRange = range
    _ = try await Exporter.export(project.composition, to: path, settings: settings)
    return path
  }

  @Test(
    .enabled(if: hasFFmpeg),
    arguments: [("a.mp4", "mov_text"), ("a.mov", "mov_text"), ("a.m4v", "mov_text"), ("a.mkv", "subrip")])
  func softTrack_hasTheTimesOfItsFile(name: String, codec: String) async throws {
    let folder = try TemporaryFolder()
    let file = try CaptionReadingTests.write(Self.srt, "soft.srt")
    let path = try await export(
      "{ file: \"\(file)\", as: \"track\", language: \"de\", title: \"Deutsch\", default: true, forced: true }", name,
      in: folder)
    #expect(try times(path) == [[0.5, 0.75], [1.5, 0.5], [2.7, 0.3]])
    let entries = try runTool(
      "ffprobe",
      [
        "-v", "error", "-select_streams", "s", "-show_entries",
        "stream=codec_name:stream_tags=language,title,handler_name:stream_disposition=default,forced", "-of", "default=nw=1",
        path,
      ])
    #expect(entries.contains("codec_name=\(codec)"))
    #expect(entries.contains("DISPOSITION:default=1"))
    if codec == "subrip" { #expect(entries.contains("DISPOSITION:forced=1")) }
    let info = try #require(try MediaProbe.probe(.file(path: path)).subtitleTracks.first)
    #expect(info.language == "de" && info.codec == codec)
    // FFmpeg shows the title of such a track in MP4 as the name of its handler.
    #expect(entries.contains(codec == "subrip" ? "TAG:title=Deutsch" : "TAG:handler_name=Deutsch"))
    #expect(info.trackIndex == 0)
    let read = try CaptionTrack(contentsOf: path)
    #expect(read.cues.map(\.text) == ["One", "Zwei", "beyond the end"])
    #expect(read.cues.first?.spans.first?.isBold == true)
    if codec == "subrip" { #expect(read.cues.last?.placement?.vertical == .top) }
  }

  @Test(.enabled(if: hasFFmpeg)) func softTrack_ofAPart_isCutAndShifted() async throws {
    let folder = try TemporaryFolder()
    let file = try CaptionReadingTests.write(Self.srt, "part.srt")
    let range = TimeRange(start: .seconds(1), end: .seconds(2))
    for name in ["a.mp4", "a.mkv"] {
      let path = try await export("{ file: \"\(file)\", as: \"both\" }", name, in: folder, range: range)
      #expect(try times(path) == [[0, 0.25], [0.5, 0.5]], "\(name)")
    }
  }

  @Test(.enabled(if: hasFFmpeg)) func cuesThatOverlap_areJoinedWhereTheTrackCannotHoldThem() async throws {
    let folder = try TemporaryFolder()
    let text = "1\n00:00:00,000 --> 00:00:02,000\nlong\n\n2\n00:00:01,000 --> 00:00:03,000\nshort\n"
    let file = try CaptionReadingTests.write(text, "overlap.srt")
    let captions = "{ file: \"\(file)\", as: \"track\" }"
    let mp4 = try await export(captions, "a.mp4", in: folder)
    #expect(try times(mp4) == [[0, 1], [1, 1], [2, 1]])
    #expect(try CaptionTrack(contentsOf: mp4).cues.map(\.text) == ["long", "long\nshort", "short"])
    #expect(try times(try await export(captions, "a.mkv", in: folder)) == [[0, 2], [1, 2]])
  }

  @Test(.enabled(if: hasFFmpeg)) func script_inMatroska_keepsItsStyles() async throws {
    let folder = try TemporaryFolder()
    let script = CaptionReadingTests.script(
      styles: "Style: Sign,DejaVu Sans,20,&H0,&H0,&H0,&H0,-1,0,0,0,100,100,0,0,1,2,0,9,10,10,10,1\n",
      events: "Dialogue: 3,0:00:01.00,0:00:02.00,Sign,,0,0,0,,{\\pos(10,10)\\k20}Sign")
    let file = try CaptionReadingTests.write(script, "kept.ass")
    let path = try await export("{ file: \"\(file)\", as: \"track\" }", "a.mkv", in: folder)
    let read = try #require(try CaptionTrack(contentsOf: path).script)
    #expect(read.contains("Style: Sign,DejaVu Sans,20"))
    #expect(read.contains("Dialogue: 3,0:00:01.00,0:00:02.00,Sign,,0,0,0,,{\\pos(10,10)\\k20}Sign"))
  }

  @Test(arguments: [(51, 10), (1, 70_000), (12, 6000)]) func cuesThatTimedTextCannotHold_areErrors(
    _ count: Int, _ length: Int
  ) throws {
    let cue = CaptionCue(TimeRange(start: .seconds(1), end: .seconds(3)), String(repeating: "a", count: length))
    let captions = CaptionTrack(Array(repeating: cue, count: count))
    var movie = MovieDescription(container: .mp4, audioTracks: [AudioTrackDescription()])
    movie.subtitleTracks = [SubtitleTrackDescription(captions)]
    let error = #expect(throws: CompositorError.self) { try movie.validate() }
    #expect(error?.code == .unsupportedOutput && error?.location.time == .seconds(1))
    movie.container = .mkv
    #expect(throws: Never.self) { try movie.validate() }
  }

  @Test func containers_thatHoldNoCaptions_sayWhichDo() async throws {
    let folder = try TemporaryFolder()
    let file = try CaptionReadingTests.write(Self.srt, "refused.srt")
    let error = await #expect(throws: CompositorError.self) {
      try await export("{ file: \"\(file)\", as: \"track\" }", "a_%03d.png", in: folder)
    }
    #expect(error?.code == .unsupportedOutput)
    #expect(error?.recoverySuggestion?.contains(".mp4") == true)
    var movie = MovieDescription(container: .mka, audioTracks: [AudioTrackDescription()])
    movie.subtitleTracks = [SubtitleTrackDescription(CaptionTrack([]))]
    let audio = #expect(throws: CompositorError.self) { try movie.validate() }
    #expect(audio?.code == .unsupportedOutput && audio?.location.path == "subtitleTracks[0]")
    #expect(audio?.recoverySuggestion?.contains(".mkv") == true)
    #expect(try folder.names.isEmpty)
  }

  /// A file without any caption is a mistake; a track without captions, made in Swift, is written and can be read.
  @Test(.enabled(if: hasFFmpeg)) func fileWithoutCaptions_isRefused() async throws {
    let folder = try TemporaryFolder()
    let file = try CaptionReadingTests.write("", "nothing.srt")
    let error = await #expect(throws: CompositorError.self) {
      try await export("{ file: \"\(file)\", as: \"track\" }", "a.mp4", in: folder)
    }
    #expect(error?.code == .unreadableMedia && error?.location.path == "captions[0]")
    #expect(try folder.names.isEmpty)
  }
}
