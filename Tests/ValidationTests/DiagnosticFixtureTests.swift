import CompositorAPI
import CompositorMediaIO
import CompositorTestMedia
import Foundation
import Testing

/// One fixture for each cause that validation recognizes: it gives exactly its diagnostics, and its fix mends it.
@Suite struct DiagnosticFixtureTests {
  private typealias Code = ValidationDiagnostic.Code

  @Test func fixture_untouched_isValid() throws {
    #expect(try DiagnosticFixture(audio: [.seconds(0, 10)]).diagnostics().isEmpty)
  }

  // MARK: Times

  @Test func audio_microsecondsLonger_namesTrackAndAmount() throws {
    let end = MediaTime(value: 10_000_023, timescale: 1_000_000)
    let fixture = try DiagnosticFixture(audio: [TimeRange(start: .zero, end: end)])
    try fixture.check(
      .emptyTimeRange, instruction: 0,
      says: ["Audio track 2", "longer than the video", "23.0 µs", "10.000023 s"],
      fix: "End instruction 0 at 10.000023 s", isSafe: true)
  }

  @Test func lastInstruction_tooShort_isExtended() throws {
    var fixture = try DiagnosticFixture()
    fixture.setRanges([.seconds(0, 4), .seconds(4, 7)])
    try fixture.check(
      .emptyTimeRange, instruction: 1, says: ["ends at 7 s", "Video track 1 has media", "3 s too short"],
      fix: "End instruction 1 at 10 s", isSafe: true)
  }

  @Test func firstInstruction_late_startsAtZero() throws {
    var fixture = try DiagnosticFixture()
    fixture.setRanges([.seconds(2, 10)])
    try fixture.check(
      .emptyTimeRange, instruction: 0, says: ["starts at 2 s instead of 0", "Video track 1 has media"],
      fix: "Start instruction 0 at 0")
  }

  @Test func gap_withMedia_isCoveredByTheNeighbor() throws {
    var fixture = try DiagnosticFixture()
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
    var fixture = try DiagnosticFixture(video: [.seconds(0, 2), .seconds(1, 10)])
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
    var fixture = try DiagnosticFixture(video: [.seconds(0, 4), .seconds(6, 10)])
    fixture.instructions = [
      Instruction(timeRange: .seconds(0, 4), layers: [LayerInstruction(trackID: 1)]),
      Instruction(timeRange: .seconds(6, 10), layers: [LayerInstruction(trackID: 2)]),
    ]
    try fixture.check(
      .emptyTimeRange, instruction: 1, says: ["Nothing plays there"],
      fix: "Show the background from 4 s to 6 s")
  }

  @Test func gap_ofARoundedTime_isSafelyClosed() throws {
    var fixture = try DiagnosticFixture()
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
    var fixture = try DiagnosticFixture()
    fixture.setRanges([.seconds(0, 4), range, .seconds(4, 10)])
    try fixture.check(.invalidTimeRangeInInstruction, instruction: 1, says: [cause], fix: fix, isSafe: true)
  }

  @Test func instruction_withoutALengthInAGap_fillsIt() throws {
    var fixture = try DiagnosticFixture()
    fixture.setRanges([.seconds(0, 4), TimeRange(start: .seconds(4), duration: .indefinite), .seconds(6, 10)])
    try fixture.check(
      .invalidTimeRangeInInstruction, instruction: 1, says: ["a time that is not known"],
      fix: "Let instruction 1 last from 4 s to 6 s", isSafe: true)
  }

  @Test func instructions_outOfOrder_areSorted() throws {
    var fixture = try DiagnosticFixture()
    fixture.setRanges([.seconds(0, 4), .seconds(6, 10), .seconds(4, 6)])
    try fixture.check(
      .invalidTimeRangeInInstruction, instruction: 2,
      says: ["starts at 4 s, before instruction 1, which starts at 6 s"],
      fix: "Sort the instructions by their starts", isSafe: true)
  }

  @Test func instructions_thatOverlap_areCut() throws {
    var fixture = try DiagnosticFixture()
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
    var fixture = try DiagnosticFixture()
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
    #expect(found.first?.message.contains("no cross-fade of the audio of track 4 and track 3: track 3 stays silent") == true)
  }

  /// Two clips that overlap without a change are shown at once: a picture in picture over the end of a clip.
  @Test func overlap_withoutChange_isNoTransition() throws {
    let sample = try SampleEdit(clips: 3, countsBoth: true)
    var edit = sample.edit
    for index in edit.videoComposition.instructions[3].layers.indices {
      edit.videoComposition.instructions[3].layers[index].opacity = PropertyTimeline(default: 1)
      edit.videoComposition.instructions[3].layers[index].transform = PropertyTimeline(default: .identity)
    }
    #expect(!sample.diagnostics(of: edit).map(\.code).contains(.missingCrossfade))
  }
}
