import CompositorMedia
import CompositorPlugins
import CompositorAPI
import CompositorHost
import CompositorProjectFormat
import CompositorScheduling
import CompositorTimeline
import CompositorValidation
import CompositorTestMedia
import Synchronization
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Returns the frame of its first track, or fills the frame with a color from its parameters.
private struct Painter: VideoCompositor {
  static let descriptor = CompositorDescriptor(id: "test.painter", name: "Painter") {
    $0.parameters = [ParameterDescription("grey", .number(minimum: 0, maximum: 1, unit: ""), summary: "How bright.")]
  }
  private let grey: Double
  init(parameters: ParameterValues, context: RenderContext) throws { grey = parameters["grey"]?.number ?? 0 }
  func compose(_ request: CompositionRequest) throws -> Frame {
    try request.context.makeFrame(filledWith: Color(red: grey, green: grey, blue: grey, transfer: .bt709))
  }
}

private struct Handover: VideoCompositor {
  static let descriptor = CompositorDescriptor(id: "test.handover", name: "Handover") { $0.sourceFormats = .any }
  init(parameters: ParameterValues, context: RenderContext) throws {}
  func compose(_ request: CompositionRequest) throws -> Frame {
    guard let frame = request.instruction.requiredTrackIDs.lazy.compactMap(request.frame).first else {
      return try request.context.makeFrame(filledWith: .black)
    }
    return frame
  }
}

private struct Refusing: VideoCompositor {
  struct NoMood: Error {}
  static let descriptor = CompositorDescriptor(id: "test.refusing", name: "Refusing")
  init(parameters: ParameterValues, context: RenderContext) throws {}
  func compose(_ request: CompositionRequest) throws -> Frame { throw NoMood() }
}

private struct WrongSize: VideoCompositor {
  static let descriptor = CompositorDescriptor(id: "test.wrongsize", name: "Wrong size")
  init(parameters: ParameterValues, context: RenderContext) throws {}
  func compose(_ request: CompositionRequest) throws -> Frame {
    try request.context.pool.makeFrame(format: .yuv420p, size: PixelSize(width: 8, height: 8)).freeze()
  }
}

/// Holds its thread for as long as the test says, whatever happens.
private struct Hanging: VideoCompositor {
  static let descriptor = CompositorDescriptor(id: "test.hanging", name: "Hanging")
  static let release = Atomic<Bool>(false)
  init(parameters: ParameterValues, context: RenderContext) throws {}
  func compose(_ request: CompositionRequest) throws -> Frame {
    while !Self.release.load(ordering: .relaxed) { usleep(10_000) }
    return try request.context.makeFrame(filledWith: .black)
  }
}

/// Notices when two requests are inside at a time.
private struct OneAtATime: VideoCompositor {
  static let descriptor = CompositorDescriptor(id: "test.serial", name: "Serial") { $0.concurrency = .serial }
  static let state = Mutex((inside: 0, worst: 0, made: 0))
  init(parameters: ParameterValues, context: RenderContext) throws { Self.state.withLock { $0.made += 1 } }
  func compose(_ request: CompositionRequest) async throws -> Frame {
    Self.state.withLock { state in
      state.inside += 1
      state.worst = max(state.worst, state.inside)
    }
    try await Task.sleep(for: .milliseconds(1))
    Self.state.withLock { $0.inside -= 1 }
    return try request.context.makeFrame(filledWith: .white)
  }
}

/// An actor is a compositor too.
private actor Counter: VideoCompositor {
  static let descriptor = CompositorDescriptor(id: "test.actor", name: "Actor")
  private var count = 0
  init(parameters: ParameterValues, context: RenderContext) throws {}
  func compose(_ request: CompositionRequest) throws -> Frame {
    count += 1
    return try request.context.makeFrame(filledWith: .black)
  }
}

/// Makes RGBA and nothing else: one gray, 128.
private struct GreyRGBA: VideoCompositor {
  static let descriptor = CompositorDescriptor(id: "test.greyrgba", name: "Grey RGBA") {
    $0.sourceFormats = .oneOf([.rgba])
    $0.outputFormats = [.rgba]
  }
  init(parameters: ParameterValues, context: RenderContext) throws {}
  func compose(_ request: CompositionRequest) throws -> Frame {
    guard request.sources.values.allSatisfy({ $0.frame.format == .rgba }) else { throw CancellationError() }
    var frame = try request.context.makeFrame()
    frame.fill(codes: [128, 128, 128, 255])
    return frame.freeze()
  }
}

/// Says that its frames are its source's; would fail if it were called.
private struct Needless: VideoCompositor, SelectiveComposer {
  static let descriptor = CompositorDescriptor(id: "test.needless", name: "Needless")
  init(parameters: ParameterValues, context: RenderContext) throws {}
  func regionsOfInterest(for request: CompositionRequest) -> RegionsOfInterest {
    request.instruction.requiredTrackIDs.first.map(RegionsOfInterest.identity) ?? .everything
  }
  func compose(_ request: CompositionRequest) throws -> Frame { throw CancellationError() }
}

@Suite struct CompositorDispatchTests {
  private func edit(
    _ compositors: [any VideoCompositor.Type], parameters: [ParameterValues] = [], size: PixelSize? = nil
  ) throws -> TestEdit {
    var edit = TestEdit()
    edit.catalog.provide(MemoryMedia(size: size ?? edit.size), as: "a")
    let count = Int64(compositors.count)
    let track = try edit.addTrack([("a", .seconds(0, count), .seconds(0, count))])
    for (index, type) in compositors.enumerated() {
      try edit.registry.register(type)
      var instruction = Instruction(
        timeRange: .seconds(Int64(index), Int64(index) + 1), layers: [LayerInstruction(trackID: track)])
      instruction.compositor = type.descriptor.id
      if parameters.indices.contains(index) { instruction.parameters = parameters[index] }
      edit.instructions.append(instruction)
    }
    return edit
  }

  private func render(
    _ edit: TestEdit, settings: RenderSettings = RenderSettings(threadCount: 3)
  ) async throws -> (lumas: [UInt8], statistics: RenderStatistics) {
    let plan = try RenderPlan(edit.validated())
    let pipeline = try FrameScheduler(plan, settings: settings)
    let lumas = Mutex<[UInt8]>([])
    try await pipeline.render(0..<plan.frameCount) { rendered in
      let luma = rendered.frame.firstLuma
      lumas.withLock { $0.append(luma) }
    }
    return (lumas.withLock { $0 }, await pipeline.statistics())
  }

  @Test func severalCompositors_inOneTimeline_eachServeTheirInstruction() async throws {
    let edit = try edit(
      [Painter.self, Handover.self, Painter.self, Counter.self], parameters: [["grey": .number(1)], [:], ["grey": .number(0)]])
    let (lumas, statistics) = try await render(edit)
    try #require(lumas.count == 120)
    #expect(Set(lumas[0..<30]) == [235])
    #expect(lumas[30..<60].elementsEqual((30..<60).map { MemoryMedia.luma(ofFrame: $0) }))
    #expect(Set(lumas[60..<120]) == [16])
    #expect(statistics.routes == [.custom: 120])
  }

  @Test func sourceReturnedAsIs_ofAnotherSize_isFittedToTheCanvas() async throws {
    let edit = try edit([Handover.self], size: PixelSize(width: 32, height: 18))
    let (lumas, _) = try await render(edit)
    #expect(lumas == (0..<30).map { MemoryMedia.luma(ofFrame: $0) })
  }

  /// What a returned source leaves free has the instruction's color, as with pass-through.
  @Test func sourceReturnedAsIs_ofAnotherShape_isOnTheInstructionsBackground() async throws {
    for compositor in [Handover.self, Needless.self] as [any VideoCompositor.Type] {
      var edit = try edit([compositor], size: PixelSize(width: 16, height: 36))
      edit.instructions[0].backgroundColor = .white
      let (lumas, _) = try await render(edit)
      #expect(Set(lumas) == [235], "\(compositor)")
    }
  }

  @Test func compositorOfOneFormat_isAskedForItAndItsFramesAreConverted() async throws {
    let (lumas, _) = try await render(edit([GreyRGBA.self]))
    // 16 + 219 · 128/255
    #expect(Set(lumas) == [126])
  }

  @Test func frameIdenticalToASource_isHandedOnWithoutACall() async throws {
    let (lumas, _) = try await render(edit([Needless.self]))
    #expect(lumas == (0..<30).map { MemoryMedia.luma(ofFrame: $0) })
  }

  @Test func module_underATakenID_isRefusedByBothNames() throws {
    var registry = CompositorRegistry.builtIn
    let plugin = CompositorFactory(Painter.descriptor, plugin: "/plugins/painter.so") { parameters, context in
      try Painter(parameters: parameters, context: context)
    }
    try registry.register(plugin)
    try registry.register(plugin)
    let error = #expect(throws: CompositorError.self) { try registry.register(Painter.self) }
    #expect(error?.message.contains("/plugins/painter.so") == true)
    #expect(error?.recoverySuggestion?.contains("Painter") == true)
  }

  @Test func throwingCompositor_isNamedWithInstructionTimeAndCause() async throws {
    let edit = try edit([Handover.self, Refusing.self])
    let error = await #expect(throws: CompositorError.self) { try await render(edit) }
    #expect(error?.code == .compositorFailed)
    #expect(error?.location.instruction == 1)
    #expect(error?.location.time == .seconds(1))
    #expect(error?.location.compositor == "test.refusing")
    #expect(error?.cause?.contains("NoMood") == true)
  }

  @Test func frameOfTheWrongSize_isRefused() async throws {
    let error = await #expect(throws: CompositorError.self) { try await render(edit([WrongSize.self])) }
    #expect(error?.code == .invalidCompositorOutput)
    #expect(error?.location.compositor == "test.wrongsize")
    #expect(error?.location.instruction == 0)
    #expect(error?.location.time == .zero)
  }

  @Test func hangingCompositor_isGivenUpAndTheHostLives() async throws {
    let start = ContinuousClock.now
    let hanging = try edit([Hanging.self])
    var limited = RenderSettings(compositorDeadline: .milliseconds(200))
    limited.budget = RenderBudget(RenderBudget.Limits(processorCount: 1))
    let (settings, threads) = (limited, limited.budget.composing)
    let error = await #expect(throws: CompositorError.self) { try await render(hanging, settings: settings) }
    #expect(error?.code == .compositorTimedOut)
    #expect(error?.location.compositor == "test.hanging")
    // Generous, because a busy machine is slow too; without a deadline it would never end.
    #expect(ContinuousClock.now - start < .seconds(30))
    // The threads are still held: everything else goes on.
    let (lumas, _) = try await render(edit([Handover.self]))
    #expect(lumas.count == 30 && threads.jobLimit > 1)
    Hanging.release.store(true, ordering: .relaxed)
    // The threads are back, so that none is replaced any longer.
    for _ in 0..<1000 where threads.jobLimit > 1 { try await Task.sleep(for: .milliseconds(10)) }
    #expect(threads.jobLimit == 1)
  }

  @Test func serialCompositor_getsOneRequestAtATimeAndOneInstance() async throws {
    let (lumas, _) = try await render(edit([OneAtATime.self, OneAtATime.self]))
    #expect(Set(lumas) == [235])
    #expect(OneAtATime.state.withLock { $0.worst } == 1)
    #expect(OneAtATime.state.withLock { $0.made } == 1)
  }

  @Test func overheadOfThePipeline_perFrame_isPrinted() async throws {
    var edit = try edit([Handover.self])
    let media = MemoryMedia(size: edit.size, frameCount: 9000)
    edit.catalog.provide(media, as: "a")
    edit.composition = Composition()
    let track = try edit.addTrack([("a", .seconds(0, 300), .seconds(0, 300))])
    edit.instructions[0].timeRange = .seconds(0, 300)
    edit.instructions[0].layers = [LayerInstruction(trackID: track)]
    let plan = try RenderPlan(edit.validated())
    let pipeline = try FrameScheduler(plan, settings: RenderSettings())
    let start = ContinuousClock.now
    try await pipeline.render(0..<plan.frameCount) { _ in }
    let elapsed = ContinuousClock.now - start
    print("pipeline overhead: \(elapsed / plan.frameCount) a frame over \(plan.frameCount) frames of 64x36")
    #expect(await pipeline.statistics().routes == [.custom: 9000])
  }
}
