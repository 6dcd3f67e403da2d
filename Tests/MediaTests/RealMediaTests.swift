import CompositorAPI
import CompositorMedia
import CompositorValidation
import Foundation
import CompositorHost
import CompositorExport
import CompositorProjectFormat
import CompositorTimeline
import CompositorTestMedia
import CompositorTestSupport
import CompositorMediaIO
import Synchronization
import Testing

@Suite(.enabled(if: mediaFolder != nil && hasFFmpeg)) struct RealMediaTests {
  private func path(_ name: String) -> String { mediaFolder?.appending(path: name).path ?? name }

  @Test(arguments: ["video_0.mov", "video_90.mov", "video_270.mov", "sample_rotate_and_reflect.mp4"])
  func imageOfASource_isUprightAsFFmpegTurnsIt(name: String) async throws {
    let folder = try TemporaryFolder()
    let raw = folder.file("first.gray")
    try runTool(
      "ffmpeg", ["-v", "error", "-i", path(name), "-frames:v", "1", "-vf", "extractplanes=y", "-f", "rawvideo", raw])
    let expected = try Data(contentsOf: URL(fileURLWithPath: raw))
    let generator = try ImageGenerator(.file(path: path(name)), settings: ImageSettings(format: .yuv420p).exactly)
    let frame = try await generator.image(at: .zero).frame
    await generator.close()
    #expect(frame.size.width * frame.size.height == expected.count)
    var worst = 0
    for y in 0..<frame.size.height {
      frame.withRow(y, as: UInt8.self) { row in
        for x in 0..<frame.size.width where y * frame.size.width + x < expected.count {
          worst = max(worst, abs(Int(row[x]) - Int(expected[expected.startIndex + y * frame.size.width + x])))
        }
      }
    }
    #expect(worst <= 1)
  }

  @Test func dissolveOfRealClips_1And3Threads_givesIdenticalFrames() async throws {
    let catalog = MediaCatalog()
    var composition = Composition()
    let tracks = [composition.addTrack(.video), composition.addTrack(.video)]
    for (track, name) in zip(tracks, ["karma.mp4", "chaplin.mp4"]) {
      let source = MediaSource.file(path: path(name))
      let info = try #require(try catalog.info(for: source).videoTracks.first)
      let range = TimeRange(start: info.timeRange.start, duration: .seconds(2))
      try composition.setSegments(
        [CompositionTrackSegment(source: source, timeMapping: TimeMapping(source: range, target: .seconds(0, 2)))],
        ofTrack: track)
    }
    var fading = LayerInstruction(trackID: tracks[0])
    try fading.opacity.setRamp(from: 1, to: 0, timeRange: .seconds(0, 2))
    let edit = Edit(
      composition: composition,
      videoComposition: VideoComposition(
        instructions: [
          Instruction(timeRange: .seconds(0, 2), layers: [fading, LayerInstruction(trackID: tracks[1])])
        ], frameDuration: MediaTime(value: 1001, timescale: 30000), renderSize: PixelSize(width: 321, height: 181)))
    let plan = try RenderPlan(CompositionValidator.validate(edit, catalog: catalog).get())
    var runs: [[UInt64]] = []
    for threadCount in [1, 3] {
      let pipeline = try FrameScheduler(plan, settings: RenderSettings(threadCount: threadCount))
      let hashes = Mutex<[UInt64]>([])
      try await pipeline.render(0..<plan.frameCount) { rendered in
        let hash = rendered.frame.sampleHash
        hashes.withLock { $0.append(hash) }
      }
      runs.append(hashes.withLock { $0 })
    }
    #expect(runs[0].count == 60)
    #expect(runs[0] == runs[1])
    #expect(Set(runs[0]).count == 60)
  }

  @Test func truncatedFile_isAWarningAndThenALocatedError_orHeldOnRequest() async throws {
    let catalog = MediaCatalog()
    let edit = try Edit(showing: .file(path: path("derived_truncated_faststart.mp4")), catalog: catalog)
    let report = CompositionValidator.validate(edit, catalog: catalog)
    #expect(report.diagnostics.contains { $0.code == .mediaCutShort && $0.severity == .warning })
    let plan = try RenderPlan(report.get())
    let strict = try FrameScheduler(plan, settings: RenderSettings())
    let error = await #expect(throws: CompositorError.self) { try await strict.render(0..<plan.frameCount) { _ in } }
    #expect(error?.code == .truncatedMedia)
    #expect(error?.location.file?.hasSuffix("derived_truncated_faststart.mp4") == true)
    let lenient = try FrameScheduler(plan, settings: RenderSettings(damaged: .keep))
    let count = Mutex(0)
    try await lenient.render(0..<plan.frameCount) { _ in count.withLock { $0 += 1 } }
    #expect(count.withLock { $0 } == plan.frameCount)
  }
}
