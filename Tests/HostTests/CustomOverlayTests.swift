import CompositorAPI
import CompositorHost
import CompositorMedia
import CompositorValidation
import CompositorTestMedia
import Synchronization
import Testing

/// An overlay that counts the requests for its appearance, and returns the changed frame.
private final class CountingOverlay: FrameOverlay {
  let times = Mutex<[MediaTime]>([])
  private let change: @Sendable (consuming Frame, RenderContext) throws -> Frame

  init(_ change: @escaping @Sendable (consuming Frame, RenderContext) throws -> Frame = { frame, _ in frame }) {
    self.change = change
  }

  func appearance(at time: MediaTime) -> Int? {
    times.withLock { $0.append(time) }
    return 1
  }

  func draw(_ appearance: Int, over frame: consuming Frame, context: RenderContext) throws -> Frame {
    try change(frame, context)
  }
}

/// Overlays of the user's own.
struct CustomOverlayTests {
  /// Three seconds of a source of 30 frames a second, in an output of `rate` frames a second.
  private func edit(rate: Int32 = 30) throws -> TestEdit {
    var edit = TestEdit()
    edit.catalog.provide(MemoryMedia(format: .yuv420p), as: "a")
    let track = try edit.addTrack([("a", .seconds(0, 3), .seconds(0, 3))])
    edit.instructions = [Instruction(timeRange: .seconds(0, 3), layers: [LayerInstruction(trackID: track)])]
    edit.frameDuration = MediaTime(value: 1, timescale: rate)
    return edit
  }

  /// Frames of twice the source's rate come in equal pairs: what shows has to be known to find that out, and is not asked again.
  @Test(arguments: [1, 2], [30, 60] as [Int32])
  func appearance_ofEachFrame_isAskedOnce(threads: Int, rate: Int32) async throws {
    let plan = try RenderPlan(edit(rate: rate).validated())
    let overlay = CountingOverlay()
    try await FrameScheduler(plan, settings: RenderSettings(threadCount: threads, overlays: [overlay])).render(
      0..<plan.frameCount
    ) { _ in }
    let times = overlay.times.withLock { $0 }
    #expect(times.count == plan.frameCount && Set(times).count == plan.frameCount)
  }

  private func error(of overlay: CountingOverlay) async throws -> CompositorError? {
    let plan = try RenderPlan(edit().validated())
    return await #expect(throws: CompositorError.self) {
      try await FrameScheduler(plan, settings: RenderSettings(overlays: [overlay])).render(0..<1) { _ in }
    }
  }

  @Test func overlay_returningAnotherFormat_isNamed() async throws {
    let error = try await error(
      of: CountingOverlay { frame, context in
        try context.pool.makeFrame(format: .yuv444p, size: frame.size, attributes: frame.attributes).freeze()
      })
    #expect(
      error?.code == .invalidCompositorOutput && error?.message.contains("yuv444p") == true, "\(String(describing: error))")
  }

  @Test func overlay_returningOtherAttributes_isToldSo() async throws {
    let error = try await error(
      of: CountingOverlay { frame, _ in
        var changed = frame
        changed.attributes.color = .bt601_625
        return changed
      })
    #expect(
      error?.code == .invalidCompositorOutput && error?.message.contains("attributes") == true, "\(String(describing: error))")
  }
}
