import CompositorAPI
import CompositorHost
import CompositorMediaIO
import Foundation
import Testing

/// One fixture for each cause that validation recognizes: it gives exactly its diagnostics, and its fix mends it.
@Suite struct DiagnosticFixtureTests {
  private typealias Code = ValidationDiagnostic.Code

  /// Ten seconds of one clip, valid: a video and an audio track, one instruction.
  private struct Fixture {
    let catalog = MediaCatalog()
    var edit: Edit

    init(_ media: DescribedMedia = DescribedMedia(), video: [TimeRange] = [.seconds(0, 10)], audio: [TimeRange] = []) throws {
      catalog.provide(media, as: "clip")
      var composition = Composition()
      for (type, ranges) in [(MediaType.video, video), (.audio, audio)] {
        for range in ranges { try Self.addTrack(type, range, to: &composition) }
      }
      edit = Edit(
        composition: composition,
        videoComposition: VideoComposition(
          instructions: [Instruction(timeRange: .seconds(0, 10), layers: [LayerInstruction(trackID: 1)])],
          frameDuration: MediaTime(value: 1, timescale: 30), renderSize: PixelSize(width: 64, height: 36)))
    }

    static func addTrack(_ type: MediaType, _ range: TimeRange, to composition: inout Composition) throws {
      let track = composition.addTrack(type)
      var segments: [CompositionTrackSegment] = []
      if range.start > .zero { segments.append(CompositionTrackSegment(empty: TimeRange(start: .zero, end: range.start))) }
      segments.append(
        CompositionTrackSegment(
          source: .custom(name: "clip"),
          timeMapping: TimeMapping(source: TimeRange(start: .zero, duration: range.duration), target: range)))
      try composition.setSegments(segments, ofTrack: track)
    }

    var instructions: [Instruction] {
      get { edit.videoComposition.instructions }
      set { edit.videoComposition.instructions = newValue }
    }

    /// Instructions that show track 1.
    mutating func setRanges(_ ranges: [TimeRange]) {
      instructions = ranges.map { Instruction(timeRange: $0, layers: [LayerInstruction(trackID: 1)]) }
    }

    func diagnostics() -> [ValidationDiagnostic] { CompositionValidator.validate(edit, catalog: catalog).diagnostics }

    /// The only diagnostic, which has the code; the edit is valid without a warning once its fix was made.
    func check(
      _ code: Code, instruction: Int?, says words: [String], fix title: String?, isSafe: Bool = false
    ) throws {
      let found = diagnostics()
      #expect(found.map(\.code) == [code], "\(found.map(\.description))")
      let diagnostic = try #require(found.first)
      #expect(diagnostic.instruction == instruction)
      for word in words { #expect(diagnostic.description.contains(word), "\(word) in: \(diagnostic)") }
      #expect(diagnostic.cause?.isEmpty == false && diagnostic.recoverySuggestion?.isEmpty == false)
      #expect(diagnostic.fix?.title == title)
      guard let fix = diagnostic.fix else { return }
      #expect(fix.isSafe == isSafe)
      #expect(try JSONDecoder().decode(DiagnosticFix.self, from: JSONEncoder().encode(fix)) == fix)
      let mended = CompositionValidator.validate(try edit.applying(fix), catalog: catalog).diagnostics
      #expect(mended.isEmpty, "after “\(fix.title)”: \(mended.map(\.description))")
    }
  }

  @Test func fixture_untouched_isValid() throws {
    #expect(try Fixture(audio: [.seconds(0, 10)]).diagnostics().isEmpty)
  }

  // MARK: Times

  @Test func audio_microsecondsLonger_namesTrackAndAmount() throws {
    let end = MediaTime(value: 10_000_023, timescale: 1_000_000)
    let fixture = try Fixture(audio: [TimeRange(start: .zero, end: end)])
    try fixture.check(
      .emptyTimeRange, instruction: 0,
      says: ["Audio track 2", "longer than the video", "23.0 µs", "10.000023 s"],
      fix: "End instruction 0 at 10.000023 s", isSafe: true)
  }

  @Test func lastInstruction_tooShort_isExtended() throws {
    var fixture = try Fixture()
    fixture.setRanges([.seconds(0, 4), .seconds(4, 7)])
    try fixture.check(
      .emptyTimeRange, instruction: 1, says: ["ends at 7 s", "Video track 1 has media", "3 s too short"],
      fix: "End instruction 1 at 10 s", isSafe: true)
  }

  @Test func firstInstruction_late_startsAtZero() throws {
    var fixture = try Fixture()
    fixture.setRanges([.seconds(2, 10)])
    try fixture.check(
      .emptyTimeRange, instruction: 0, says: ["starts at 2 s instead of 0", "Video track 1 has media"],
      fix: "Start instruction 0 at 0")
  }

  @Test func gap_withMedia_isCoveredByTheNeighbor() throws {
    var fixture = try Fixture()
    fixture.setRanges([.seconds(0, 4), .seconds(6, 10)])
    try fixture.check(
      .emptyTimeRange, instruction: 1, says: ["starts at 6 s", "instruction 0 ended at 4 s", "Video track 1 has media there"],
      fix: "End instruction 0 at 6 s")
  }

  /// A gap in front of a transition that starts where two clips begin to overlap, or after an instruction that ends too early.
  @Test(
    arguments: [
      ([10, 12, 20], "Start instruction 1 at 1 s"), ([8, 10, 20], "End instruction 0 at 1 s"),
      ([11, 12, 20], "End instruction 0 at 1.2 s"),
    ], [CompositorID.layer, CompositorID(rawValue: "builtin.dissolve")])
  func gap_atTheOverlapOfTwoClips_isClosedThere(_ tenths: ([Int64], String), compositor: CompositorID) throws {
    let times = tenths.0.map { MediaTime(value: $0, timescale: 10) }
    var fixture = try Fixture(video: [.seconds(0, 2), .seconds(1, 10)])
    fixture.instructions = [
      Instruction(timeRange: TimeRange(start: .zero, end: times[0]), layers: [LayerInstruction(trackID: 1)]),
      Instruction(
        timeRange: TimeRange(start: times[1], end: times[2]),
        layers: [LayerInstruction(trackID: 1), LayerInstruction(trackID: 2)]),
      Instruction(timeRange: .seconds(2, 10), layers: [LayerInstruction(trackID: 2)]),
    ]
    fixture.instructions[1].compositor = compositor
    try fixture.check(.emptyTimeRange, instruction: 1, says: ["Add an instruction for the gap"], fix: tenths.1)
  }

  @Test func gap_withoutMedia_getsABackground() throws {
    var fixture = try Fixture(video: [.seconds(0, 4), .seconds(6, 10)])
    fixture.instructions = [
      Instruction(timeRange: .seconds(0, 4), layers: [LayerInstruction(trackID: 1)]),
      Instruction(timeRange: .seconds(6, 10), layers: [LayerInstruction(trackID: 2)]),
    ]
    try fixture.check(
      .emptyTimeRange, instruction: 1, says: ["Nothing plays there"],
      fix: "Show the background from 4 s to 6 s")
  }

  @Test func gap_ofARoundedTime_isSafelyClosed() throws {
    var fixture = try Fixture()
    let cut = MediaTime(seconds: 0.1 + 0.2, preferredTimescale: 1_000_000_000)
    fixture.setRanges([
      TimeRange(start: .zero, end: MediaTime(value: 299_999_999, timescale: 1_000_000_000)),
      TimeRange(start: cut, end: .seconds(10)),
    ])
    try fixture.check(
      .emptyTimeRange, instruction: 1, says: ["Times were rounded", "µs"], fix: "End instruction 0 at \(cut.readable)",
      isSafe: true)
  }

  @Test(arguments: [
    (TimeRange.seconds(4, 4), "exactly as long as its transitions", "Remove instruction 1"),
    (TimeRange.seconds(4, 3), "shorter than its transitions together, by 1 s", "Remove instruction 1"),
    (TimeRange(start: .seconds(4), duration: .invalid), "a time that is not known", "Remove instruction 1"),
    (TimeRange(start: .invalid, duration: .seconds(1)), "a time that is not known", "Remove instruction 1"),
    (TimeRange(start: .seconds(4), duration: .indefinite), "a time that is not known", "Remove instruction 1"),
  ])
  func instruction_withoutALength_isRemoved(range: TimeRange, cause: String, fix: String) throws {
    var fixture = try Fixture()
    fixture.setRanges([.seconds(0, 4), range, .seconds(4, 10)])
    try fixture.check(.invalidTimeRangeInInstruction, instruction: 1, says: [cause], fix: fix, isSafe: true)
  }

  @Test func instruction_withoutALengthInAGap_fillsIt() throws {
    var fixture = try Fixture()
    fixture.setRanges([.seconds(0, 4), TimeRange(start: .seconds(4), duration: .indefinite), .seconds(6, 10)])
    try fixture.check(
      .invalidTimeRangeInInstruction, instruction: 1, says: ["a time that is not known"],
      fix: "Let instruction 1 last from 4 s to 6 s", isSafe: true)
  }

  @Test func instructions_outOfOrder_areSorted() throws {
    var fixture = try Fixture()
    fixture.setRanges([.seconds(0, 4), .seconds(6, 10), .seconds(4, 6)])
    try fixture.check(
      .invalidTimeRangeInInstruction, instruction: 2,
      says: ["starts at 4 s, before instruction 1, which starts at 6 s"],
      fix: "Sort the instructions by their starts", isSafe: true)
  }

  @Test func instructions_thatOverlap_areCut() throws {
    var fixture = try Fixture()
    fixture.setRanges([.seconds(0, 6), .seconds(5, 10)])
    try fixture.check(
      .invalidTimeRangeInInstruction, instruction: 1, says: ["Both are in force for 1 s"],
      fix: "End instruction 0 at 5 s")
    fixture.setRanges([.seconds(0, 6), .seconds(0, 10)])
    try fixture.check(
      .invalidTimeRangeInInstruction, instruction: 1, says: ["Both start at the same time"],
      fix: "Start instruction 1 at 6 s")
    fixture.setRanges([.seconds(0, 10), .seconds(0, 10)])
    try fixture.check(
      .invalidTimeRangeInInstruction, instruction: 1, says: ["The same range was given twice"], fix: "Remove instruction 1")
  }

  @Test func cut_roundedBehindAFrame_isMoved() throws {
    var fixture = try Fixture()
    let cut = MediaTime(value: 333_333_334, timescale: 1_000_000_000)
    fixture.setRanges([TimeRange(start: .zero, end: cut), TimeRange(start: cut, end: .seconds(10))])
    try fixture.check(
      .offFrameGrid, instruction: 1, says: ["just after frame 10", "10/30 s (0.333 s)"],
      fix: "Start instruction 1 at 10/30 s (0.333 s)", isSafe: true)
  }

  // MARK: The sample

  @Test func sample_2Clips_isValid() throws {
    #expect(try SampleEdit(clips: 2).diagnostics().isEmpty)
  }

  @Test(arguments: [2, 3, 4, 7]) func sample_counted_isValid(clips: Int) throws {
    let found = try SampleEdit(clips: clips, countsBoth: true, fadesAll: true).diagnostics()
    #expect(found.isEmpty, "\(found.map(\.description))")
  }

  @Test(arguments: [3, 4, 7]) func sample_overlapCountedOnce_isExplainedAndMended(clips: Int) throws {
    let sample = try SampleEdit(clips: clips)
    let found = sample.diagnostics()
    let inner = clips - 2
    let overlaps = [Code](repeating: .invalidTimeRangeInInstruction, count: inner)
    let fades = [Code](repeating: .missingCrossfade, count: inner)
    #expect(found.map(\.code) == overlaps + fades)
    let first = try #require(found.first)
    #expect(first.instruction == 3)
    #expect(first.timeRange == TimeRange.seconds(6, 8))
    #expect(first.message == "Instruction 3 starts at 6 s while instruction 2 ends at 8 s.")
    #expect(first.cause?.contains("one was subtracted once for both") == true)
    #expect(first.cause?.contains("lasts 2 s, was not taken off: instruction 2 shows track 2 alone") == true)
    #expect(first.fix?.title == "End instruction 2 at 6 s")
    #expect(first.fix?.isSafe == true)
    let mended = try sample.edit.applyingFixes(catalog: sample.catalog)
    #expect(mended.titles.count == 2 * inner)
    #expect(sample.diagnostics(of: mended.edit).isEmpty)
    let right = try SampleEdit(clips: clips, countsBoth: true, fadesAll: true).edit
    #expect(
      mended.edit.videoComposition.instructions.map(\.timeRange) == right.videoComposition.instructions.map(\.timeRange))
    for track in right.composition.tracks(.audio) {
      for tick in 0..<(clips * 40) {
        let time = MediaTime(value: Int64(tick), timescale: 10)
        guard track.position(at: time) != nil else { continue }
        let (mine, theirs) = (mended.edit.audioMix, right.audioMix)
        #expect(
          mine.volume(ofTrack: track.trackID, at: time) == theirs.volume(ofTrack: track.trackID, at: time),
          "\(track.trackID) \(time)")
      }
    }
  }

  @Test func sample_fadesOfTheFirstTransitionOnly_areNamed() throws {
    let found = try SampleEdit(clips: 3, countsBoth: true).diagnostics()
    #expect(found.map(\.code) == [.missingCrossfade])
    #expect(found.first?.instruction == 3)
    #expect(found.first?.timeRange == TimeRange.seconds(6, 8))
    #expect(found.first?.message.contains("no cross-fade of audio tracks 4 and 3: track 3 stays silent") == true)
  }

  // MARK: Tracks

  @Test func track_ofTheSource_isReplaced() throws {
    var fixture = try Fixture()
    fixture.edit.videoComposition.instructions[0].layers[0].trackID = 0
    try fixture.check(
      .invalidTrackIDInInstruction, instruction: 0, says: ["0 is the index of a video track in custom:clip", "on track 1"],
      fix: "Name track 1 in place of track 0 in instruction 0", isSafe: true)
  }

  @Test func track_thatIsAudio_isNamed() throws {
    var fixture = try Fixture(audio: [.seconds(0, 10)])
    fixture.edit.videoComposition.instructions[0].layers[0].trackID = 2
    let found = fixture.diagnostics().filter { $0.severity == .error }
    #expect(found.map(\.code) == [.invalidTrackIDInInstruction])
    #expect(found.first?.message.contains("names track 2, which holds audio") == true)
    #expect(found.first?.cause?.contains("2 is the number of a track in custom:clip") == true)
  }

  @Test func track_ofTwoThatPlay_hasNoFix() throws {
    var fixture = try Fixture(video: [.seconds(0, 10), .seconds(0, 10)])
    fixture.edit.videoComposition.instructions[0].layers[0].trackID = 77
    let found = fixture.diagnostics().filter { $0.severity == .error }
    #expect(found.map(\.code) == [.invalidTrackIDInInstruction])
    #expect(found.first?.fix == nil)
    #expect(found.first?.cause?.contains("The track was removed") == true)
  }

  // MARK: Ramps and layers

  @Test func ramp_countedFromTheInstruction_isMoved() throws {
    var fixture = try Fixture()
    fixture.setRanges([.seconds(0, 6), .seconds(6, 10)])
    try fixture.edit.videoComposition.instructions[1].layers[0].opacity.setRamp(from: 1, to: 0, timeRange: .seconds(3, 4))
    try fixture.check(
      .rampOutsideRange, instruction: 1, says: ["has no effect", "count from the instruction's start"],
      fix: "Move the opacity of track 1 in instruction 1 by 6 s")
  }

  @Test func ramp_longerThanItsInstruction_isCut() throws {
    var fixture = try Fixture()
    fixture.setRanges([.seconds(0, 6), .seconds(6, 10)])
    try fixture.edit.videoComposition.instructions[0].layers[0].transform.setRamp(
      from: .identity, to: .translation(x: 9, y: 0), timeRange: .seconds(4, 8))
    try fixture.check(
      .rampOutsideRange, instruction: 0, says: ["transform ramp of track 1", "is cut off"],
      fix: "Cut the transform of track 1 to instruction 0")
    // The same ramp in both is how one that crosses a cut is written.
    fixture.edit.videoComposition.instructions[1].layers = fixture.instructions[0].layers
    #expect(fixture.diagnostics().isEmpty)
  }

  @Test func volumeRamp_beyondTheEnd_isCut() throws {
    var fixture = try Fixture(audio: [.seconds(0, 10)])
    var volume = PropertyTimeline<Double>(default: 1)
    try volume.setRamp(from: 1, to: 0, timeRange: .seconds(8, 12))
    fixture.edit.audioMix.inputParameters = [AudioMixInputParameters(trackID: 2)]
    fixture.edit.audioMix.inputParameters[0].volume = volume
    try fixture.check(
      .rampOutsideRange, instruction: nil, says: ["volume ramp of track 2", "ends at 10 s"],
      fix: "End the volume ramp of track 2 at 10 s")
  }

  @Test func volumeRamp_whoseDurationIsItsEnd_isToldSo() throws {
    var fixture = try Fixture(audio: [.seconds(0, 10)])
    var volume = PropertyTimeline<Double>(default: 1)
    try volume.setRamp(from: 1, to: 0, timeRange: TimeRange(start: .seconds(5), duration: .seconds(10)))
    fixture.edit.audioMix.inputParameters = [AudioMixInputParameters(trackID: 2)]
    fixture.edit.audioMix.inputParameters[0].volume = volume
    try fixture.check(
      .rampOutsideRange, instruction: nil, says: ["from 5 s to 15 s", "end was given as the ramp's duration"],
      fix: "End the volume ramp of track 2 at 10 s")
  }

  @Test func ramp_underAnOpaqueLayer_comesToTheFront() throws {
    var fixture = try Fixture(video: [.seconds(0, 10), .seconds(0, 10)])
    var new = LayerInstruction(trackID: 2)
    try new.opacity.setRamp(from: 0, to: 1, timeRange: .seconds(0, 10))
    fixture.edit.videoComposition.instructions[0].layers.append(new)
    try fixture.check(
      .layerNotSeen, instruction: 0, says: ["opacity of track 2", "track 1 lies opaque above it"],
      fix: "Bring track 2 to the front in instruction 0")
  }

  @Test func track_alwaysUnderAnOpaqueLayer_isNeverSeen() throws {
    var fixture = try Fixture(video: [.seconds(0, 10), .seconds(0, 10)])
    fixture.edit.videoComposition.instructions[0].layers.append(LayerInstruction(trackID: 2))
    try fixture.check(.layerNotSeen, instruction: 0, says: ["Video track 2 is never seen"], fix: nil)
    // Smaller, it is a picture in picture.
    fixture.edit.videoComposition.instructions[0].layers[0].transform = PropertyTimeline(default: .scale(x: 0.5, y: 0.5))
    #expect(fixture.diagnostics().isEmpty)
  }

  @Test func instruction_ofATrackWithoutMedia_isBlack() throws {
    var fixture = try Fixture(video: [.seconds(0, 5), .seconds(5, 10)])
    fixture.setRanges([.seconds(0, 5), .seconds(5, 10)])
    let found = fixture.diagnostics()
    #expect(found.map(\.code) == [.unusedTrack, .trackWithoutMedia])
    #expect(found.last?.message.contains("from 5 s to 10 s") == true)
    #expect(found.last?.fix?.title == "Name track 2 in place of track 1 in instruction 1")
    let mended = try fixture.edit.applying(try #require(found.last?.fix))
    #expect(CompositionValidator.validate(mended, catalog: fixture.catalog).diagnostics.isEmpty)
    // A background that is set is meant.
    fixture.edit.videoComposition.instructions[1].backgroundColor = .black
    #expect(fixture.diagnostics().map(\.code) == [.unusedTrack])
  }

  @Test func transition_withoutASource_isNamed() throws {
    var fixture = try Fixture(video: [.seconds(0, 5), .seconds(4, 10)])
    var new = LayerInstruction(trackID: 2)
    try new.opacity.setRamp(from: 0, to: 1, timeRange: .seconds(3, 5))
    fixture.instructions = [
      Instruction(timeRange: .seconds(0, 3), layers: [LayerInstruction(trackID: 1)]),
      Instruction(timeRange: .seconds(3, 5), layers: [new, LayerInstruction(trackID: 1)]),
      Instruction(timeRange: .seconds(5, 10), layers: [LayerInstruction(trackID: 2)]),
    ]
    try fixture.check(
      .trackWithoutMedia, instruction: 1, says: ["track 2 has no media from 3 s to 4 s"], fix: nil)
  }

  @Test func clip_shorterThanAFrame_isNeverShown() throws {
    let (start, end) = (MediaTime(value: 401, timescale: 100), MediaTime(value: 402, timescale: 100))
    var fixture = try Fixture(video: [.seconds(0, 10), TimeRange(start: start, end: end)])
    fixture.edit.videoComposition.instructions[0].layers.insert(LayerInstruction(trackID: 2), at: 0)
    try fixture.check(.shorterThanFrame, instruction: nil, says: ["Segment 1 of track 2", "no frame shows it"], fix: nil)
  }

  // MARK: Pictures and sound

  @Test func orientation_lostOnInsertion_isPutBack() throws {
    let upright = Orientation(quarterTurns: 1).transform(of: Size(width: 64, height: 36))
    var fixture = try Fixture(DescribedMedia(preferredTransform: upright))
    fixture.edit.videoComposition.renderSize = PixelSize(width: 36, height: 64)
    try fixture.check(
      .orientationLost, instruction: 0, says: ["rotated by 90° clockwise", "(0.0, 1.0, -1.0, 0.0, 36.0, 0.0)"],
      fix: "Show track 1 upright and fitted in instruction 0")
  }

  /// The rotation of a source's preferred transform without its translation: the picture is black.
  @Test(arguments: 1...3) func layer_turnedAboutItsCorner_comesBackOntoTheCanvas(turns: Int) throws {
    let upright = Orientation(quarterTurns: turns).transform(of: Size(width: 64, height: 36))
    var fixture = try Fixture(DescribedMedia(preferredTransform: upright))
    fixture.edit.videoComposition.renderSize =
      turns == 2 ? PixelSize(width: 64, height: 36) : PixelSize(width: 36, height: 64)
    var turned = upright
    (turned.tx, turned.ty) = (0, 0)
    fixture.edit.videoComposition.instructions[0].layers[0].transform = PropertyTimeline(default: turned)
    try fixture.check(
      .layerNotSeen, instruction: 0,
      says: ["outside of the canvas", "from 0 s to 10 s", "about its corner", "(\(upright.tx), \(upright.ty))"],
      fix: "Move track 1 onto the canvas in instruction 0")
    fixture.edit.videoComposition.instructions[0].layers[0].transform = PropertyTimeline(default: upright)
    #expect(fixture.diagnostics().isEmpty)
  }

  @Test(arguments: [(-64.0, 0.0, true), (0, -36, true), (64, 0, true), (0, 36, true), (-63, 35, false), (63, -35, false)])
  func layer_besideTheCanvas_isNotSeen(x: Double, y: Double, isOutside: Bool) throws {
    var fixture = try Fixture()
    fixture.edit.videoComposition.instructions[0].layers[0].transform = PropertyTimeline(default: .translation(x: x, y: y))
    guard isOutside else { return #expect(fixture.diagnostics().isEmpty) }
    try fixture.check(
      .layerNotSeen, instruction: 0, says: ["outside of the canvas of 64x36"],
      fix: "Move track 1 onto the canvas in instruction 0")
    // On its way in, it is where it should be.
    fixture.setRanges([.seconds(0, 5), .seconds(5, 10)])
    var moving = LayerInstruction(trackID: 1)
    try moving.transform.setRamp(from: .translation(x: x, y: y), to: .identity, timeRange: .seconds(5, 10))
    fixture.edit.videoComposition.instructions[0].layers[0].transform = PropertyTimeline(default: .translation(x: x, y: y))
    fixture.edit.videoComposition.instructions[1].layers = [moving]
    #expect(fixture.diagnostics().isEmpty)
  }

  @Test func source_enlarged4Times_isSoft() throws {
    var fixture = try Fixture()
    fixture.edit.videoComposition.instructions[0].layers[0].transform = PropertyTimeline(default: .scale(x: 4, y: 4))
    try fixture.check(.upscaled, instruction: 0, says: ["64x36 is shown at up to 4.0 times its size"], fix: nil)
  }

  @Test(arguments: [
    (Rational(30, 1), true), (Rational(30000, 1001), true), (Rational(60, 1), true), (Rational(15, 1), true),
    (Rational(25, 1), false), (Rational(24, 1), false), (Rational(24000, 1001), false), (Rational(50, 1), false),
  ])
  func sources_ofAnotherRate_areUneven(rate: Rational, isEven: Bool) throws {
    var fixture = try Fixture(video: [.seconds(0, 5)])
    fixture.catalog.provide(DescribedMedia(rate: rate), as: "other")
    try fixture.edit.composition.setSegments(
      [
        CompositionTrackSegment(
          source: .custom(name: "clip"), timeMapping: TimeMapping(source: .seconds(0, 5), target: .seconds(0, 5))),
        CompositionTrackSegment(
          source: .custom(name: "other"), timeMapping: TimeMapping(source: .seconds(0, 5), target: .seconds(5, 10))),
      ], ofTrack: 1)
    let expected: [Code] = isEven ? [] : [.mixedFrameRates]
    #expect(fixture.diagnostics().map(\.code) == expected)
  }

  @Test func volumes_aboveFullScaleWithoutLimiter_clip() throws {
    var fixture = try Fixture(audio: [.seconds(0, 10), .seconds(0, 10)])
    #expect(fixture.diagnostics().isEmpty)
    fixture.edit.audioMix.limiting = .off
    try fixture.check(.audioClipped, instruction: nil, says: ["add up to 2.0"], fix: nil)
  }

  @Test func clip_afterAFadeOutOfItsTrack_isSilent() throws {
    var fixture = try Fixture(audio: [.seconds(0, 10)])
    let places: [(source: TimeRange, target: TimeRange)] = [
      (.seconds(0, 4), .seconds(0, 4)), (.seconds(8, 14), .seconds(4, 10)),
    ]
    let segments = places.map {
      CompositionTrackSegment(source: .custom(name: "clip"), timeMapping: TimeMapping(source: $0.source, target: $0.target))
    }
    try fixture.edit.composition.setSegments(segments, ofTrack: 2)
    var volume = PropertyTimeline<Double>(default: 1)
    try volume.setRamp(from: 1, to: 0, timeRange: .seconds(3, 4))
    fixture.edit.audioMix.inputParameters = [AudioMixInputParameters(trackID: 2)]
    fixture.edit.audioMix.inputParameters[0].volume = volume
    try fixture.check(
      .silentAudio, instruction: nil, says: ["Segment 1 of audio track 2", "fell to 0 at 4 s"],
      fix: "Set the volume of track 2 to 1 at 4 s")
  }

  @Test func colors_clippedByChoice_areNamed() throws {
    var fixture = try Fixture(DescribedMedia(color: .bt2100PQ))
    fixture.edit.output.color = .bt709
    #expect(fixture.diagnostics().isEmpty)
    fixture.edit.videoComposition.colorConversion.toneMapping = .clip
    fixture.edit.videoComposition.colorConversion.gamutMapping = .clip
    try fixture.check(.colorClipped, instruction: nil, says: ["light above SDR white and colors outside"], fix: nil)
  }

  // MARK: Fixes

  @Test func fix_forAnotherEdit_isRefused() throws {
    let fixture = try Fixture()
    let changes: [DiagnosticFix.Change] = [
      .setTimeRange(instruction: 4, .seconds(0, 1)), .moveCut(instruction: -1, to: .zero),
      .insertInstruction(index: 9, .seconds(0, 1)),
      .removeInstruction(index: 1), .replaceTrack(instruction: 0, 5, by: 1), .replaceTrack(instruction: 0, 1, by: 9),
      .setLayer(instruction: 0, LayerInstruction(trackID: 8)), .removeLayer(instruction: 0, 3),
      .bringToFront(instruction: 2, 1),
      .crossFade(from: 1, to: 2, .seconds(0, 1)), .setVolume(1, PropertyTimeline(default: 1)),
    ]
    for change in changes {
      let fix = DiagnosticFix("Change", isSafe: true, change: change)
      #expect(throws: CompositorError.self, "\(change)") { try fixture.edit.applying(fix) }
    }
  }

  @Test func instructions_100000_areCheckedQuickly() throws {
    var fixture = try Fixture()
    let (count, frame) = (100_000, MediaTime(value: 1, timescale: 30))
    let track = fixture.edit.composition.tracks[0].trackID
    let ranges = (0..<count).map { TimeRange(start: frame * $0, duration: frame) }
    try fixture.edit.composition.setSegments(
      ranges.map { CompositionTrackSegment(source: .custom(name: "clip"), timeMapping: TimeMapping(source: $0, target: $0)) },
      ofTrack: track)
    fixture.setRanges(ranges)
    let start = ContinuousClock.now
    let isValid = fixture.edit.videoComposition.isValid(for: fixture.edit.composition)
    let checked = ContinuousClock.now
    let found = fixture.diagnostics()
    print("100,000 instructions: isValid \(checked - start), all checks \(ContinuousClock.now - checked)")
    #expect(isValid && found.isEmpty)
  }
}
