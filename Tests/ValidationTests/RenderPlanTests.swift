import CompositorAPI
import CompositorHost
import CompositorMedia
import CompositorProjectFormat
import CompositorTimeline
import CompositorValidation
import CompositorTestMedia
import Testing

@Suite struct RenderPlanTests {
  @Test(arguments: [
    (MediaTime(value: 1001, timescale: 30000), MediaTime.seconds(10), 300),
    (MediaTime(value: 1, timescale: 25), MediaTime.seconds(10), 250),
    (MediaTime(value: 3, timescale: 10), MediaTime.seconds(1), 4),
    (MediaTime.seconds(60), MediaTime.seconds(1), 1),
  ])
  func frameCount_isDurationByFrameDurationRoundedUp(frameDuration: MediaTime, duration: MediaTime, count: Int) throws {
    var test = TestEdit()
    test.catalog.provide(MemoryMedia(), as: "a")
    let range = TimeRange(start: .zero, duration: duration)
    let track = try test.addTrack([("a", range, range)])
    test.instructions = [Instruction(timeRange: range, layers: [LayerInstruction(trackID: track)])]
    test.frameDuration = frameDuration
    let plan = try RenderPlan(test.validated())
    #expect(plan.frameCount == count)
    #expect(plan.request(forFrame: count - 1).time < duration)
    #expect(plan.request(forFrame: count - 1).duration == frameDuration)
    #expect(plan.request(forFrame: 0).sources.first?.mediaTime == .zero)
  }

  @Test func hundredThousandInstructions_loadInTwoSecondsAndAreFoundByTime() throws {
    var test = TestEdit()
    let frame = MediaTime(value: 1, timescale: 30)
    let count = 100_000
    test.catalog.provide(MemoryMedia(frameCount: count), as: "a")
    let range = TimeRange(start: .zero, duration: frame * count)
    let track = try test.addTrack(
      (0..<count).map { index in
        let place = TimeRange(start: frame * index, duration: frame)
        return ("a", place, place)
      })
    test.instructions = (0..<count).map { index in
      Instruction(
        timeRange: TimeRange(start: frame * index, duration: frame), layers: [LayerInstruction(trackID: track)])
    }
    #expect(test.composition.duration == range.end)
    let start = ContinuousClock.now
    let plan = try RenderPlan(test.validated())
    let loading = ContinuousClock.now - start
    #expect(loading < .seconds(10))
    let lookingUp = try ContinuousClock().measure {
      for index in stride(from: 0, to: count, by: 7) {
        let order = plan.request(forFrame: index)
        try #require(order.instructionIndex == index && order.sources.first?.mediaTime == frame * index)
      }
    }
    print("100,000 instructions: loaded in \(loading), one look-up \(lookingUp / (count / 7))")
  }

  @Test func routes_followTheInstructions() throws {
    var test = TestEdit()
    test.catalog.provide(MemoryMedia(), as: "a")
    test.catalog.provide(MemoryMedia(format: .yuv420p10), as: "deep")
    let a = try test.addTrack([("a", .seconds(0, 4), .seconds(0, 4))])
    let deep = try test.addTrack([("deep", .seconds(0, 4), .seconds(0, 4))])
    var half = LayerInstruction(trackID: a)
    try half.opacity.set(0.5, at: .zero)
    test.instructions = [
      Instruction(timeRange: .seconds(0, 1), layers: [LayerInstruction(trackID: deep)]),
      Instruction(timeRange: .seconds(1, 2), layers: [half, LayerInstruction(trackID: deep)]),
      Instruction(timeRange: .seconds(2, 4), layers: [LayerInstruction(trackID: a)]),
    ]
    let plan = try RenderPlan(test.validated())
    #expect(plan.format.pixelFormat == .yuv420p10, "the deepest source decides")
    #expect(try plan.route(ofInstruction: 0).route == .passthrough)
    #expect(try plan.route(ofInstruction: 1).route == .planar)
    #expect(try plan.route(ofInstruction: 2) == (.planar, "track 1 differs from the output only in how its samples are stored"))
  }
}
