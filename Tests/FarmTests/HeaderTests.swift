import CompositorAPI
import CompositorExport
import CompositorFarm
import CompositorMediaIO
import CompositorMediaWriting
import CompositorTestSupport
import Foundation
import Testing

/// What a movie says beside its frames is the same whether it was rendered in parts or not.
@Suite(.enabled(if: hasFFmpeg)) struct HeaderTests {
  /// Entries, chapters, a date, a rotation and a cover of the movie's own.
  @Test(arguments: ["mp4", "mov", "mkv"])
  func entries_areThoseOfOneRender(_ container: String) async throws {
    let name = "movie.\(container)"
    let movie = try await PlannedMovie(name, codec: .h264, rate: Rational(25, 1), frames: 40, segments: 4) {
      $0.metadata = ["title": "Holiday", "artist": "Ada", "comment": "ümläut — “quotes”", "date": "2026-11-23"]
      $0.chapters = [
        Chapter(start: .zero, title: "One"), Chapter(start: MediaTime(value: 1, timescale: 2), title: "Two"),
        Chapter(start: MediaTime(value: 13, timescale: 10), title: "Three"),
      ]
      $0.creationSecondsSince1970 = 1_700_000_000
      if container != "mkv" { $0.orientation = Orientation(quarterTurns: 1) }
      if container != "mov" { $0.cover = .frame(at: MediaTime(value: 1, timescale: 1)) }
    }
    try await compare(movie, name, container)
    #expect(movie.plan.movie?.hasCover == (container != "mov") && movie.plan.movie?.chapters.count == 3)
    #expect(try PlanStatus(of: movie.file).isComplete)
    // QuickTime has no covers.
    guard container != "mov" else { return }
    // The cover came with the first segment; without it nothing is joined.
    try FileManager.default.removeItem(atPath: movie.parts.extrasPath)
    #expect(try PlanStatus(of: movie.file).missing.description == "0")
  }

  /// Whether the index comes first, and a part of the timeline.
  @Test func range_withoutFastStart_isThatOfOneRender() async throws {
    let movie = try await PlannedMovie("movie.mp4", codec: .h264, rate: Rational(30000, 1001), frames: 60, segments: 3) {
      $0.fastStart = false
      $0.timeRange = TimeRange(start: MediaTime(value: 1, timescale: 2), end: MediaTime(value: 3, timescale: 2))
      $0.chapters = [Chapter(start: .zero, title: "One"), Chapter(start: MediaTime(value: 1, timescale: 1), title: "Two")]
    }
    #expect(movie.plan.movie?.firstFrame == 15 && movie.plan.movie?.frameCount == 30)
    try await compare(movie, "movie.mp4", "mp4")
  }

  private func compare(_ movie: PlannedMovie, _ name: String, _ container: String) async throws {
    try await movie.render(movie.plan.parts.reversed())
    let joined = try await movie.join(name)
    let plain = try await movie.plain("plain.\(container)")
    let (own, others) = (try Probe.facts(joined), try Probe.facts(plain))
    #expect(own == others, "\(container): \(Set(own).symmetricDifference(others).sorted())")
    #expect(try Probe.packets(joined, "a:0") == Probe.packets(plain, "a:0"))
    #expect(try Probe.packets(joined, "v:0").first?.time == 0)
    // The space that was reserved for the joined movie and not needed has been returned.
    var status = stat()
    #expect(stat(joined, &status) == 0)
    let block = max(4096, Int(status.st_blksize))
    #expect(Int(status.st_blocks) * 512 <= Int(status.st_size) + 2 * block, "\(status.st_blocks) for \(status.st_size) bytes")
  }

  /// Captions that are tracks of the file, beside captions that are drawn.
  @Test(arguments: ["mp4", "mkv"])
  func captions_areThoseOfOneRender(_ container: String) async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("captions.srt")
    try Data(
      """
      1
      00:00:00,100 --> 00:00:00,700
      Across a cut

      2
      00:00:00,900 --> 00:00:01,500
      Second <i>line</i>

      """.utf8
    ).write(to: URL(filePath: path))
    let name = "movie.\(container)"
    let output = ""
    let movie = try await PlannedMovie(
      name, codec: .h264, rate: Rational(25, 1), frames: 40, segments: 5, output: output, captions: [path], folder: folder)
    #expect(movie.plan.movie?.captionTrackCount == 1)
    try await compare(movie, name, container)
    let (own, others) = (
      try Probe.packets(folder.file(name), "s:0"), try Probe.packets(folder.file("plain.\(container)"), "s:0")
    )
    #expect(own == others && own.count >= 2)
  }

  /// Light levels are measured of the whole, once, and stand in every part.
  @Test(arguments: [(VideoEncodingSettings.Codec.hevc, "mp4"), (.hevc, "mkv"), (.av1, "mp4")])
  func lightLevels_thatAreGenerated_areThoseOfOneRender(
    _ codec: VideoEncodingSettings.Codec, _ container: String
  ) async throws {
    let name = "movie.\(container)"
    let movie = try await PlannedMovie(
      name, codec: codec, rate: Rational(25, 1), frames: 30, segments: 3, output: "color: \"pq\", hdrMetadata: \"generate\",")
    let light = try #require(movie.plan.movie?.attributes.hdr?.contentLightLevel)
    #expect(light.maximumContentLightLevel > 0)
    try await movie.render()
    let joined = try await movie.join(name)
    let plain = try await movie.plain("plain.\(container)")
    let (own, others) = (try Probe.facts(joined), try Probe.facts(plain))
    #expect(own == others, "\(Set(own).symmetricDifference(others).sorted())")
    let text = try runTool("ffprobe", ["-v", "error", "-show_frames", "-select_streams", "v", "-of", "flat", joined])
    #expect(text.contains("max_content=\(light.maximumContentLightLevel)") || codec == .av1 && container == "mkv")
  }

  /// Titles, and fonts that are known by their files.
  @Test func fonts_areInThePlan() async throws {
    let titles = "[{ kind: \"title\", text: \"Ada Lovelace\", start: 0, duration: \"1s\" }]"
    let movie = try await PlannedMovie(
      "movie.mp4", codec: .h264, rate: Rational(25, 1), frames: 25, segments: 2, titles: titles)
    let font = try #require(movie.plan.fonts.first)
    #expect(font.sha256.count == 64 && !font.family.isEmpty && !font.file.contains("/"))
    #expect(movie.plan.versions["pango"] != nil && movie.plan.versions["freetype"] != nil)
    try await movie.render()
    #expect(try PlanStatus(of: movie.file).isComplete)
    // The same plan with another font of that family.
    var plan = movie.plan
    plan.fonts[0].sha256 = String(repeating: "0", count: 64)
    let changed = try SegmentPlanFile(plan, writingTo: movie.folder.file("other.json"), overwrites: true)
    let error = await #expect(throws: CompositorError.self) {
      try await PartRenderer(
        changed, project: movie.project, settings: movie.settings, tool: PlannedMovie.tool, allows: false,
        cache: DigestCache(folder: nil))
    }
    #expect(error?.code == .planChanged && error?.message.contains(font.family) == true)
    // Without text, its libraries do not count.
    let silent = try await PlannedMovie("movie.mp4", codec: .h264, rate: Rational(25, 1), frames: 4, segments: 2)
    #expect(silent.plan.fonts.isEmpty && silent.plan.versions["pango"] == nil)
  }
}
