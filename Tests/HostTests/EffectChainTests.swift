import CompositorMedia
import CompositorPlugins
import CompositorAPI
import CompositorExport
import CompositorValidation
import Foundation
import CompositorHost
import CompositorProjectFormat
import CompositorTimeline
import CompositorTestMedia
import Synchronization
import Testing

/// Adds to the luma of the one picture it is given; the amount may change over time.
private struct Adder: VideoCompositor {
  static let descriptor = CompositorDescriptor(id: "test.adder", name: "Adder") {
    $0.parameters = [
      ParameterDescription(
        "amount", .number(minimum: -100, maximum: 100, unit: "code values"), default: .number(1), isAnimatable: true,
        summary: "How much is added.")
    ]
    $0.role = .effect
    $0.isTimeInvariant = true
  }
  static let made = Mutex(0)
  init(parameters: ParameterValues, context: RenderContext) throws { Self.made.withLock { $0 += 1 } }
  func compose(_ request: CompositionRequest) throws -> Frame {
    let layer = try #require(request.instruction.layers.first)
    let source = try #require(request.sources[layer.trackID])
    #expect(request.instruction.layers.count == 1 && request.sources.count == 1)
    #expect(source.frame.size == request.context.size)
    let amount = Int(request.instruction.parameters["amount"]?.number ?? 0)
    var output = try request.context.makeFrame()
    output.withUnsafeMutablePlanes { to in
      source.frame.withUnsafePlanes { from in
        for index in 0..<from.count {
          for y in 0..<from[index].height {
            for x in 0..<from[index].width {
              let code = Int(from[index].base.load(fromByteOffset: y * from[index].stride + x, as: UInt8.self))
              to[index].base.storeBytes(
                of: UInt8(clamping: index == 0 ? code + amount : code), toByteOffset: y * to[index].stride + x, as: UInt8.self)
            }
          }
        }
      }
    }
    return output.freeze()
  }
}

private struct Failing: VideoCompositor {
  static let descriptor = CompositorDescriptor(id: "test.failing", name: "Failing") { $0.role = .effect }
  struct NoMood: Error {}
  init(parameters: ParameterValues, context: RenderContext) throws {}
  func compose(_ request: CompositionRequest) throws -> Frame { throw NoMood() }
}

/// Hands its first source on.
private struct First: VideoCompositor {
  static let descriptor = CompositorDescriptor(id: "test.first", name: "First")
  init(parameters: ParameterValues, context: RenderContext) throws {}
  func compose(_ request: CompositionRequest) throws -> Frame {
    try #require(request.instruction.requiredTrackIDs.lazy.compactMap(request.frame).first)
  }
}

@Suite struct EffectChainTests {
  private func add(_ amount: Double) -> EffectReference {
    EffectReference("test.adder", parameters: ["amount": .number(amount)])
  }

  /// One second of one track; frame n has the luma 16 + n.
  private func edit(
    size: PixelSize = PixelSize(width: 64, height: 36), _ change: (inout Instruction) throws -> Void
  ) throws -> TestEdit {
    var edit = TestEdit()
    edit.catalog.provide(MemoryMedia(size: size), as: "a")
    try edit.registry.register(Adder.self)
    try edit.registry.register(Failing.self)
    try edit.registry.register(First.self)
    let track = try edit.addTrack([("a", .seconds(0, 1), .seconds(0, 1))])
    var instruction = Instruction(timeRange: .seconds(0, 1), layers: [LayerInstruction(trackID: track)])
    try change(&instruction)
    edit.instructions = [instruction]
    return edit
  }

  private func lumas(_ edit: TestEdit) async throws -> (lumas: [Int], statistics: RenderStatistics) {
    let plan = try RenderPlan(edit.validated())
    let pipeline = try FrameScheduler(plan, settings: RenderSettings(threadCount: 2))
    let lumas = Mutex<[Int]>([])
    try await pipeline.render(0..<plan.frameCount) { rendered in
      let luma = Int(rendered.frame.firstLuma)
      lumas.withLock { $0.append(luma) }
    }
    return (lumas.withLock { $0 }, await pipeline.statistics())
  }

  private let plain = (0..<30).map { Int(MemoryMedia.luma(ofFrame: $0)) }

  @Test func layerAndInstructionEffects_inOrder_changeThePicture() async throws {
    let edit = try edit { instruction in
      // 100 is too much for the picture only before −100: the order shows.
      instruction.layers[0].effects = [add(100), add(100), add(-100)]
      instruction.effects = [add(7)]
    }
    let (lumas, _) = try await lumas(edit)
    #expect(lumas == plain.map { min($0 + 200, 255) - 100 + 7 })
  }

  @Test func effectsOverACompositorOfOnesOwn_andOverPassthrough_areApplied() async throws {
    let own = try edit { instruction in
      instruction.compositor = "test.first"
      instruction.layers[0].effects = [add(3)]
      instruction.effects = [add(4)]
    }
    #expect(try await lumas(own).lumas == plain.map { $0 + 7 })
    let passthrough = try edit { instruction in
      instruction.content = .passthrough(instruction.layers[0].trackID)
      instruction.effects = [add(4)]
    }
    #expect(try await lumas(passthrough).lumas == plain.map { $0 + 4 })
  }

  @Test func trackThatIsNamedASecondTime_isChangedToo() async throws {
    let edit = try edit { instruction in
      // As a transition names its two layers.
      instruction.compositor = "test.first"
      instruction.layers[0].effects = [add(3)]
      instruction.additionalTrackIDs = [instruction.layers[0].trackID]
    }
    #expect(try await lumas(edit).lumas == plain.map { $0 + 3 })
  }

  @Test func layerEffect_onASourceOfAnotherSize_worksInTheSourcesSize() async throws {
    let edit = try edit(size: PixelSize(width: 33, height: 17)) { instruction in
      instruction.layers[0].effects = [add(5)]
    }
    #expect(try await lumas(edit).lumas == plain.map { $0 + 5 })
  }

  @Test func trackShownTwice_withAndWithoutEffect_keepsBothPictures() async throws {
    let edit = try edit { instruction in
      var half = LayerInstruction(trackID: instruction.layers[0].trackID)
      try half.opacity.set(0.5, at: .zero)
      half.effects = [add(40)]
      instruction.layers.insert(half, at: 0)
    }
    #expect(try await lumas(edit).lumas == plain.map { $0 + 20 })
    let plan = try RenderPlan(edit.validated())
    #expect(try plan.route(ofInstruction: 0).route == .planar)
  }

  @Test func animatedParameter_changesEachFrame_withOneInstance() async throws {
    let before = Adder.made.withLock { $0 }
    var amount = PropertyTimeline(default: ParameterValue.number(0))
    try amount.setRamp(from: .number(0), to: .number(30), timeRange: .seconds(0, 1))
    let edit = try edit { instruction in
      instruction.effects = [EffectReference("test.adder", animatedParameters: ["amount": amount])]
    }
    #expect(try await lumas(edit).lumas == plain.enumerated().map { $1 + $0 })
    #expect(Adder.made.withLock { $0 } - before < 30)
  }

  @Test func wrongParametersAndNames_areFoundWithInstructionLayerAndEffect() throws {
    var fixed = PropertyTimeline(default: ParameterValue.number(0))
    try fixed.set(.number(500), at: .zero)
    let edit = try edit { instruction in
      instruction.layers[0].effects = [add(1), add(1000)]
      instruction.effects = [
        EffectReference("test.addre"), EffectReference("test.adder", animatedParameters: ["amount": fixed]),
        EffectReference("test.first", animatedParameters: ["amount": fixed]),
      ]
    }
    let messages = CompositionValidator.validate(edit.edit, catalog: edit.catalog, registry: edit.registry).errors
      .map(\.description)
    try #require(messages.count == 4)
    #expect(messages[0].contains("Instruction 0, effect 1 of layer 0") && messages[0].contains("1000"))
    #expect(messages[1].contains("Instruction 0, effect 0 ") && messages[1].contains("Did you mean “test.adder”"))
    #expect(messages[2].contains("effect 1") && messages[2].contains("500"))
    #expect(messages[3].contains("effect 2"))
  }

  @Test func failingEffect_isNamedWithItsPlace() async throws {
    let edit = try edit { $0.layers[0].effects = [add(1), EffectReference("test.failing")] }
    let error = await #expect(throws: CompositorError.self) { try await lumas(edit) }
    #expect(error?.code == .compositorFailed)
    #expect(error?.message.hasPrefix("Effect 1 of layer 0") == true)
    #expect(error?.location.compositor == "test.failing")
    #expect(error?.location.instruction == 0)
  }

  @Test func effects_countAsTweening_unlessDeclaredOtherwise() async throws {
    let still = try edit { instruction in
      instruction.layers[0].effects = [add(1)]
      instruction.effects = [add(1)]
    }
    #expect(still.instructions[0].containsTweening)
    var slow = still
    slow.frameDuration = MediaTime(value: 1, timescale: 60)
    // Two output frames for each source frame: the second is the first again, for the effect is declared time-invariant.
    let (lumas, statistics) = try await lumas(slow)
    #expect(lumas.count == 60 && statistics.repeatedFrameCount == 30)
  }

  @Test func explanation_namesEffectsAndParameters() throws {
    let edit = try edit { instruction in
      instruction.layers[0].effects = [add(2)]
      instruction.effects = [add(3)]
    }
    let text = try EditExplanation(edit.validated()).description
    #expect(text.contains("after test.adder (amount: 2"))
    #expect(text.contains("then test.adder (amount: 3"))
  }

  @Test func explanation_listsAnimatedProperties() throws {
    let edit = try edit { instruction in
      try instruction.layers[0].opacity.setRamp(from: 0, to: 1, timeRange: .seconds(0, 1))
      try instruction.layers[0].crop.set(Rect(x: 0, y: 0, width: 32, height: 36), at: .zero)
    }
    let layer = try EditExplanation(edit.validated()).instructions[0].layers[0]
    #expect(layer.animatedProperties == ["opacity"])
    let json = try JSONSerialization.jsonObject(with: JSONEncoder().encode(layer)) as? [String: Any]
    #expect(json?["animatedProperties"] as? [String] == ["opacity"])
  }

  @Test func edits_withoutEffects_areReadAsBefore() throws {
    var layer = LayerInstruction(trackID: 1)
    layer.effects = [add(2)]
    var instruction = Instruction(timeRange: .seconds(0, 1), layers: [layer])
    instruction.effects = [add(3)]
    let data = try JSONEncoder().encode(instruction)
    #expect(try JSONDecoder().decode(Instruction.self, from: data) == instruction)
    var object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    object["effects"] = nil
    object["animatedParameters"] = nil
    var layers = try #require(object["layers"] as? [[String: Any]])
    layers[0]["effects"] = nil
    object["layers"] = layers
    instruction.effects = []
    instruction.layers[0].effects = []
    let old = try JSONSerialization.data(withJSONObject: object)
    #expect(try JSONDecoder().decode(Instruction.self, from: old) == instruction)
  }
}
