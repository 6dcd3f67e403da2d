import CompositorAPI
import CompositorHost
import CompositorExport
import CompositorMedia
import CompositorProjectFormat
import CompositorTimeline
import CompositorValidation
import CompositorTestMedia
import Synchronization
import Testing

@Suite struct FrameSchedulerTests {
  /// Two overlapping clips with a dissolve between them, and a gap at the end: five seconds.
  private func dissolve(media: MemoryMedia = MemoryMedia()) throws -> TestEdit {
    var edit = TestEdit()
    edit.catalog.provide(media, as: "a")
    edit.catalog.provide(MemoryMedia(frameCount: 200), as: "b")
    let a = try edit.addTrack([("a", .seconds(0, 3), .seconds(0, 3)), (nil, .invalid, .seconds(3, 5))])
    let b = try edit.addTrack([(nil, .invalid, .seconds(0, 2)), ("b", .seconds(1, 3), .seconds(2, 4))])
    var fading = LayerInstruction(trackID: a)
    try fading.opacity.setRamp(from: 1, to: 0, timeRange: .seconds(2, 3))
    edit.instructions = [
      Instruction(timeRange: .seconds(0, 2), layers: [LayerInstruction(trackID: a)]),
      Instruction(timeRange: .seconds(2, 3), layers: [fading, LayerInstruction(trackID: b)]),
      Instruction(timeRange: .seconds(3, 5), layers: [LayerInstruction(trackID: b)]),
    ]
    return edit
  }

  private func hashes(
    _ edit: TestEdit, settings: RenderSettings, frames: Range<Int>? = nil
  ) async throws -> [UInt64] {
    let plan = try RenderPlan(edit.validated())
    let pipeline = try FrameScheduler(plan, settings: settings)
    let hashes = Mutex<[(Int, UInt64)]>([])
    try await pipeline.render(frames ?? 0..<plan.frameCount) { rendered in
      let hash = rendered.frame.sampleHash
      hashes.withLock { $0.append((rendered.index, hash)) }
    }
    let result = hashes.withLock { $0 }
    #expect(result.map(\.0) == Array(frames ?? 0..<plan.frameCount))
    return result.map(\.1)
  }

  @Test func rendering_1And4Threads_givesIdenticalFramesInOrder() async throws {
    let edit = try dissolve()
    let one = try await hashes(edit, settings: RenderSettings(threadCount: 1, framesInFlight: 1))
    let four = try await hashes(edit, settings: RenderSettings(threadCount: 4, framesInFlight: 9))
    #expect(one.count == 150)
    #expect(one == four)
  }

  @Test func rendering_partOfTheTimeline_equalsThatPartOfTheWhole() async throws {
    let edit = try dissolve()
    let whole = try await hashes(edit, settings: RenderSettings())
    let part = try await hashes(edit, settings: RenderSettings(), frames: 71..<97)
    #expect(part == Array(whole[71..<97]))
  }

  @Test func emptyEdit_showsTheBackground() async throws {
    let edit = try dissolve()
    let generator = try ImageGenerator(edit.validated(), settings: ImageSettings(format: .yuv420p).exactly)
    let gap = try await generator.image(at: MediaTime(value: 9, timescale: 2))
    #expect(gap.frame.firstLuma == 16)
    await generator.close()
  }

  @Test func speedAndFreeze_showTheFramesThatArithmeticSays() async throws {
    var edit = TestEdit()
    edit.catalog.provide(MemoryMedia(), as: "a")
    // Double speed for one second, a freeze frame of one second, half speed for two seconds.
    let track = try edit.addTrack([
      ("a", .seconds(0, 2), .seconds(0, 1)),
      ("a", TimeRange(start: .seconds(5), duration: .zero), .seconds(1, 2)),
      ("a", .seconds(3, 4), .seconds(2, 4)),
    ])
    edit.instructions = [Instruction(timeRange: .seconds(0, 4), layers: [LayerInstruction(trackID: track)])]
    let plan = try RenderPlan(edit.validated())
    let lumas = Mutex<[UInt8]>([])
    let pipeline = try FrameScheduler(plan, settings: RenderSettings())
    try await pipeline.render(0..<plan.frameCount) { rendered in
      let luma = rendered.frame.firstLuma
      lumas.withLock { $0.append(luma) }
    }
    let expected =
      (0..<30).map { MemoryMedia.luma(ofFrame: $0 * 2) } + Array(repeating: MemoryMedia.luma(ofFrame: 150), count: 30)
      + (0..<60).map { MemoryMedia.luma(ofFrame: 90 + $0 / 2) }
    #expect(lumas.withLock { $0 } == expected)
    // 29 freeze frames and every second frame at half speed are the same as the one before.
    #expect(await pipeline.statistics().repeatedFrameCount == 29 + 30)
  }

  @Test func sameMediaInTwoTracks_hasTwoReaders() async throws {
    let media = MemoryMedia()
    var edit = TestEdit()
    edit.catalog.provide(media, as: "a")
    let a = try edit.addTrack([("a", .seconds(0, 2), .seconds(0, 2))])
    let b = try edit.addTrack([("a", .seconds(4, 6), .seconds(0, 2))])
    var half = LayerInstruction(trackID: a)
    try half.opacity.set(0.5, at: .zero)
    edit.instructions = [Instruction(timeRange: .seconds(0, 2), layers: [half, LayerInstruction(trackID: b)])]
    _ = try await hashes(edit, settings: RenderSettings())
    #expect(media.openedCount == 2)
    #expect(media.openNow == 0)
  }

  @Test func manySegments_holdFewDecoders() async throws {
    let media = MemoryMedia(size: PixelSize(width: 16, height: 16), frameCount: 1000)
    var edit = TestEdit()
    edit.catalog.provide(media, as: "a")
    edit.size = media.size
    let frame = MediaTime(value: 1, timescale: 30)
    // 10,000 clips of one frame, each far from the one before.
    let track = try edit.addTrack(
      (0..<10_000).map { index in
        let start = frame * ((index * 337) % 1000)
        return ("a", TimeRange(start: start, duration: frame), TimeRange(start: frame * index, duration: frame))
      })
    edit.instructions = [
      Instruction(
        timeRange: TimeRange(start: .zero, duration: frame * 10_000), layers: [LayerInstruction(trackID: track)])
    ]
    let plan = try RenderPlan(edit.validated())
    #expect(plan.frameCount == 10_000)
    let pipeline = try FrameScheduler(plan, settings: RenderSettings())
    let wrong = Mutex(0)
    try await pipeline.render(0..<plan.frameCount) { rendered in
      let isRight = rendered.frame.firstLuma == MemoryMedia.luma(ofFrame: (rendered.index * 337) % 1000)
      wrong.withLock { $0 += isRight ? 0 : 1 }
    }
    #expect(wrong.withLock { $0 } == 0)
    let peak = media.peakOpen
    #expect(peak <= 12)
    #expect(media.openNow == 0)
    let allocations = await pipeline.statistics().pixelAllocationCount
    #expect(allocations <= 16, "pixel memory is reused")
    print("10,000 clips: at most \(peak) decoders open at a time, \(media.openedCount) opened, \(allocations) allocations")
  }

  @Test func decodingFailure_isLocatedAndLeavesNothingOpen() async throws {
    let media = MemoryMedia(failsFrom: 40)
    let edit = try dissolve(media: media)
    let plan = try RenderPlan(edit.validated())
    let pipeline = try FrameScheduler(plan, settings: RenderSettings(threadCount: 4))
    let delivered = Mutex(0)
    let error = await #expect(throws: CompositorError.self) {
      try await pipeline.render(0..<plan.frameCount) { _ in delivered.withLock { $0 += 1 } }
    }
    #expect(error?.code == .decodeFailed)
    #expect(error?.location.file == "custom:a")
    #expect(error?.location.track == 1)
    #expect(error?.location.instruction == 0)
    #expect(error?.location.time == MediaTime(value: 40, timescale: 30))
    #expect(delivered.withLock { $0 } == 40, "the frames before the failure are delivered")
    #expect(media.openNow == 0)
  }

  @Test func cancellation_endsSoonWithEverythingClosed() async throws {
    let media = MemoryMedia(frameCount: 300, decodingMicroseconds: 20_000)
    let edit = try dissolve(media: media)
    let plan = try RenderPlan(edit.validated())
    let pipeline = try FrameScheduler(plan, settings: RenderSettings())
    let task = Task { try await pipeline.render(0..<plan.frameCount) { _ in } }
    try await Task.sleep(for: .milliseconds(200))
    let start = ContinuousClock.now
    task.cancel()
    let result = await task.result
    let elapsed = ContinuousClock.now - start
    let error = #expect(throws: CompositorError.self) { try result.get() }
    #expect(error?.code == .cancelled)
    #expect(elapsed < .seconds(2))
    #expect(media.openNow == 0)
    print("cancelled in \(elapsed)")
  }

  @Test func taker_thatThrows_endsTheRender() async throws {
    struct Full: Error {}
    let media = MemoryMedia()
    let edit = try dissolve(media: media)
    let plan = try RenderPlan(edit.validated())
    let pipeline = try FrameScheduler(plan, settings: RenderSettings(threadCount: 2))
    let error = await #expect(throws: CompositorError.self) {
      try await pipeline.render(0..<plan.frameCount) { rendered in
        if rendered.index == 7 { throw CompositorError(.writeFailed, "The disk is full.") }
      }
    }
    #expect(error?.code == .writeFailed)
    #expect(media.openNow == 0)
  }
}
