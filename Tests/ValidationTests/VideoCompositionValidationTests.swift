import CompositorAPI
import CompositorValidation
import CompositorTestMedia
import Testing

/// The editing model's own validation: four callbacks, each of which may stop it.
@Suite struct VideoCompositionValidationTests {
  /// Records the callbacks, and continues up to a limit.
  private final class Listener: VideoCompositionValidationDelegate {
    var heard: [String] = []
    let most: Int

    init(most: Int = .max) { self.most = most }

    private func note(_ text: String) -> Bool {
      heard.append(text)
      return heard.count < most
    }

    func videoComposition(_: VideoComposition, shouldContinueValidatingAfterFindingInvalidValueForKey key: String) -> Bool {
      note("value \(key)")
    }

    func videoComposition(_: VideoComposition, shouldContinueValidatingAfterFindingEmptyTimeRange range: TimeRange) -> Bool {
      note("empty \(range.start.seconds)–\(range.end.seconds)")
    }

    func videoComposition(
      _ video: VideoComposition, shouldContinueValidatingAfterFindingInvalidTimeRangeIn instruction: Instruction
    ) -> Bool {
      note("time \(video.instructions.firstIndex(of: instruction) ?? -1)")
    }

    func videoComposition(
      _ video: VideoComposition, shouldContinueValidatingAfterFindingInvalidTrackIDIn instruction: Instruction,
      layerInstruction: LayerInstruction?, composition: Composition
    ) -> Bool {
      note("track \(layerInstruction?.trackID ?? -1) in \(video.instructions.firstIndex(of: instruction) ?? -1)")
    }
  }

  private struct Outcome: Equatable {
    let isValid: Bool
    let heard: [String]
  }

  /// Ten seconds of video on track 1, and instructions of these ranges, each with a tag that tells it apart.
  private func edit(_ ranges: [TimeRange], end: Int64 = 10) throws -> (video: VideoComposition, composition: Composition) {
    var composition = Composition()
    let track = composition.addTrack(.video)
    try composition.setSegments(
      [
        CompositionTrackSegment(
          source: .custom(name: "clip"), timeMapping: TimeMapping(source: .seconds(0, end), target: .seconds(0, end)))
      ], ofTrack: track)
    var video = VideoComposition(
      frameDuration: MediaTime(value: 1, timescale: 30), renderSize: PixelSize(width: 64, height: 36))
    video.instructions = ranges.enumerated().map { index, range in
      var instruction = Instruction(timeRange: range, layers: [LayerInstruction(trackID: track)])
      instruction.tag = "\(index)"
      return instruction
    }
    return (video, composition)
  }

  private func heard(
    _ video: VideoComposition, _ composition: Composition?, in range: TimeRange = .all, most: Int = .max
  ) -> Outcome {
    let listener = Listener(most: most)
    return Outcome(
      isValid: video.isValid(for: composition, timeRange: range, delegate: listener), heard: listener.heard)
  }

  @Test func instructions_thatFit_areValidInAnyRange() throws {
    let (video, composition) = try edit([.seconds(0, 4), .seconds(4, 10)])
    for range in [TimeRange.all, .seconds(0, 10), .seconds(1, 3), .seconds(3, 30), .seconds(20, 30), .zero, .invalid] {
      #expect(heard(video, composition, in: range) == Outcome(isValid: true, heard: []), "\(range)")
      #expect(video.isValid(for: composition, timeRange: range))
    }
    #expect(video.isValid(for: nil))
  }

  @Test func ranges_eachFault_isHeardOnce() throws {
    let cases: [(ranges: [TimeRange], heard: [String])] = [
      ([], ["empty 0.0–10.0"]),
      ([.seconds(1, 10)], ["empty 0.0–1.0"]),
      ([.seconds(0, 3), .seconds(5, 10)], ["empty 3.0–5.0"]),
      ([.seconds(0, 9)], ["empty 9.0–10.0"]),
      ([.seconds(0, 6), .seconds(5, 10)], ["time 1"]),
      ([.seconds(5, 10), .seconds(0, 5)], ["time 1"]),
      ([.seconds(0, 5), .seconds(5, 5), .seconds(5, 10)], ["time 1"]),
      ([.seconds(0, 5), .seconds(5, 4), .seconds(5, 10)], ["time 1"]),
      ([.seconds(0, 5), TimeRange(start: .seconds(5), duration: .positiveInfinity)], []),
      ([TimeRange(start: .negativeInfinity, duration: .positiveInfinity), .seconds(0, 10)], ["time 0"]),
      ([.seconds(2, 4), .seconds(3, 6)], ["empty 0.0–2.0", "time 1", "empty 6.0–10.0"]),
    ]
    for (ranges, expected) in cases {
      let (video, composition) = try edit(ranges)
      let result = heard(video, composition)
      #expect(result.heard == expected, "\(ranges)")
      #expect(result.isValid == expected.isEmpty, "\(ranges)")
      #expect(video.isValid(for: composition) == expected.isEmpty, "\(ranges)")
    }
  }

  @Test func composition_absent_leavesOutTracksAndEnd() throws {
    var (video, composition) = try edit([.seconds(0, 3), .seconds(5, 8)])
    video.instructions[1].layers[0].trackID = 9
    #expect(heard(video, composition).heard == ["empty 3.0–5.0", "track 9 in 1", "empty 8.0–10.0"])
    #expect(heard(video, nil).heard == ["empty 3.0–5.0"])
  }

  @Test func range_thatCutsInstructions_looksInsideOnly() throws {
    let (video, composition) = try edit([.seconds(0, 3), .seconds(5, 8), .seconds(7, 9)])
    let cases: [(TimeRange, [String])] = [
      (.seconds(0, 3), []), (.seconds(1, 4), ["empty 3.0–4.0"]), (.seconds(4, 6), ["empty 4.0–5.0"]),
      (.seconds(5, 7), []), (.seconds(6, 8), ["time 2"]), (.seconds(8, 9), []), (.seconds(8, 20), ["empty 9.0–10.0"]),
      (TimeRange(start: .seconds(4), duration: .positiveInfinity), ["empty 4.0–5.0", "time 2", "empty 9.0–10.0"]),
    ]
    for (range, expected) in cases { #expect(heard(video, composition, in: range).heard == expected, "\(range)") }
  }

  @Test func delegate_thatHasHeardEnough_endsValidation() throws {
    var (video, composition) = try edit([.seconds(2, 4), .seconds(3, 6)])
    video.frameDuration = .zero
    video.renderScale = .nan
    video.instructions[0].layers[0].trackID = 5
    try video.instructions[1].layers[0].opacity.set(2, at: .zero)
    let all = [
      "value frameDuration", "value renderScale", "empty 0.0–2.0", "track 5 in 0", "time 1",
      "value instructions[1].layers[0].opacity",
      "empty 6.0–10.0",
    ]
    #expect(heard(video, composition) == Outcome(isValid: false, heard: all))
    for count in 1...all.count {
      #expect(heard(video, composition, most: count) == Outcome(isValid: false, heard: Array(all.prefix(count))))
    }
  }

  @Test func defaultsOfTheDelegate_goOnAndAreNotValid() throws {
    struct Silent: VideoCompositionValidationDelegate {}
    let (video, composition) = try edit([.seconds(1, 2)])
    #expect(!video.isValid(for: composition, delegate: Silent()))
  }

  @Test func tracks_thatAreAdditionalOrPassedThrough_haveNoLayer() throws {
    var (video, composition) = try edit([.seconds(0, 10)])
    video.instructions[0].additionalTrackIDs = [7]
    #expect(heard(video, composition).heard == ["track -1 in 0"])
    video.instructions[0].content = .passthrough(8)
    #expect(heard(video, composition).heard == ["track -1 in 0"])
  }
}
