import CompositorAPI
import CompositorHost
import CompositorMedia
import CompositorMediaIO
import CompositorProjectFormat
import CompositorTimeline
import CompositorValidation
import CompositorTestMedia
import Synchronization
import Testing

/// Long and wide timelines: few decoders, stated limits. What they cost is measured by `Benchmarks/scripts/bench-scale`.
@Suite struct ScaleTests {
  private static let frame = MediaTime(value: 1, timescale: 30)

  /// Clips of some frames of media in turns, each far from the one before in the same media.
  private func clips(_ count: Int, of media: [MemoryMedia], frames: Int, settings: RenderSettings) async throws -> (
    statistics: RenderStatistics, wrong: Int
  ) {
    var edit = TestEdit()
    for (index, media) in media.enumerated() { edit.catalog.provide(media, as: "\(index)") }
    edit.size = media[0].size
    @Sendable func start(_ clip: Int) -> Int { clip * 337 % (1000 - frames) }
    let track = try edit.addTrack(
      (0..<count).map { clip in
        (
          "\(clip % media.count)", TimeRange(start: Self.frame * start(clip), duration: Self.frame * frames),
          TimeRange(start: Self.frame * (clip * frames), duration: Self.frame * frames)
        )
      })
    edit.instructions = [
      Instruction(
        timeRange: TimeRange(start: .zero, duration: Self.frame * (count * frames)), layers: [LayerInstruction(trackID: track)])
    ]
    let plan = try RenderPlan(edit.validated())
    let scheduler = try FrameScheduler(plan, settings: settings)
    let wrong = Mutex(0)
    try await scheduler.render(0..<plan.frameCount) { rendered in
      let (clip, frame) = rendered.index.quotientAndRemainder(dividingBy: frames)
      let isRight = rendered.frame.firstLuma == MemoryMedia.luma(ofFrame: start(clip) + frame)
      wrong.withLock { $0 += isRight ? 0 : 1 }
    }
    return (await scheduler.statistics(), wrong.withLock { $0 })
  }

  @Test(arguments: [1, 2, 3], [1, 3, 40])
  func clips_inTurns_goOnWithDecodersThatAreFree(sources: Int, frames: Int) async throws {
    let media = (0..<sources).map { _ in MemoryMedia(size: PixelSize(width: 16, height: 16), frameCount: 1000) }
    let count = 1200 / frames
    let (statistics, wrong) = try await clips(count, of: media, frames: frames, settings: RenderSettings())
    let opened = media.map(\.openedCount).reduce(0, +)
    let peak = statistics.peakDecoderCount
    print("\(count) clips of \(frames) frames of \(sources) sources: \(opened) opened, \(peak) at a time")
    #expect(wrong == 0)
    #expect(media.allSatisfy { $0.openNow == 0 })
    #expect(statistics.peakDecoderCount <= AheadLimit(maximumCount: 8).maximumCount + 3)
    // Clips that last longer than is looked ahead close theirs before the next one of the same media comes.
    if frames < 10 { #expect(opened <= sources * (AheadLimit(maximumCount: 8).maximumCount + 3)) }
  }

  @Test(arguments: [0, 1, 8])
  func spareDecoders_areBounded(maximum: Int) async throws {
    let media = [MemoryMedia(size: PixelSize(width: 16, height: 16), frameCount: 1000)]
    let settings = RenderSettings(maximumSpareDecoders: maximum)
    let (statistics, wrong) = try await clips(200, of: media, frames: 3, settings: settings)
    #expect(wrong == 0)
    #expect(statistics.peakDecoderCount <= maximum + 2)
  }

  @Test func clipsThatFail_areNotGoneOnWith() async throws {
    // Every other clip begins where nothing can be decoded; what is missing is black, and the others are whole.
    let media = MemoryMedia(size: PixelSize(width: 16, height: 16), frameCount: 1000, failsFrom: 500)
    var edit = TestEdit()
    edit.catalog.provide(media, as: "a")
    edit.size = media.size
    let length = Self.frame * 3
    let track = try edit.addTrack(
      (0..<100).map { clip in
        let start = Self.frame * (clip % 2 == 0 ? clip * 4 : 500 + clip)
        return ("a", TimeRange(start: start, duration: length), TimeRange(start: length * clip, duration: length))
      })
    edit.instructions = [
      Instruction(timeRange: TimeRange(start: .zero, duration: length * 100), layers: [LayerInstruction(trackID: track)])
    ]
    let plan = try RenderPlan(edit.validated())
    let scheduler = try FrameScheduler(plan, settings: RenderSettings(damaged: .keep))
    let wrong = Mutex(0)
    try await scheduler.render(0..<plan.frameCount) { rendered in
      let (clip, frame) = rendered.index.quotientAndRemainder(dividingBy: 3)
      let expected = clip % 2 == 0 ? MemoryMedia.luma(ofFrame: clip * 4 + frame) : 16
      if rendered.frame.firstLuma != expected { wrong.withLock { $0 += 1 } }
    }
    #expect(wrong.withLock { $0 } == 0)
    #expect(media.openNow == 0)
  }

  typealias LimitCase = (picture: Int, others: [Int], isAdmitted: Bool)
  static let limits: [LimitCase] = [
    (3 << 20, [], true), (3 << 20, [3 << 20], true),
    // The first may have any size, the others share what is left.
    (50 << 20, [], true), (50 << 20, [50 << 20], false), (1 << 10, [12 << 20], false), (1 << 10, [10 << 20], true),
    (1 << 10, Array(repeating: 1 << 10, count: 64), false),
  ]

  @Test(arguments: limits)
  func aheadLimit_admits_byCountAndBytes(_ item: LimitCase) {
    #expect(AheadLimit(maximumCount: 8).admits(item.picture, beside: item.others) == item.isAdmitted)
    #expect(!AheadLimit(maximumCount: 0).admits(item.picture, beside: []))
  }

  @Test(arguments: [(1, true), (1000, true), (1001, false), (10_000, false)])
  func instruction_tracks_areLimited(count: Int, isPossible: Bool) throws {
    var edit = TestEdit()
    edit.catalog.provide(MemoryMedia(), as: "a")
    let range = TimeRange.seconds(0, 1)
    let tracks = try (0..<count).map { _ in try edit.addTrack([("a", range, range)]) }
    edit.instructions = [Instruction(timeRange: range, layers: tracks.map { LayerInstruction(trackID: $0) })]
    let report = CompositionValidator.validate(edit.edit, catalog: edit.catalog, registry: edit.registry)
    #expect((report.validated != nil) == isPossible)
    guard !isPossible else { return }
    let error = try #require(report.errors.first)
    #expect(error.code == .invalidValueForKey && error.instruction == 0)
    #expect(error.message == "Instruction 0 shows \(count) tracks at a time; at most 1000 are possible.")
    #expect(error.recoverySuggestion != nil)
  }

  @Test func thousandLayers_areComposed() async throws {
    var edit = TestEdit()
    let media = MemoryMedia(size: PixelSize(width: 16, height: 16))
    edit.catalog.provide(media, as: "a")
    edit.size = media.size
    let range = TimeRange(start: .zero, duration: Self.frame * 3)
    let tracks = try (0..<1000).map { _ in try edit.addTrack([("a", range, range)]) }
    var layers = tracks.map { LayerInstruction(trackID: $0) }
    for index in layers.indices.dropLast() { layers[index].opacity = PropertyTimeline(default: 0.001) }
    edit.instructions = [Instruction(timeRange: range, layers: layers)]
    let scheduler = try FrameScheduler(try RenderPlan(edit.validated()), settings: RenderSettings())
    let lumas = Mutex<[UInt8]>([])
    try await scheduler.render(0..<3) { rendered in
      let luma = rendered.frame.firstLuma
      lumas.withLock { $0.append(luma) }
    }
    #expect(lumas.withLock { $0 } == (0..<3).map(MemoryMedia.luma))
    // All show the same frames, which one decoder decodes.
    #expect(media.openedCount == 1 && media.openNow == 0)
  }

  /// Two clips of one media: the media frame and the target of each, in frames, and the number of decoders that they need.
  typealias PairCase = (offsets: [Int], targets: [Range<Int>], opened: Int)
  static let pairs: [PairCase] = [
    // A clip over its copy.
    ([0, 0], [0..<90, 0..<90], 1), ([200, 200], [0..<3, 0..<3], 1),
    // One of them ends or begins alone: the other one goes on with the decoder.
    ([0, 0], [0..<40, 0..<90], 1), ([0, 0], [0..<90, 0..<40], 1), ([0, 40], [0..<90, 40..<90], 1),
    ([40, 0], [40..<90, 0..<90], 1),
    // Other frames of the same media.
    ([0, 7], [0..<90, 0..<90], 2), ([0, 100], [0..<90, 30..<60], 2),
  ]

  @Test(arguments: pairs, [1, 4])
  func clipsOfTheSameFrames_shareADecoder(_ item: PairCase, framesInFlight: Int) async throws {
    let media = MemoryMedia(size: PixelSize(width: 16, height: 16), frameCount: 1000)
    var edit = TestEdit()
    edit.catalog.provide(media, as: "a")
    edit.size = media.size
    func range(_ frames: Range<Int>) -> TimeRange {
      TimeRange(start: Self.frame * frames.lowerBound, duration: Self.frame * frames.count)
    }
    let tracks = try zip(item.offsets, item.targets).map { offset, target in
      let clip = ("a" as String?, range(offset..<offset + target.count), range(target))
      return try edit.addTrack(target.lowerBound > 0 ? [(nil, range(0..<1), range(0..<target.lowerBound)), clip] : [clip])
    }
    let bounds = Set(item.targets.flatMap { [$0.lowerBound, $0.upperBound] }).sorted()
    edit.instructions = zip(bounds, bounds.dropFirst()).map { start, end in
      let shown = zip(tracks, item.targets).filter { $1.contains(start) }.map(\.0)
      var layers = shown.map { LayerInstruction(trackID: $0) }
      if layers.count > 1 { layers[0].opacity = PropertyTimeline(default: 0.5) }
      return Instruction(timeRange: range(start..<end), layers: layers)
    }
    let scheduler = try FrameScheduler(
      try RenderPlan(edit.validated()), settings: RenderSettings(framesInFlight: framesInFlight))
    let lumas = Mutex<[UInt8]>([])
    let end = item.targets.map(\.upperBound).max() ?? 0
    try await scheduler.render(0..<end) { rendered in
      let luma = rendered.frame.firstLuma
      lumas.withLock { $0.append(luma) }
    }
    for (frame, luma) in lumas.withLock({ $0 }).enumerated() {
      let shown = zip(item.offsets, item.targets).filter { $1.contains(frame) }
        .map { Double(MemoryMedia.luma(ofFrame: $0 + frame - $1.lowerBound)) }
      #expect(abs(Double(luma) - shown.reduce(0, +) / Double(shown.count)) <= 0.5, "frame \(frame)")
    }
    #expect(lumas.withLock { $0.count } == end)
    #expect(media.openedCount == item.opened && media.openNow == 0)
  }

  // MARK: Loading

  private func project(instructions count: Int, frameRate: String = "frameRate: 30, ") -> String {
    let lines = (0..<count).map { "{ duration: \"2f\", layers: [{ track: 0, opacity: 0.\(max($0 % 10, 1)) }] },\n" }.joined()
    return """
      { version: 1, output: { size: "64x36", \(frameRate)audio: false }, variables: { name: "bars" },
        assets: { a: { generate: "${name}", size: "64x36" } }, tracks: [{ clips: [{ asset: "a", duration: "\(2 * count)f" }] }],
        instructions: [\(lines)] }
      """
  }

  @Test(arguments: ["frameRate: 30, ", ""])
  func instructions_5000_load(frameRate: String) throws {
    let text = project(instructions: 5000, frameRate: frameRate)
    let edit = try ProjectFile(text).edit(catalog: MediaCatalog())
    let instructions = edit.videoComposition.instructions
    #expect(instructions.count == 5000)
    let isRight = instructions.enumerated().allSatisfy { index, instruction in
      instruction.timeRange == TimeRange(start: Self.frame * (2 * index), duration: Self.frame * 2)
        && instruction.layers.count == 1
        && abs(instruction.layers[0].opacity.value(at: instruction.timeRange.start) - Double(max(index % 10, 1)) / 10) < 1e-9
    }
    #expect(isRight)
    #expect(CompositionValidator.validate(edit, catalog: MediaCatalog()).diagnostics.isEmpty)
  }

  @Test func document_afterLoading_isReadAgain() throws {
    // The places of mistakes are found in it, with the values of variables in its strings.
    let file = try ProjectFile(project(instructions: 10), variables: ["name": "clock"])
    let first = file.document
    #expect(first == file.document)
    #expect(first.json().contains("\"generate\": \"clock\""))
    let offset = try #require(first.offset(ofPath: "instructions[9].layers[0].opacity"))
    #expect(file.text.bytes[offset...].prefix(3) == Array("0.9".utf8)[...])
  }
}
