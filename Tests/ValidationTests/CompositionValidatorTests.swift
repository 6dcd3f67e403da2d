import CompositorMedia
import CompositorPlugins
import CompositorAPI
import CompositorHost
import CompositorProjectFormat
import CompositorTimeline
import CompositorValidation
import CompositorTestMedia
import Testing

@Suite struct CompositionValidatorTests {
  /// Two seconds of media on one track, one instruction: valid.
  private func valid() throws -> TestEdit {
    var edit = TestEdit()
    edit.catalog.provide(MemoryMedia(), as: "a")
    let track = try edit.addTrack([("a", .seconds(0, 2), .seconds(0, 2))])
    edit.instructions = [Instruction(timeRange: .seconds(0, 2), layers: [LayerInstruction(trackID: track)])]
    return edit
  }

  private func diagnostics(_ edit: Edit, of test: TestEdit) -> [ValidationDiagnostic] {
    CompositionValidator.validate(edit, catalog: test.catalog, registry: test.registry).diagnostics
  }

  @Test func validEdit_hasNoDiagnostic() throws {
    let test = try valid()
    let report = CompositionValidator.validate(test.edit, catalog: test.catalog)
    #expect(report.diagnostics.isEmpty)
    #expect(report.validated != nil)
  }

  /// The sample editor of the seeds: alternating tracks, clips of 5 s, transitions of 2 s, and pass-through ranges that lose
  /// one transition instead of two.
  private func sampleEditor(clipCount: Int) throws -> TestEdit {
    var edit = TestEdit()
    edit.catalog.provide(MemoryMedia(), as: "a")
    let (length, transition) = (MediaTime.seconds(5), MediaTime.seconds(2))
    let tracks = [edit.composition.addTrack(.video), edit.composition.addTrack(.video)]
    var segments: [[CompositionTrackSegment]] = [[], []]
    var start = MediaTime.zero
    for index in 0..<clipCount {
      let end = segments[index % 2].last?.timeMapping.target.end ?? .zero
      if end < start { segments[index % 2].append(CompositionTrackSegment(empty: TimeRange(start: end, end: start))) }
      segments[index % 2].append(
        CompositionTrackSegment(
          source: .custom(name: "a"),
          timeMapping: TimeMapping(source: .seconds(0, 5), target: TimeRange(start: start, duration: length))))
      let passThrough = TimeRange(
        start: index > 0 ? start + transition : start, duration: length - transition)
      edit.instructions.append(
        Instruction(timeRange: passThrough, layers: [LayerInstruction(trackID: tracks[index % 2])]))
      start = start + length - transition
      if index + 1 < clipCount {
        edit.instructions.append(
          Instruction(
            timeRange: TimeRange(start: start, duration: transition), layers: tracks.map(LayerInstruction.init)))
      }
    }
    try edit.composition.setSegments(segments[0], ofTrack: tracks[0])
    try edit.composition.setSegments(segments[1], ofTrack: tracks[1])
    return edit
  }

  @Test func sampleEditor_2Clips_isValid() throws {
    let test = try sampleEditor(clipCount: 2)
    #expect(diagnostics(test.edit, of: test).isEmpty)
  }

  @Test(arguments: 3...6) func sampleEditor_3ClipsAndMore_isInvalidFromTheFourthInstruction(clipCount: Int) throws {
    let test = try sampleEditor(clipCount: clipCount)
    let errors = CompositionValidator.validate(test.edit, catalog: test.catalog).errors
    #expect(errors.count == clipCount - 2)
    let first = try #require(errors.first)
    #expect(first.code == .invalidTimeRangeInInstruction)
    #expect(first.instruction == 3)
    #expect(first.foundTime == .seconds(6))
    #expect(first.expectedTime == .seconds(8))
    #expect(first.message == "Instruction 3 starts at 6 s while instruction 2 ends at 8 s.")
    #expect(first.cause != nil && first.recoverySuggestion != nil)
  }

  @Test func timesOfInstructions_eachFault_isNamed() throws {
    let test = try valid()
    let cases: [(ranges: [TimeRange], code: ValidationDiagnostic.Code, instruction: Int?)] = [
      ([], .emptyTimeRange, nil),
      ([.seconds(1, 2)], .emptyTimeRange, 0),
      ([.seconds(0, 1)], .emptyTimeRange, 0),
      ([.seconds(0, 1), TimeRange(start: MediaTime(value: 3, timescale: 2), end: .seconds(2))], .emptyTimeRange, 1),
      ([.seconds(0, 2), .seconds(1, 2)], .invalidTimeRangeInInstruction, 1),
      ([.seconds(1, 2), .seconds(0, 1)], .invalidTimeRangeInInstruction, 1),
      ([.seconds(0, 2), .seconds(2, 2)], .invalidTimeRangeInInstruction, 1),
      ([.seconds(0, 2), .invalid], .invalidTimeRangeInInstruction, 1),
      ([TimeRange(start: .indefinite, duration: .seconds(2))], .invalidTimeRangeInInstruction, 0),
      ([TimeRange(start: .zero, duration: .indefinite)], .invalidTimeRangeInInstruction, 0),
      ([.seconds(2, 0)], .invalidTimeRangeInInstruction, 0),
    ]
    for (ranges, code, instruction) in cases {
      var edit = test.edit
      edit.videoComposition.instructions = ranges.map {
        Instruction(timeRange: $0, layers: [LayerInstruction(trackID: 1)])
      }
      let found = diagnostics(edit, of: test)
      #expect(found.contains { $0.code == code && $0.instruction == instruction }, "\(ranges): \(found)")
    }
  }

  @Test func lastInstruction_withoutEnd_isValid() throws {
    var test = try valid()
    test.instructions[0].timeRange.duration = .positiveInfinity
    #expect(diagnostics(test.edit, of: test).isEmpty)
  }

  @Test func values_eachFault_isInvalidValueForKey() throws {
    let test = try valid()
    let changes: [(String, (inout Edit) throws -> Void)] = [
      ("frameDuration 0", { $0.videoComposition.frameDuration = .zero }),
      ("frameDuration < 0", { $0.videoComposition.frameDuration = .seconds(-1) }),
      ("frameDuration invalid", { $0.videoComposition.frameDuration = .invalid }),
      ("renderSize", { $0.videoComposition.renderSize = PixelSize(width: 0, height: -5) }),
      ("renderSize huge", { $0.videoComposition.renderSize = PixelSize(width: .max, height: 1) }),
      ("renderScale NaN", { $0.videoComposition.renderScale = .nan }),
      ("renderScale -1", { $0.videoComposition.renderScale = -1 }),
      ("renderScale huge", { $0.videoComposition.renderScale = 1e30 }),
      ("frame timing", { $0.videoComposition.sourceTrackIDForFrameTiming = 9 }),
      ("aspect", { $0.output.pixelAspectRatio = Rational(1, 0) }),
      ("opacity", { try $0.videoComposition.instructions[0].layers[0].opacity.set(.nan, at: .zero) }),
      ("opacity 2", { try $0.videoComposition.instructions[0].layers[0].opacity.set(2, at: .zero) }),
      (
        "transform",
        { edit in
          let matrix = AffineMatrix(a: .infinity, b: 0, c: 0, d: 1, tx: 0, ty: 0)
          try edit.videoComposition.instructions[0].layers[0].transform.set(matrix, at: .zero)
        }
      ),
      (
        "crop",
        { edit in
          try edit.videoComposition.instructions[0].layers[0].crop.set(Rect(x: 0, y: 0, width: -1, height: 1), at: .zero)
        }
      ),
      (
        "decoration",
        { edit in
          var thin = LayerDecoration()
          thin.borderWidth = -1
          var border = PropertyTimeline(default: LayerDecoration())
          try border.setRamp(from: LayerDecoration(), to: thin, timeRange: .seconds(0, 1))
          edit.videoComposition.instructions[0].layers[0].decoration = border
        }
      ),
      ("background", { $0.videoComposition.instructions[0].backgroundColor = Color(red: .nan, green: 0, blue: 0) }),
    ]
    for (name, change) in changes {
      var edit = test.edit
      try change(&edit)
      let report = CompositionValidator.validate(edit, catalog: test.catalog)
      #expect(report.diagnostics.contains { $0.code == .invalidValueForKey }, "\(name): \(report.diagnostics)")
      #expect(report.validated == nil, "\(name)")
    }
  }

  @Test func tracksAndMedia_eachFault_isNamed() throws {
    let test = try valid()
    var edit = test.edit
    edit.videoComposition.instructions[0].additionalTrackIDs = [7]
    var found = diagnostics(edit, of: test)
    #expect(found.map(\.code) == [.invalidTrackIDInInstruction] && found[0].track == 7 && found[0].instruction == 0)

    edit = test.edit
    edit.composition = Composition()
    found = diagnostics(edit, of: test)
    #expect(found.contains { $0.code == .nothingToRender })

    func segment(_ source: MediaSource, trackIndex: Int = 0, from range: TimeRange) -> CompositionTrackSegment {
      CompositionTrackSegment(
        source: source, trackIndex: trackIndex, timeMapping: TimeMapping(source: range, target: .seconds(0, 2)))
    }
    let cases: [(CompositionTrackSegment, ValidationDiagnostic.Code)] = [
      (segment(.file(path: "/nowhere/at all.mp4"), from: .seconds(0, 2)), .mediaUnavailable),
      (segment(.custom(name: "nobody"), from: .seconds(0, 2)), .mediaUnavailable),
      (segment(.custom(name: "a"), trackIndex: 3, from: .seconds(0, 2)), .mediaTrackMissing),
      (segment(.custom(name: "a"), from: .seconds(9, 11)), .sourceBeyondMedia),
      (segment(.custom(name: "a"), from: .seconds(11, 13)), .sourceBeyondMedia),
      (segment(.custom(name: "a"), from: .seconds(-1, 1)), .sourceBeyondMedia),
    ]
    for (segment, code) in cases {
      edit = test.edit
      try edit.composition.setSegments([segment], ofTrack: 1)
      let report = CompositionValidator.validate(edit, catalog: test.catalog)
      #expect(report.errors.map(\.code) == [code], "\(segment): \(report.diagnostics)")
      #expect(throws: CompositorError.self) { try report.get() }
    }
  }

  @Test func parameters_eachFault_isNamed() throws {
    struct Picky: VideoCompositor {
      static let descriptor = CompositorDescriptor(id: "test.picky", name: "Picky") {
        $0.parameters = [
          ParameterDescription("mode", .choice(["soft", "hard"]), summary: "How."),
          ParameterDescription(
            "radius", .number(minimum: 0, maximum: 10, unit: "px"), default: .number(1), summary: "How far."),
          ParameterDescription("tint", .color, default: .list([.integer(0), .integer(0), .integer(0)]), summary: "Tint."),
        ]
      }
      init(parameters: ParameterValues, context: RenderContext) throws {}
      func compose(_ request: CompositionRequest) throws -> Frame { try request.context.makeFrame(filledWith: .black) }
    }
    var test = try valid()
    try test.registry.register(Picky.self)
    let cases: [(ParameterValues, Int)] = [
      (["mode": .string("soft")], 0),
      (["mode": .string("soft"), "radius": .integer(3)], 0),
      ([:], 1),
      (["mode": .string("loud")], 1),
      (["mode": .string("soft"), "radius": .number(.nan)], 1),
      (["mode": .string("soft"), "radius": .number(11)], 1),
      (["mode": .string("soft"), "radios": .number(1)], 1),
      (["mode": .string("soft"), "tint": .list([.number(2), .number(0), .number(0)])], 1),
      (["mode": .bool(true), "radius": .string("far"), "tint": .number(0)], 3),
    ]
    for (parameters, count) in cases {
      var edit = test.edit
      edit.videoComposition.instructions[0].compositor = "test.picky"
      edit.videoComposition.instructions[0].parameters = parameters
      let found = diagnostics(edit, of: test)
      #expect(found.count == count && found.allSatisfy { $0.code == .invalidParameter }, "\(parameters): \(found)")
    }
    var edit = test.edit
    edit.videoComposition.instructions[0].compositor = "test.picki"
    #expect(diagnostics(edit, of: test).map(\.code) == [.unknownCompositor])
  }

  @Test func validation_toldToStop_stopsAfterTheFirstDiagnostic() throws {
    let test = try sampleEditor(clipCount: 6)
    var asked = 0
    let report = CompositionValidator.validate(test.edit, catalog: test.catalog) { _ in
      asked += 1
      return false
    }
    #expect(asked == 1)
    #expect(report.diagnostics.count == 1)
    #expect(report.validated == nil)
  }
}
