import CompositorMedia
import CompositorPlugins
import CompositorAPI
import CompositorValidation
import Foundation
import CompositorHost
import CompositorExport
import CompositorProjectFormat
import CompositorTimeline
import CompositorMediaIO
import Synchronization
import CompositorTestMedia
import CompositorTestSupport
import Testing

/// now + 10 · (after − before) in luma: 20 more inside a clip of ``MemoryMedia``, 10 more in its first and last frame, where one
/// neighbor is the frame itself.
private struct Slope: VideoCompositor, SelectiveComposer {
  static let descriptor = CompositorDescriptor(id: "test.slope", name: "Slope") {
    $0.role = .effect
    $0.isTimeInvariant = true
    $0.needsOtherTimes = true
  }
  init(parameters: ParameterValues, context: RenderContext) throws {}
  func regionsOfInterest(for request: CompositionRequest) -> RegionsOfInterest {
    .sources(
      request.instruction.requiredTrackIDs.flatMap { track in
        [-1, 0, 1].map { RegionOfInterest(track, at: request.time(offsetByFrames: $0)) }
      })
  }
  func compose(_ request: CompositionRequest) throws -> Frame {
    let track = try #require(request.instruction.requiredTrackIDs.first)
    let frames = try [-1, 0, 1].map { try #require(request.frame(track, at: request.time(offsetByFrames: $0))) }
    let lumas = frames.map { Int($0.firstLuma) }
    #expect(request.requestedSources.count == 3 && request.sources.count == 1)
    return try request.context.makeFrame(luma: lumas[1] + 10 * (lumas[2] - lumas[0]))
  }
}

/// Returns the frame of a track at a distance of some frames.
private struct Shift: VideoCompositor, SelectiveComposer {
  static let descriptor = CompositorDescriptor(id: "test.shift", name: "Shift") {
    $0.parameters = [
      ParameterDescription("frames", .integer(minimum: -1000, maximum: 1000), default: .integer(0), summary: "How far.")
    ]
    $0.needsOtherTimes = true
  }
  let frames: Int
  init(parameters: ParameterValues, context: RenderContext) throws { frames = Int(parameters["frames"]?.number ?? 0) }
  func regionsOfInterest(for request: CompositionRequest) -> RegionsOfInterest {
    .sources(request.instruction.requiredTrackIDs.map { RegionOfInterest($0, at: request.time(offsetByFrames: frames)) })
  }
  func compose(_ request: CompositionRequest) throws -> Frame {
    #expect(frames == 0 || request.sources.isEmpty)
    guard let source = request.requestedSources.first?.source else { return try request.context.makeFrame(luma: 99) }
    return source.frame
  }
}

/// ``Shift`` by one frame back, of sources on the canvas.
private struct PlacedShift: VideoCompositor, SelectiveComposer {
  static let descriptor = CompositorDescriptor(id: "test.placed-shift", name: "Placed shift") {
    $0.placesSources = true
    $0.needsOtherTimes = true
  }
  init(parameters: ParameterValues, context: RenderContext) throws {}
  func regionsOfInterest(for request: CompositionRequest) -> RegionsOfInterest {
    .sources(request.instruction.requiredTrackIDs.map { RegionOfInterest($0, at: request.time(offsetByFrames: -1)) })
  }
  func compose(_ request: CompositionRequest) throws -> Frame { try #require(request.requestedSources.first?.source).frame }
}

/// Asks for what cannot be had.
private struct Greedy: VideoCompositor, SelectiveComposer {
  static let descriptor = CompositorDescriptor(id: "test.greedy", name: "Greedy") {
    $0.parameters = [ParameterDescription("what", .string, default: .string(""), summary: "What.")]
    $0.needsOtherTimes = true
  }
  let what: String
  init(parameters: ParameterValues, context: RenderContext) throws {
    if case .string(let what) = parameters["what"] { self.what = what } else { what = "" }
  }
  func regionsOfInterest(for request: CompositionRequest) throws -> RegionsOfInterest {
    let track = try #require(request.instruction.requiredTrackIDs.first)
    switch what {
    case "track": return .sources([RegionOfInterest(77, at: request.time)])
    case "time": return .sources([RegionOfInterest(track, at: .indefinite)])
    case "far": return .sources([RegionOfInterest(track, at: request.time + MediaTime(value: 301, timescale: 30))])
    case "many": return .sources((1...17).map { RegionOfInterest(track, at: request.time(offsetByFrames: $0)) })
    case "error": throw CompositorError(.compositorFailed, "It does not know.")
    default: return .everything
    }
  }
  func compose(_ request: CompositionRequest) throws -> Frame { try request.context.makeFrame(luma: 1) }
}

/// Asks for another time and does not say that it does.
private struct Undeclared: VideoCompositor, SelectiveComposer {
  static let descriptor = CompositorDescriptor(id: "test.undeclared", name: "Undeclared")
  init(parameters: ParameterValues, context: RenderContext) throws {}
  func regionsOfInterest(for request: CompositionRequest) -> RegionsOfInterest {
    .sources(request.instruction.requiredTrackIDs.map { RegionOfInterest($0, at: request.time(offsetByFrames: 1)) })
  }
  func compose(_ request: CompositionRequest) throws -> Frame { try request.context.makeFrame(luma: 1) }
}

private struct Ordered: VideoCompositor {
  static let descriptor = CompositorDescriptor(id: "test.ordered", name: "Ordered") {
    $0.concurrency = .inOrder
    $0.role = .effect
  }
  init(parameters: ParameterValues, context: RenderContext) throws {}
  func compose(_ request: CompositionRequest) throws -> Frame { try #require(request.sources.values.first).frame }
}

extension RenderContext {
  fileprivate func makeFrame(luma: Int) throws -> Frame {
    var frame = try makeFrame()
    frame.fill(codes: [Double(min(max(luma, 16), 235)), 128, 128, 255])
    return frame.freeze()
  }
}

@Suite struct OtherTimeTests {
  /// Clips of one track, each 64x36 at 30 frames a second, and one instruction over all of them.
  private func edit(
    _ clips: [(source: TimeRange, target: TimeRange)], _ change: (inout Instruction) throws -> Void
  ) throws -> TestEdit {
    var edit = TestEdit()
    edit.catalog.provide(MemoryMedia(), as: "a")
    let types: [any VideoCompositor.Type] = [
      Slope.self, Shift.self, PlacedShift.self, Greedy.self, Undeclared.self, Ordered.self,
    ]
    for type in types { try edit.registry.register(type) }
    let track = try edit.addTrack(clips.map { ("a", $0.source, $0.target) })
    let end = clips.last?.target.end ?? .zero
    var instruction = Instruction(
      timeRange: TimeRange(start: .zero, end: end), layers: [LayerInstruction(trackID: track)])
    try change(&instruction)
    edit.instructions = [instruction]
    return edit
  }

  private func lumas(
    _ edit: TestEdit, threads: Int = 3, frames: Range<Int>? = nil
  ) async throws -> [Int] {
    let plan = try RenderPlan(edit.validated())
    let pipeline = try FrameScheduler(plan, settings: RenderSettings(threadCount: threads))
    let lumas = Mutex<[Int]>([])
    try await pipeline.render(frames ?? 0..<plan.frameCount) { rendered in
      let luma = Int(rendered.frame.firstLuma)
      lumas.withLock { $0.append(luma) }
    }
    return lumas.withLock { $0 }
  }

  private func still(_ edit: TestEdit, at time: MediaTime) async throws -> Int {
    let generator = try ImageGenerator(edit.validated(), settings: ImageSettings(format: .yuv420p).exactly)
    let image = try await generator.image(at: time)
    await generator.close()
    return Int(image.frame.firstLuma)
  }

  /// What ``Slope`` makes of numbers in a row.
  private static func slope(_ values: [Int]) -> [Int] {
    values.indices.map { index in
      min(max(values[index] + 10 * (values[min(index + 1, values.count - 1)] - values[max(index - 1, 0)]), 16), 235)
    }
  }

  private static let second = (0..<30).map { Int(MemoryMedia.luma(ofFrame: $0)) }
  private static let slope = EffectReference("test.slope")

  /// As the effect of a clip, as the instruction's compositor and as the instruction's effect: whole, in parts, single pictures.
  @Test(arguments: ["layer", "compositor", "instruction"])
  func threeFrames_inEachPlace_areTheSameInAnyOrder(_ place: String) async throws {
    let edit = try edit([(.seconds(0, 1), .seconds(0, 1))]) { instruction in
      switch place {
      case "layer": instruction.layers[0].effects = [Self.slope]
      case "compositor": instruction.compositor = "test.slope"
      default: instruction.effects = [Self.slope]
      }
    }
    let expected = Self.slope(Self.second)
    #expect(try await lumas(edit) == expected)
    #expect(try await lumas(edit, threads: 1) == expected)
    #expect(try await lumas(edit, frames: 17..<23) == Array(expected[17..<23]))
    #expect(try await lumas(edit, frames: 29..<30) == [expected[29]])
    for index in [29, 0, 13, 12] {
      #expect(try await still(edit, at: MediaTime(value: Int64(index), timescale: 30)) == expected[index])
    }
    // Between two frames the neighbors are a frame's length away.
    #expect(try await still(edit, at: MediaTime(value: 41, timescale: 60)) == expected[20])
  }

  @Test func effectsOfEffects_askEachOther() async throws {
    let edit = try edit([(.seconds(0, 1), .seconds(0, 1))]) { instruction in
      instruction.layers[0].effects = [Self.slope, Self.slope]
      instruction.compositor = "test.shift"
      instruction.parameters = ["frames": .integer(2)]
      instruction.effects = [Self.slope]
    }
    let twice = Self.slope(Self.slope(Self.second))
    let shifted = twice.indices.map { twice[min($0 + 2, 29)] }
    #expect(try await lumas(edit) == Self.slope(shifted))
    #expect(try await lumas(edit, threads: 1, frames: 9..<12) == Array(Self.slope(shifted)[9..<12]))
  }

  /// A jump in the media is a clip's end; a cut in the middle of what goes on is none.
  @Test func clips_endWhereTheirMediaJumps() async throws {
    let jump = [(TimeRange.seconds(0, 1), TimeRange.seconds(0, 1)), (.seconds(3, 4), .seconds(1, 2))]
    let apart = try edit(jump) { $0.layers[0].effects = [Self.slope] }
    let second = (90..<120).map { Int(MemoryMedia.luma(ofFrame: $0)) }
    #expect(try await lumas(apart) == Self.slope(Self.second) + Self.slope(second))
    let split = [(TimeRange.seconds(0, 1), TimeRange.seconds(0, 1)), (.seconds(1, 2), .seconds(1, 2))]
    let whole = try edit(split) { $0.layers[0].effects = [Self.slope] }
    #expect(try await lumas(whole) == Self.slope((0..<60).map { Int(MemoryMedia.luma(ofFrame: $0)) }))
  }

  /// A clip goes on behind the instructions that show it; a composed picture does not.
  @Test func instructions_boundTheComposedPictureOnly() async throws {
    for place in ["layer", "instruction"] {
      var edit = try edit([(.seconds(0, 2), .seconds(0, 2))]) { instruction in
        if place == "layer" { instruction.layers[0].effects = [Self.slope] } else { instruction.effects = [Self.slope] }
      }
      edit.instructions = [edit.instructions[0], edit.instructions[0]]
      edit.instructions[0].timeRange = .seconds(0, 1)
      edit.instructions[1].timeRange = .seconds(1, 2)
      let both = (0..<60).map { Int(MemoryMedia.luma(ofFrame: $0)) }
      let expected = place == "layer" ? Self.slope(both) : Self.slope(Array(both[..<30])) + Self.slope(Array(both[30...]))
      #expect(try await lumas(edit) == expected, "\(place)")
    }
  }

  @Test(arguments: [-300, -40, -9, -2, 0, 3, 40, 300])
  func anyDistance_isServed(_ frames: Int) async throws {
    let edit = try edit([(.seconds(0, 4), .seconds(0, 4))]) { instruction in
      instruction.compositor = "test.shift"
      instruction.parameters = ["frames": .integer(frames)]
    }
    let expected = (0..<120).map { Int(MemoryMedia.luma(ofFrame: min(max($0 + frames, 0), 119))) }
    #expect(try await lumas(edit) == expected)
  }

  @Test func emptyEdit_hasNothingAtOtherTimes() async throws {
    var edit = try edit([(.seconds(0, 1), .seconds(0, 1))]) { instruction in
      instruction.compositor = "test.shift"
      instruction.parameters = ["frames": .integer(-10)]
    }
    // What lasts longer than the track that is shown.
    _ = try edit.addTrack([("a", .seconds(0, 2), .seconds(0, 2))])
    var rest = edit.instructions[0]
    rest.timeRange = .seconds(1, 2)
    edit.instructions.append(rest)
    let lumas = try await lumas(edit)
    #expect(Set(lumas[30...]) == [99])
  }

  /// Opacity that changes: the source of the frame before has the opacity of the frame before.
  @Test func placedSources_arePlacedAsAtTheirTime() async throws {
    let plain = try edit([(.seconds(0, 1), .seconds(0, 1))]) { instruction in
      try instruction.layers[0].opacity.setRamp(from: 1, to: 0.2, timeRange: .seconds(0, 1))
    }
    var shifted = plain
    shifted.instructions[0].compositor = "test.placed-shift"
    let (before, after) = (try await lumas(plain), try await lumas(shifted))
    #expect(after == [before[0]] + before.dropLast())
    #expect(Set(before).count > 5)
  }

  @Test(arguments: [
    ("track", "track 77"), ("time", "not a number of seconds"), ("far", "more than 10.0 s"), ("many", "17 sources"),
    ("error", "does not know"),
  ])
  func impossibleNeeds_areOneErrorWithItsPlace(_ what: String, _ says: String) async throws {
    let edit = try edit([(.seconds(0, 1), .seconds(0, 1))]) { instruction in
      instruction.compositor = "test.greedy"
      instruction.parameters = ["what": .string(what)]
    }
    do {
      _ = try await lumas(edit, frames: 7..<9)
      Issue.record("nothing was said")
    } catch let error as CompositorError {
      #expect(error.code == .compositorFailed && error.message.contains(says), "\(error)")
      #expect(error.location.instruction == 0 && error.location.compositor == "test.greedy")
      #expect(error.location.time == MediaTime(value: 7, timescale: 30))
    }
  }

  @Test func undeclaredTimes_areAnError() async throws {
    let edit = try edit([(.seconds(0, 1), .seconds(0, 1))]) { $0.compositor = "test.undeclared" }
    await #expect(throws: CompositorError.self) { _ = try await lumas(edit) }
  }

  @Test func framesInOrder_cannotBeAskedForAtOtherTimes() throws {
    let ordered = EffectReference("test.ordered")
    let changes: [(Bool, (inout Instruction) -> Void)] = [
      (false, { $0.layers[0].effects = [ordered, Self.slope] }),
      (
        false,
        {
          $0.layers[0].effects = [ordered]; $0.compositor = "test.shift"
        }
      ),
      (
        false,
        {
          $0.compositor = "test.ordered"; $0.effects = [Self.slope]
        }
      ),
      (true, { $0.layers[0].effects = [Self.slope, ordered] }),
      (
        true,
        {
          $0.compositor = "test.shift"; $0.effects = [ordered]
        }
      ),
    ]
    for (isAllowed, change) in changes {
      let edit = try edit([(.seconds(0, 1), .seconds(0, 1))]) { change(&$0) }
      let report = CompositionValidator.validate(edit.edit, catalog: edit.catalog, registry: edit.registry)
      #expect(report.errors.map(\.code) == (isAllowed ? [] : [.incompatibleCompositors]))
    }
  }

  @Test func effectInOrder_afterOneThatNeedsOtherTimes_isRendered() async throws {
    let edit = try edit([(.seconds(0, 1), .seconds(0, 1))]) {
      $0.layers[0].effects = [Self.slope, EffectReference("test.ordered")]
    }
    #expect(try await lumas(edit) == Self.slope(Self.second))
    #expect(try await lumas(edit, frames: 11..<14) == Array(Self.slope(Self.second)[11..<14]))
  }
}

/// What frames at other times cost in decoding: pictures that were decoded, of a movie with one key picture.
@Suite(.enabled(if: hasFFmpeg)) struct OtherTimeDecodingTests {
  private static let frameCount = 200

  private func decodedCount(frames: Int?, threads: Int) async throws -> Int {
    let folder = try TemporaryFolder()
    let clip = folder.url.appending(path: "clip.mp4").path
    try runProgram(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=\(Self.frameCount / 25)", "-c:v", "libx264", "-preset",
        "veryfast",
      ]
        + ["-g", "1000", "-sc_threshold", "0", "-bf", "3", clip])
    let catalog = MediaCatalog()
    var registry = CompositorRegistry.builtIn
    try registry.register(Slope.self)
    try registry.register(Shift.self)
    var edit = try Edit(showing: .file(path: clip), catalog: catalog)
    if let frames {
      let track = try #require(edit.composition.tracks(.video).first?.trackID)
      edit.videoComposition.instructions[0].layers = [LayerInstruction(trackID: track)]
      edit.videoComposition.instructions[0].compositor = frames == 1 ? "test.slope" : "test.shift"
      edit.videoComposition.instructions[0].parameters = frames == 1 ? [:] : ["frames": .integer(frames)]
    }
    let plan = try RenderPlan(CompositionValidator.validate(edit, catalog: catalog, registry: registry).get())
    let pipeline = try FrameScheduler(plan, settings: RenderSettings(threadCount: threads))
    try await pipeline.render(0..<plan.frameCount) { _ in }
    #expect(plan.frameCount == Self.frameCount)
    return await pipeline.statistics().decodedPictureCount
  }

  /// Neighbors come from what was decoded: as many pictures as without them, and no way back to the key picture.
  @Test(arguments: [1, 2, 4]) func threeFrames_areDecodedOnce(_ threads: Int) async throws {
    #expect(try await decodedCount(frames: nil, threads: threads) == Self.frameCount)
    #expect(try await decodedCount(frames: 1, threads: threads) == Self.frameCount)
  }

  /// Single frames that lie up to eight away come from the same decoder, others from one of their own.
  @Test func otherDistances_areDecodedOnceOrTwice() async throws {
    #expect(try await decodedCount(frames: -2, threads: 2) == Self.frameCount)
    #expect(try await decodedCount(frames: 8, threads: 2) == Self.frameCount)
    #expect(try await decodedCount(frames: -60, threads: 2) <= 2 * Self.frameCount + 20)
    #expect(try await decodedCount(frames: 60, threads: 2) <= 2 * Self.frameCount + 20)
  }
}
