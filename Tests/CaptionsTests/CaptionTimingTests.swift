import CompositorAPI
import CompositorCaptions
import CompositorHost
import CompositorExport
import CompositorMedia
import CompositorMediaIO
import CompositorProjectFormat
import CompositorTestSupport
import CompositorTimeline
import CompositorValidation
import Foundation
import Testing

/// A project of one gray source with captions.
struct CaptionedProject {
  let composition: ValidatedComposition

  init(
    _ captions: String, size: String = "320x180", rate: String = "25", seconds: Int = 3, output: String = "",
    color: String = "#404040"
  ) throws {
    let file = try ProjectFile(
      """
      { version: 1, output: { size: "\(size)", frameRate: "\(rate)" \(output) },
        assets: { a: { generate: "color", color: "\(color)", size: "\(size)", frameRate: "\(rate)", duration: "\(seconds)s" } },
        tracks: [{ clips: [{ asset: "a" }] }], captions: [\(captions)] }
      """)
    let catalog = MediaCatalog()
    composition = try CompositionValidator.validate(try file.edit(catalog: catalog), catalog: catalog).get()
  }

  /// The layout of the first captions, which are no script.
  func layout() throws -> CaptionLayout {
    let layouts = composition.captions.compactMap { captions in
      if case .cues(let layout) = captions { layout } else { CaptionLayout?.none }
    }
    return try #require(layouts.first)
  }

  /// The frame of a number.
  func frame(_ number: Int, format: PixelFormat = .yuv420p) async throws -> Frame {
    try #require(try await frames([number], format: format).first)
  }

  /// Frames by their numbers.
  func frames(_ numbers: [Int], format: PixelFormat = .yuv420p) async throws -> [Frame] {
    let generator = try ImageGenerator(composition, settings: ImageSettings(format: format, color: .composition).exactly)
    let duration = composition.edit.videoComposition.frameDuration
    var frames: [Frame] = []
    for number in numbers {
      frames.append(try await generator.image(at: duration.multiplied(by: Int64(number), over: 1)).frame)
    }
    await generator.close()
    return frames
  }
}

extension Frame {
  /// Whether a pixel's luma is far from that of the corner, which nothing is drawn over.
  var showsCaption: Bool {
    let ground = withRow(0, as: UInt8.self) { $0[0] }
    return (0..<size.height).contains { y in
      withRow(y, as: UInt8.self) { row in (0..<size.width).contains { abs(Int(row[$0]) - Int(ground)) > 60 } }
    }
  }
}

/// Captions show from the first frame at or after their start until the first frame at or after their end.
struct CaptionTimingTests {
  enum Kind: String, CaseIterable { case srt, vtt, ass, movText = "mp4", srtInMKV = "mkv" }

  /// In milliseconds: some at frames of 25 and 60 frames a second, some between, one within another, one shorter than most frames.
  private static let cues: [(Int64, Int64)] = [(40, 500), (1000, 1400), (1010, 1030), (1480, 2000), (2000, 2490)]

  private static let files = Result {
    let folder = try TemporaryFolder()
    let track = CaptionTrack(cues.map { CaptionCue(CaptionReadingTests.range($0.0, $0.1), "Hxg") })
    for format in CaptionFileFormat.allCases {
      try Data(track.text(as: format).utf8).write(to: URL(filePath: folder.file("a.\(format.rawValue)")))
    }
    // ffmpeg cuts what overlaps off for mov_text: without the cue inside of another the same shows.
    let apart = CaptionTrack(track.cues.filter { $0.timeRange.duration > MediaTime(value: 20, timescale: 1000) })
    try Data(apart.text(as: .srt).utf8).write(to: URL(filePath: folder.file("apart.srt")))
    for (name, source, codec) in [("a.mp4", "apart.srt", "mov_text"), ("a.mkv", "a.srt", "srt")] {
      try runTool(
        "ffmpeg",
        [
          "-v", "error", "-f", "lavfi", "-i", "color=s=64x36:r=25:d=3", "-i", folder.file(source), "-map", "0", "-map", "1",
          "-c:v", "mpeg4", "-c:s", codec, folder.file(name),
        ])
    }
    return folder
  }

  @Test(
    .enabled(if: hasFFmpeg), arguments: Kind.allCases,
    [("24000/1001", 24_000, 1001), ("25", 25, 1), ("30000/1001", 30_000, 1001), ("60", 60, 1)] as [(String, Int64, Int64)])
  func caption_showsAndGoes_onTheFrameThatItsTimesSay(kind: Kind, rate: (text: String, frames: Int64, seconds: Int64))
    async throws
  {
    let path = try Self.files.get().file("a.\(kind.rawValue)")
    for size in ["320x180", "180x320"] {
      let project = try CaptionedProject("{ file: \"\(path)\", style: { size: \"10%\" } }", size: size, rate: rate.text)
      let layout = try project.layout()
      // Integers, independent of any type of time: frame n is at n · seconds / frames.
      let frameCount = 3 * rate.frames / rate.seconds
      var changes: [Int] = []
      for frame in 0..<frameCount {
        let time = frame * rate.seconds * 1000
        let shows = Self.cues.contains { $0.0 * rate.frames <= time && time < $0.1 * rate.frames }
        let shown = !layout.active(at: MediaTime(value: frame * rate.seconds, timescale: Int32(rate.frames))).isEmpty
        #expect(shows == shown, "\(kind) \(size) frame \(frame)")
        if shows != (changes.count % 2 == 1) { changes.append(Int(frame)) }
      }
      #expect(changes.count == 6 || changes.count == 8)
      // The pixels agree, on both sides of the first changes.
      let sides = changes.prefix(4).flatMap { [$0 - 1, $0] }
      let shown = try await project.frames(sides).map(\.showsCaption)
      #expect(shown == sides.indices.map { [false, true, true, false][$0 % 4] }, "\(kind) \(size) \(sides)")
    }
  }

  @Test func index_ofManyCues_findsWhatAScanFinds() throws {
    var state: UInt64 = 7
    func random(_ limit: UInt64) -> Int64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int64((state >> 33) % limit)
    }
    var cues = [CaptionCue(CaptionReadingTests.range(0, 60_000), "all along")]
    for _ in 0..<400 {
      let start = random(60_000)
      cues.append(CaptionCue(CaptionReadingTests.range(start, start + random(900) + 1), "x"))
    }
    let track = CaptionTrack(cues, offset: .seconds(2))
    let overlay = try CaptionOverlay(track, canvas: PixelSize(width: 320, height: 180))
    let sorted = track.timedCues
    for time in stride(from: Int64(0), to: 63_000, by: 407) {
      let moment = MediaTime(value: time, timescale: 1000)
      let scan = sorted.indices.filter { sorted[$0].timeRange.contains(moment) }
      #expect((overlay.appearance(at: moment).map { "\($0)" } ?? "") == (scan.isEmpty ? "" : "Appearance(cues: \(scan))"))
    }
  }

  @Test func offset_movesCaptions_andScripts() async throws {
    let script = CaptionReadingTests.script(events: "Dialogue: 0,0:00:00.00,0:00:01.00,Default,,0,0,0,,Hxg")
    for path in [
      try CaptionReadingTests.write("1\n00:00:00,000 --> 00:00:01,000\nHxg\n", "offset.srt"),
      try CaptionReadingTests.write(script, "offset.ass"),
    ] {
      let project = try CaptionedProject("{ file: \"\(path)\", offset: \"1.5s\" }")
      #expect(try await project.frame(37).showsCaption == false)
      #expect(try await project.frame(38).showsCaption)
      #expect(try await project.frame(62).showsCaption)
      #expect(try await project.frame(63).showsCaption == false)
    }
  }
}
