import CompositorAPI
import CompositorHost
import CompositorMedia
import CompositorMediaIO
import CompositorPlugins
import CompositorValidation
import CompositorTestMedia
import Synchronization
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Making an instance of a compositor may take long, and concerns only those who need it.
@Suite struct CompositorInstanceTests {
  private static let isOtherMade = Atomic<Bool>(false)
  private static let slowCount = Atomic<Int>(0)
  private static let sawOther = Atomic<Bool>(false)

  /// Waits in its initializer until the other one is made.
  private struct Slow: VideoCompositor {
    static let descriptor = CompositorDescriptor(id: "test.slow-to-make", name: "Slow")

    init(parameters: ParameterValues, context: RenderContext) throws {
      slowCount.add(1, ordering: .relaxed)
      for _ in 0..<2000 where !isOtherMade.load(ordering: .relaxed) { usleep(5000) }
      sawOther.store(isOtherMade.load(ordering: .relaxed), ordering: .relaxed)
    }

    func compose(_ request: CompositionRequest) throws -> Frame { try request.context.makeFrame(filledWith: .black) }
  }

  private struct Other: VideoCompositor {
    static let descriptor = CompositorDescriptor(id: "test.other", name: "Other")

    init(parameters: ParameterValues, context: RenderContext) throws {
      // Only once the slow one is being made.
      for _ in 0..<2000 where slowCount.load(ordering: .relaxed) == 0 { usleep(5000) }
      isOtherMade.store(true, ordering: .relaxed)
    }

    func compose(_ request: CompositionRequest) throws -> Frame { try request.context.makeFrame(filledWith: .white) }
  }

  @Test func initializer_thatTakesLong_doesNotKeepOthersWaiting() async throws {
    var edit = TestEdit()
    edit.catalog.provide(MemoryMedia(size: edit.size), as: "a")
    let track = try edit.addTrack([("a", .seconds(0, 2), .seconds(0, 2))])
    for (index, type) in ([Slow.self, Other.self] as [any VideoCompositor.Type]).enumerated() {
      try edit.registry.register(type)
      var instruction = Instruction(
        timeRange: .seconds(Int64(index), Int64(index) + 1), layers: [LayerInstruction(trackID: track)])
      instruction.compositor = type.descriptor.id
      edit.instructions.append(instruction)
    }
    let scheduler = try FrameScheduler(RenderPlan(edit.validated()), settings: RenderSettings(threadCount: 3))
    let lumas = try await withThrowingTaskGroup(of: UInt8.self) { group in
      // Two frames of the slow one, which share its instance, and one of the other.
      for index in [0, 1, 30] {
        let gathered = try await scheduler.gather(frame: index, follows: true)
        group.addTask(executorPreference: scheduler.composeExecutor) { try await scheduler.remake(gathered).firstLuma }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    await scheduler.close()
    #expect(lumas.sorted() == [16, 16, 235])
    let (sawOther, slowCount) = (Self.sawOther.load(ordering: .relaxed), Self.slowCount.load(ordering: .relaxed))
    #expect(sawOther && slowCount == 1)
  }
}
