import CompositorAPI
import CompositorHost
import CompositorMedia
import CompositorPlugins
import CompositorValidation
import CompositorTestMedia
import Foundation
import Synchronization
import Testing

/// A frame of luma 200, whatever it is given.
private struct Bright: VideoCompositor {
  static let descriptor = CompositorDescriptor(id: "test.bright", name: "Bright") {
    $0.role = .effect
    $0.isTimeInvariant = true
  }
  init(parameters: ParameterValues, context: RenderContext) throws {}
  func compose(_ request: CompositionRequest) throws -> Frame {
    #expect(request.sources.count == 1 && request.instruction.additionalTrackIDs.isEmpty)
    return try request.context.makeFrame(codes: 200)
  }
}

/// The frame before.
private struct Late: VideoCompositor, SelectiveComposer {
  static let descriptor = CompositorDescriptor(id: "test.late", name: "Late") {
    $0.role = .effect
    $0.needsOtherTimes = true
  }
  init(parameters: ParameterValues, context: RenderContext) throws {}
  func regionsOfInterest(for request: CompositionRequest) -> RegionsOfInterest {
    .sources(request.instruction.requiredTrackIDs.map { RegionOfInterest($0, at: request.time(offsetByFrames: -1)) })
  }
  func compose(_ request: CompositionRequest) throws -> Frame { try #require(request.requestedSources.first?.source).frame }
}

/// The mask itself.
private struct Taker: VideoCompositor {
  static let descriptor = CompositorDescriptor(id: "test.taker", name: "Taker") {
    $0.role = .effect
    $0.isTimeInvariant = true
    $0.takesMask = true
  }
  init(parameters: ParameterValues, context: RenderContext) throws {}
  func compose(_ request: CompositionRequest) throws -> Frame {
    guard let mask = request.instruction.additionalTrackIDs.first else { return try request.context.makeFrame(codes: 77) }
    #expect(request.instruction.requiredTrackIDs.count == 2 && request.sources.count == 2)
    let frame = try #require(request.frame(mask))
    #expect(frame.format == request.context.outputFormat && frame.size == request.context.size)
    return try request.context.makeFrame(codes: Double(frame.firstLuma))
  }
}

/// The mask of the frame before.
private struct LateTaker: VideoCompositor, SelectiveComposer {
  static let descriptor = CompositorDescriptor(id: "test.late-taker", name: "Late taker") {
    $0.role = .effect
    $0.needsOtherTimes = true
    $0.takesMask = true
  }
  init(parameters: ParameterValues, context: RenderContext) throws {}
  func regionsOfInterest(for request: CompositionRequest) -> RegionsOfInterest {
    .sources(request.instruction.additionalTrackIDs.map { RegionOfInterest($0, at: request.time(offsetByFrames: -1)) })
  }
  func compose(_ request: CompositionRequest) throws -> Frame {
    let frame = try #require(request.requestedSources.first?.source).frame
    return try request.context.makeFrame(codes: Double(frame.firstLuma))
  }
}

/// The first layer's frame; it must not see masks.
private struct Plain: VideoCompositor {
  static let descriptor = CompositorDescriptor(id: "test.plain", name: "Plain")
  init(parameters: ParameterValues, context: RenderContext) throws {}
  func compose(_ request: CompositionRequest) throws -> Frame {
    #expect(request.sources.count == 1)
    return try #require(request.instruction.requiredTrackIDs.lazy.compactMap(request.frame).first)
  }
}

extension RenderContext {
  fileprivate func makeFrame(codes luma: Double) throws -> Frame {
    var frame = try makeFrame()
    frame.fill(codes: [luma, 128, 128, 255])
    return frame.freeze()
  }
}

/// Masks of effects in the pipeline: where and when they are read, and who sees them.
@Suite struct MaskedEffectTests {
  /// One second of a clip whose frame n has the luma 16 + n, and of a mask, whose frame n is (60 + n) / 219.
  private func edit(
    mask size: PixelSize = PixelSize(width: 64, height: 36), emptyMask: Bool = false,
    _ change: (inout Instruction, EffectMask) throws -> Void
  ) throws -> TestEdit {
    var edit = TestEdit()
    edit.catalog.provide(MemoryMedia(), as: "a")
    edit.catalog.provide(MemoryMedia(size: size), as: "m")
    for type in [Bright.self, Late.self, Taker.self, LateTaker.self, Plain.self] as [any VideoCompositor.Type] {
      try edit.registry.register(type)
    }
    let track = try edit.addTrack([("a", .seconds(0, 1), .seconds(0, 1))])
    let mask = try edit.addTrack([(emptyMask ? nil : "m", .seconds(2, 3), .seconds(0, 1))])
    var instruction = Instruction(timeRange: .seconds(0, 1), layers: [LayerInstruction(trackID: track)])
    try change(&instruction, EffectMask(trackID: mask))
    edit.instructions = [instruction]
    return edit
  }

  private func use(_ id: CompositorID, _ mask: EffectMask?) -> EffectReference {
    var reference = EffectReference(id)
    reference.mask = mask
    return reference
  }

  private func render(_ edit: TestEdit, frames: Int = 30) async throws -> (lumas: [Int], statistics: RenderStatistics) {
    let plan = try RenderPlan(edit.validated())
    let pipeline = try FrameScheduler(plan, settings: RenderSettings(threadCount: 2))
    let lumas = Mutex<[Int]>([])
    try await pipeline.render(0..<frames) { rendered in
      let luma = Int(rendered.frame.firstLuma)
      lumas.withLock { $0.append(luma) }
    }
    return (lumas.withLock { $0 }, await pipeline.statistics())
  }

  /// The luma of frame n after ``Bright`` with the mask of frame n.
  private static func mixed(_ frame: Int, inverted: Bool = false) -> Int {
    let weight = Double(60 + frame) / 219
    return Int((Double(16 + frame) + Double(200 - 16 - frame) * (inverted ? 1 - weight : weight)).rounded())
  }
  private let mixed = (0..<30).map { MaskedEffectTests.mixed($0) }

  private func near(_ found: [Int], _ expected: [Int]) -> Bool {
    found.count == expected.count && zip(found, expected).allSatisfy { abs($0 - $1) <= 1 }
  }

  @Test(arguments: [PixelSize(width: 64, height: 36), PixelSize(width: 33, height: 17), PixelSize(width: 128, height: 128)])
  func movingMask_mixesEachFrame(_ size: PixelSize) async throws {
    for isInverted in [false, true] {
      let edit = try edit(mask: size) { instruction, mask in
        var mask = mask
        mask.isInverted = isInverted
        instruction.layers[0].effects = [use("test.bright", mask)]
      }
      let expected = (0..<30).map { Self.mixed($0, inverted: isInverted) }
      #expect(near(try await render(edit).lumas, expected))
    }
  }

  @Test func instructionEffects_andPassthrough_areMasked() async throws {
    let own = try edit { instruction, mask in instruction.effects = [use("test.bright", mask)] }
    #expect(near(try await render(own).lumas, mixed))
    let passthrough = try edit { instruction, mask in
      instruction.content = .passthrough(instruction.layers[0].trackID)
      instruction.effects = [use("test.bright", mask)]
    }
    #expect(near(try await render(passthrough).lumas, mixed))
    #expect(passthrough.instructions[0].maskTrackIDs.count == 1)
  }

  @Test func compositors_seeNoMasks() async throws {
    let edit = try edit { instruction, mask in
      instruction.compositor = "test.plain"
      instruction.layers[0].effects = [use("test.bright", mask)]
      instruction.effects = [use("test.bright", mask)]
    }
    // Once, and again over the result.
    let twice = mixed.enumerated().map { frame, luma in luma + Int(Double(200 - luma) * Double(60 + frame) / 219) }
    #expect(near(try await render(edit).lumas, twice))
  }

  @Test func emptyMask_showsNoEffect() async throws {
    let plain = (0..<30).map { 16 + $0 }
    for (isInverted, channel) in [(false, EffectMask.Channel.luma), (false, .alpha), (true, .luma), (true, .alpha)] {
      let edit = try edit(emptyMask: true) { instruction, mask in
        var mask = mask
        (mask.isInverted, mask.channel) = (isInverted, channel)
        instruction.layers[0].effects = [use("test.bright", mask)]
      }
      #expect(try await render(edit).lumas == (isInverted ? Array(repeating: 200, count: 30) : plain))
    }
  }

  @Test func clip_isItsOwnMask() async throws {
    let edit = try edit { instruction, mask in
      let own = EffectMask(trackID: instruction.layers[0].trackID)
      instruction.layers[0].effects = [use("test.bright", own), use("test.taker", own)]
    }
    // The track's own frame, not the one after the first effect.
    #expect(try await render(edit).lumas == (0..<30).map { 16 + $0 })
  }

  @Test func frames_atOtherTimes_haveTheirMasks() async throws {
    let edit = try edit { instruction, mask in
      instruction.layers[0].effects = [use("test.bright", mask), use("test.late", nil)]
    }
    #expect(near(try await render(edit).lumas, [mixed[0]] + mixed.dropLast()))
    let composed = try self.edit { instruction, mask in
      instruction.effects = [use("test.bright", mask), use("test.late", nil)]
    }
    #expect(near(try await render(composed).lumas, [mixed[0]] + mixed.dropLast()))
  }

  @Test func compositors_thatTakeMasks_receiveThem() async throws {
    let values = (0..<30).map { 76 + $0 }
    for isOfLayer in [true, false] {
      for (id, expected) in [("test.taker" as CompositorID, values), ("test.late-taker", [76] + values.dropLast())] {
        let edit = try edit { instruction, mask in
          if isOfLayer { instruction.layers[0].effects = [use(id, mask)] } else { instruction.effects = [use(id, mask)] }
        }
        #expect(try await render(edit).lumas == expected, "\(id)")
      }
      let plain = try edit { instruction, _ in
        let taker = use("test.taker", nil)
        if isOfLayer { instruction.layers[0].effects = [taker] } else { instruction.effects = [taker] }
      }
      #expect(try await render(plain).lumas == Array(repeating: 77, count: 30))
    }
  }

  @Test func memory_isReused() async throws {
    for id in ["test.bright", "test.taker"] as [CompositorID] {
      let edit = try edit { instruction, mask in instruction.layers[0].effects = [use(id, mask)] }
      let few = try await render(edit, frames: 10).statistics.pixelAllocationCount
      let many = try await render(edit).statistics.pixelAllocationCount
      // How many frames are in flight at a time varies.
      #expect(many <= few + 6, "\(id): \(few) allocations for 10 frames, \(many) for 30")
    }
  }

  @Test func missingTrack_isADiagnostic() throws {
    let edit = try edit { instruction, _ in instruction.layers[0].effects = [use("test.bright", EffectMask(trackID: 99))] }
    let diagnostics = CompositionValidator.validate(edit.edit, catalog: edit.catalog, registry: edit.registry).diagnostics
    #expect(diagnostics.contains { $0.code == .invalidTrackIDInInstruction && $0.track == 99 })
    let good = try self.edit { instruction, mask in instruction.layers[0].effects = [use("test.bright", mask)] }
    let none = CompositionValidator.validate(good.edit, catalog: good.catalog, registry: good.registry).diagnostics
    #expect(none.isEmpty, "\(none)")
  }

  @Test func masks_surviveCoding() throws {
    let edit = try edit { instruction, mask in instruction.layers[0].effects = [use("test.bright", mask)] }.edit
    let data = try JSONEncoder().encode(edit)
    #expect(try JSONDecoder().decode(Edit.self, from: data) == edit)
  }
}
