import CompositorAPI
import CompositorHost
import CompositorMedia
import CompositorScheduling
import CompositorValidation
import CompositorTestMedia
import Testing

/// What a render takes, and how it is made to fit.
@Suite struct RenderFootprintTests {
  private func footprint(size: PixelSize, sources: Int) throws -> RenderFootprint {
    var edit = TestEdit()
    edit.size = size
    edit.catalog.provide(MemoryMedia(size: size), as: "a")
    var layers: [LayerInstruction] = []
    for _ in 0..<sources {
      var layer = LayerInstruction(trackID: try edit.addTrack([("a", .seconds(0, 2), .seconds(0, 2))]))
      try layer.opacity.set(0.5, at: .zero)
      layers.append(layer)
    }
    edit.instructions = [Instruction(timeRange: .seconds(0, 2), layers: layers)]
    let composition = try edit.validated()
    return RenderFootprint(composition, format: try RenderPlan(composition).format, delivery: .yuv420p)
  }

  private func settings(_ mebibytes: Int, processors: Int = 4) -> RenderSettings {
    var settings = RenderSettings()
    settings.budget = RenderBudget(
      RenderBudget.Limits(processorCount: processors, memoryByteCount: RenderBudget.programByteCount + mebibytes << 20))
    return settings
  }

  @Test func settings_withoutALimit_stayAsTheyAre() throws {
    let fitted = try footprint(size: PixelSize(width: 1920, height: 1080), sources: 1).fitting(RenderSettings())
    #expect(fitted.framesInFlight == nil && fitted.decoderThreadCount == nil && fitted.maximumSpareDecoders == 8)
  }

  @Test(arguments: [1, 2, 4], [(640, 360), (1920, 1080), (3840, 2160)])
  func lessMemory_givesFewerFramesAndThreads_untilNothingFits(sources: Int, size: (Int, Int)) throws {
    let footprint = try footprint(size: PixelSize(width: size.0, height: size.1), sources: sources)
    var (first, before): ((frames: Int, threads: Int)?, (frames: Int, threads: Int)?)
    var (accepted, refused) = (0, 0)
    for exponent in stride(from: 26.0, through: 0, by: -1) {
      let limit = Int(1.35.power(exponent)) + 1
      do throws(CompositorError) {
        let fitted = try footprint.fitting(settings(limit))
        #expect(footprint.byteCount(fitted) <= limit << 20, "\(limit) MiB")
        let now = (frames: fitted.framesInFlight ?? 0, threads: fitted.decoderThreadCount ?? 0)
        #expect(now.frames >= 1 && now.threads >= 1 && refused == 0)
        if let before { #expect(now.frames <= before.frames && now.threads <= before.threads, "\(limit) MiB") }
        first = first ?? now
        before = now
        accepted += 1
      } catch {
        #expect(error.code == .resourceExhausted)
        refused += 1
      }
    }
    let (most, least) = (try #require(first), try #require(before))
    #expect(accepted > 2 && refused > 2 && (least.frames < most.frames || least.threads < most.threads), "\(most) \(least)")
  }

  @Test func frames_thatDoNotFit_areRefusedBeforeAnythingIsOpened() async throws {
    let media = MemoryMedia(size: PixelSize(width: 1920, height: 1080))
    var edit = TestEdit()
    edit.size = media.size
    edit.catalog.provide(media, as: "a")
    let track = try edit.addTrack([("a", .seconds(0, 2), .seconds(0, 2))])
    edit.instructions = [Instruction(timeRange: .seconds(0, 2), layers: [LayerInstruction(trackID: track)])]
    let plan = try RenderPlan(edit.validated())
    #expect(throws: CompositorError.self) { try FrameScheduler(plan, settings: settings(8)) }
    #expect(media.openedCount == 0)
    let scheduler = try FrameScheduler(plan, settings: settings(400))
    try await scheduler.render(0..<10) { _ in }
  }
}

extension Double {
  fileprivate func power(_ exponent: Double) -> Double { (0..<Int(exponent)).reduce(1) { value, _ in value * self } }
}
