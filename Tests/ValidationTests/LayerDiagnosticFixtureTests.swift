import CompositorAPI
import CompositorHost
import CompositorMedia
import CompositorMediaIO
import CompositorValidation
import CompositorTestMedia
import Foundation
import Testing

/// Fixtures of tracks, ramps, layers, video and audio, and cases that a fix refuses.
@Suite struct LayerDiagnosticFixtureTests {
  private typealias Code = ValidationDiagnostic.Code

  // MARK: Tracks

  @Test func track_ofTheSource_isReplaced() throws {
    var fixture = try DiagnosticFixture()
    fixture.edit.videoComposition.instructions[0].layers[0].trackID = 0
    try fixture.check(
      .invalidTrackIDInInstruction, instruction: 0, says: ["0 is the index of a video track in custom:clip", "on track 1"],
      fix: "Name track 1 in place of track 0 in instruction 0", isSafe: true)
  }

  @Test func track_thatIsAudio_isNamed() throws {
    var fixture = try DiagnosticFixture(audio: [.seconds(0, 10)])
    fixture.edit.videoComposition.instructions[0].layers[0].trackID = 2
    let found = fixture.diagnostics().filter { $0.severity == .error }
    #expect(found.map(\.code) == [.invalidTrackIDInInstruction])
    #expect(found.first?.message.contains("names track 2, which holds audio") == true)
    #expect(found.first?.cause?.contains("2 is the number of a track in custom:clip") == true)
  }

  @Test func track_ofTwoThatPlay_hasNoFix() throws {
    var fixture = try DiagnosticFixture(video: [.seconds(0, 10), .seconds(0, 10)])
    fixture.edit.videoComposition.instructions[0].layers[0].trackID = 77
    let found = fixture.diagnostics().filter { $0.severity == .error }
    #expect(found.map(\.code) == [.invalidTrackIDInInstruction])
    #expect(found.first?.fix == nil)
    #expect(found.first?.cause?.contains("The track was removed") == true)
  }

  // MARK: Ramps and layers

  @Test func ramp_countedFromTheInstruction_isMoved() throws {
    var fixture = try DiagnosticFixture()
    fixture.setRanges([.seconds(0, 6), .seconds(6, 10)])
    try fixture.edit.videoComposition.instructions[1].layers[0].opacity.setRamp(from: 1, to: 0, timeRange: .seconds(3, 4))
    try fixture.check(
      .rampOutsideRange, instruction: 1, says: ["has no effect", "count from the instruction's start"],
      fix: "Move the opacity of track 1 in instruction 1 by 6 s")
  }

  @Test func ramp_longerThanItsInstruction_isCut() throws {
    var fixture = try DiagnosticFixture()
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
    var fixture = try DiagnosticFixture(audio: [.seconds(0, 10)])
    var volume = PropertyTimeline<Double>(default: 1)
    try volume.setRamp(from: 1, to: 0, timeRange: .seconds(8, 12))
    fixture.edit.audioMix.inputParameters = [AudioMixInputParameters(trackID: 2)]
    fixture.edit.audioMix.inputParameters[0].volume = volume
    try fixture.check(
      .rampOutsideRange, instruction: nil, says: ["volume ramp of track 2", "ends at 10 s"],
      fix: "End the volume ramp of track 2 at 10 s")
  }

  @Test func volumeRamp_whoseDurationIsItsEnd_isToldSo() throws {
    var fixture = try DiagnosticFixture(audio: [.seconds(0, 10)])
    var volume = PropertyTimeline<Double>(default: 1)
    try volume.setRamp(from: 1, to: 0, timeRange: TimeRange(start: .seconds(5), duration: .seconds(10)))
    fixture.edit.audioMix.inputParameters = [AudioMixInputParameters(trackID: 2)]
    fixture.edit.audioMix.inputParameters[0].volume = volume
    try fixture.check(
      .rampOutsideRange, instruction: nil, says: ["from 5 s to 15 s", "end was given as the ramp's duration"],
      fix: "End the volume ramp of track 2 at 10 s")
  }

  @Test func ramp_underAnOpaqueLayer_comesToTheFront() throws {
    var fixture = try DiagnosticFixture(video: [.seconds(0, 10), .seconds(0, 10)])
    var new = LayerInstruction(trackID: 2)
    try new.opacity.setRamp(from: 0, to: 1, timeRange: .seconds(0, 10))
    fixture.edit.videoComposition.instructions[0].layers.append(new)
    try fixture.check(
      .layerNotSeen, instruction: 0, says: ["opacity of track 2", "track 1 lies opaque above it"],
      fix: "Bring track 2 to the front in instruction 0")
  }

  @Test func track_alwaysUnderAnOpaqueLayer_isNeverSeen() throws {
    var fixture = try DiagnosticFixture(video: [.seconds(0, 10), .seconds(0, 10)])
    fixture.edit.videoComposition.instructions[0].layers.append(LayerInstruction(trackID: 2))
    try fixture.check(.layerNotSeen, instruction: 0, says: ["Video track 2 is never seen"], fix: nil)
    // Smaller, it is a picture in picture.
    fixture.edit.videoComposition.instructions[0].layers[0].transform = PropertyTimeline(default: .scale(x: 0.5, y: 0.5))
    #expect(fixture.diagnostics().isEmpty)
  }

  @Test func instruction_ofATrackWithoutMedia_isBlack() throws {
    var fixture = try DiagnosticFixture(video: [.seconds(0, 5), .seconds(5, 10)])
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

  /// Another track in the place of one that is shown for a part of the instruction would hide that part.
  @Test func instruction_partlyWithoutMedia_isDividedRatherThanRenamed() throws {
    var fixture = try DiagnosticFixture(video: [.seconds(0, 10), .seconds(1, 3)])
    fixture.instructions = [
      Instruction(timeRange: .seconds(0, 2), layers: [LayerInstruction(trackID: 2)]),
      Instruction(timeRange: .seconds(2, 10), layers: [LayerInstruction(trackID: 1)]),
    ]
    let found = try #require(fixture.diagnostics().first { $0.code == .trackWithoutMedia })
    #expect(found.message.contains("from 0 s to 1 s") && found.fix == nil, "\(found)")
    #expect(found.recoverySuggestion?.contains("Divide the instruction at 1 s") == true, "\(found)")
  }

  @Test func transition_withoutASource_isNamed() throws {
    var fixture = try DiagnosticFixture(video: [.seconds(0, 5), .seconds(4, 10)])
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
    var fixture = try DiagnosticFixture(video: [.seconds(0, 10), TimeRange(start: start, end: end)])
    fixture.edit.videoComposition.instructions[0].layers.insert(LayerInstruction(trackID: 2), at: 0)
    try fixture.check(.shorterThanFrame, instruction: nil, says: ["Segment 1 of track 2", "no frame shows it"], fix: nil)
  }

  // MARK: Video and audio

  @Test func orientation_lostOnInsertion_isPutBack() throws {
    let upright = Orientation(quarterTurns: 1).transform(of: Size(width: 64, height: 36))
    var fixture = try DiagnosticFixture(DescribedMedia(preferredTransform: upright))
    fixture.edit.videoComposition.renderSize = PixelSize(width: 36, height: 64)
    try fixture.check(
      .orientationLost, instruction: 0, says: ["rotated by 90° clockwise", "(0.0, 1.0, -1.0, 0.0, 36.0, 0.0)"],
      fix: "Show track 1 upright and fitted in instruction 0")
  }

  /// The rotation of a source's preferred transform without its translation: the picture is black.
  @Test(arguments: 1...3) func layer_turnedAboutItsCorner_comesBackOntoTheCanvas(turns: Int) throws {
    let upright = Orientation(quarterTurns: turns).transform(of: Size(width: 64, height: 36))
    var fixture = try DiagnosticFixture(DescribedMedia(preferredTransform: upright))
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
    var fixture = try DiagnosticFixture()
    fixture.edit.videoComposition.instructions[0].layers[0].transform = PropertyTimeline(default: .translation(x: x, y: y))
    guard isOutside else { return #expect(fixture.diagnostics().isEmpty) }
    let way = x != 0 ? (x < 0 ? "Add 64 to x of" : "Subtract 64 from x of") : y < 0 ? "Add 36 to y of" : "Subtract 36 from y of"
    try fixture.check(
      .layerNotSeen, instruction: 0, says: ["outside of the canvas of 64x36", way],
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
    var fixture = try DiagnosticFixture()
    fixture.edit.videoComposition.instructions[0].layers[0].transform = PropertyTimeline(default: .scale(x: 4, y: 4))
    try fixture.check(.upscaled, instruction: 0, says: ["64x36 is shown at up to 4.0 times its size"], fix: nil)
  }

  @Test(arguments: [
    (Rational(30, 1), true), (Rational(30000, 1001), true), (Rational(60, 1), true), (Rational(15, 1), true),
    (Rational(25, 1), false), (Rational(24, 1), false), (Rational(24000, 1001), false), (Rational(50, 1), false),
  ])
  func sources_ofAnotherRate_areUneven(rate: Rational, isEven: Bool) throws {
    var fixture = try DiagnosticFixture(video: [.seconds(0, 5)])
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
    var fixture = try DiagnosticFixture(audio: [.seconds(0, 10), .seconds(0, 10)])
    #expect(fixture.diagnostics().isEmpty)
    fixture.edit.audioMix.limiting = .off
    try fixture.check(.audioClipped, instruction: nil, says: ["add up to 2.0"], fix: nil)
  }

  @Test func clip_afterAFadeOutOfItsTrack_isSilent() throws {
    var fixture = try DiagnosticFixture(audio: [.seconds(0, 10)])
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
      .silentAudio, instruction: nil, says: ["Segment 1 of track 2", "falls to 0 at 4 s"],
      fix: "Set the volume of track 2 to 1 at 4 s")
  }

  @Test func colors_clippedByChoice_areNamed() throws {
    var fixture = try DiagnosticFixture(DescribedMedia(color: .bt2100PQ))
    fixture.edit.output.color = .bt709
    #expect(fixture.diagnostics().isEmpty)
    fixture.edit.videoComposition.colorConversion.toneMapping = .clip
    fixture.edit.videoComposition.colorConversion.gamutMapping = .clip
    try fixture.check(.colorClipped, instruction: nil, says: ["light above SDR white and colors outside"], fix: nil)
  }

  // MARK: Fixes

  @Test func fix_forAnotherEdit_isRefused() throws {
    let fixture = try DiagnosticFixture()
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
    var fixture = try DiagnosticFixture()
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
