import CompositorAPI
import CompositorExport
import CompositorHost
import CompositorMedia
import CompositorMediaIO
import CompositorMediaWriting
import CompositorPlugins
import CompositorScheduling
import CompositorTestMedia
import CompositorTestSupport
import CompositorValidation
import Foundation
import Synchronization
import Testing

/// Media that notes how many threads its decoders are to have.
private final class NotingMedia: MediaProvider {
  private let media: MemoryMedia
  private let noted = Mutex<[Int]>([])

  init(frameCount: Int = 300) { media = MemoryMedia(frameCount: frameCount) }

  var threadCounts: [Int] { noted.withLock { $0 } }

  func describe() throws(CompositorError) -> MediaInfo { try media.describe() }

  func openVideo(trackIndex: Int, options: VideoReaderOptions) throws(CompositorError) -> any VideoReader {
    noted.withLock { $0.append(options.threadCount) }
    return try media.openVideo(trackIndex: trackIndex, options: options)
  }
}

/// Exports an edit of its own before it makes its first frame.
private struct Nesting: VideoCompositor {
  static let descriptor = CompositorDescriptor(id: "test.nesting", name: "Nesting")
  static let work = Mutex<(@Sendable () async throws -> Void)?>(nil)
  init(parameters: ParameterValues, context: RenderContext) throws {}
  func compose(_ request: CompositionRequest) async throws -> Frame {
    try await Self.work.withLock { $0.take() }?()
    return try request.context.makeFrame(filledWith: .black)
  }
}

/// What a render takes of the processors.
@Suite struct RenderThreadTests {
  private func budget(processors: Int, exports: Int = 2) -> RenderBudget {
    RenderBudget(RenderBudget.Limits(processorCount: processors, exportCount: exports))
  }

  private func render(_ edit: TestEdit, _ settings: RenderSettings) async throws {
    let plan = try RenderPlan(edit.validated())
    try await FrameScheduler(plan, settings: settings).render(0..<plan.frameCount) { _ in }
  }

  /// Clips side by side, seconds of each, processors, threads that are asked for, threads of each decoder.
  @Test(
    arguments: [
      (1, 2, 2, nil, 3), (1, 2, 8, nil, 9), (2, 2, 2, nil, 1), (2, 2, 8, nil, 4), (4, 2, 8, nil, 2), (1, 2, 2, 5, 5),
      (1, 2, 2, 1, 1),
    ] as [(Int, Int64, Int, Int?, Int)])
  func decoders_ofSourcesSideBySide_shareTheProcessors(
    clips: Int, seconds: Int64, processors: Int, asked: Int?, threads: Int
  ) async throws {
    var edit = TestEdit()
    let media = NotingMedia()
    edit.catalog.provide(media, as: "a")
    var layers: [LayerInstruction] = []
    for clip in 0..<clips {
      // Each shows other frames: clips that show the same ones share a decoder.
      let range = TimeRange(start: MediaTime(value: Int64(clip), timescale: 2), duration: .seconds(seconds))
      var layer = LayerInstruction(trackID: try edit.addTrack([("a", range, .seconds(0, seconds))]))
      try layer.opacity.set(0.5, at: .zero)
      layers.append(layer)
    }
    edit.instructions = [Instruction(timeRange: .seconds(0, seconds), layers: layers)]
    var settings = RenderSettings(decoderThreadCount: asked)
    settings.budget = budget(processors: processors)
    try await render(edit, settings)
    #expect(media.threadCounts == Array(repeating: threads, count: clips))
  }

  @Test func decoders_ofShortPieces_haveOneThread() async throws {
    var edit = TestEdit()
    let media = NotingMedia()
    edit.catalog.provide(media, as: "a")
    let tenth = MediaTime(value: 1, timescale: 10)
    let track = try edit.addTrack(
      (0..<20).map { index in
        let range = TimeRange(start: tenth * index, duration: tenth)
        return ("a", TimeRange(start: tenth * (60 - 3 * index), duration: tenth), range)
      })
    edit.instructions = [Instruction(timeRange: .seconds(0, 2), layers: [LayerInstruction(trackID: track)])]
    var settings = RenderSettings()
    settings.budget = budget(processors: 8)
    try await render(edit, settings)
    #expect(!media.threadCounts.isEmpty && media.threadCounts.allSatisfy { $0 == 1 }, "\(media.threadCounts)")
  }

  @Test func decoder_besideOtherRenders_hasItsShare() async throws {
    var edit = TestEdit()
    let media = NotingMedia()
    edit.catalog.provide(media, as: "a")
    let track = try edit.addTrack([("a", .seconds(0, 2), .seconds(0, 2))])
    edit.instructions = [Instruction(timeRange: .seconds(0, 2), layers: [LayerInstruction(trackID: track)])]
    var settings = RenderSettings()
    settings.budget = budget(processors: 8)
    let others = (0..<3).map { _ in settings.budget.beginRendering() }
    try await render(edit, settings)
    withExtendedLifetime(others) {}
    #expect(media.threadCounts == [2])
  }

  /// The budget has room for one export: the inner one would wait for the outer one without end.
  @Test func export_thatAnExportStarts_runsInItsShare() async throws {
    let folder = try TemporaryFolder()
    var edit = TestEdit()
    edit.catalog.provide(MemoryMedia(), as: "a")
    let track = try edit.addTrack([("a", .seconds(0, 1), .seconds(0, 1))])
    edit.instructions = [Instruction(timeRange: .seconds(0, 1), layers: [LayerInstruction(trackID: track)])]
    let inner = try edit.validated()
    try edit.registry.register(Nesting.self)
    edit.instructions[0].compositor = "test.nesting"
    let outer = try edit.validated()
    var settings = ExportSettings(video: VideoEncodingSettings(codec: .h264, speed: .ultrafast))
    settings.render.budget = budget(processors: 2, exports: 1)
    Nesting.work.withLock {
      $0 = { [settings] in _ = try await Exporter.export(inner, to: folder.file("inner.mp4"), settings: settings) }
    }
    _ = try await Exporter.export(outer, to: folder.file("outer.mp4"), settings: settings)
    #expect(try folder.names.sorted() == ["inner.mp4", "outer.mp4"])
    #expect(settings.render.budget.status.runningExportCount == 0)
  }
}
