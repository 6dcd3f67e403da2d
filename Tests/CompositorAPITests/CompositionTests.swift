import CompositorAPI
import Testing

let clipA = MediaSource.file(path: "a.mov")
let clipB = MediaSource.file(path: "b.mov")

func source(_ source: MediaSource, _ start: Int64, _ end: Int64) -> SourceRange {
  SourceRange(source, timeRange: range(start, end))
}

/// A composition of one video track that plays `ranges` one after another.
func composition(_ ranges: [SourceRange]) throws -> (composition: Composition, track: TrackID) {
  var composition = Composition()
  let track = composition.addTrack(.video)
  try composition.insert(ranges, at: .invalid, inTrack: track)
  return (composition, track)
}

func code(_ body: () throws -> Void) -> CompositorError.Code? {
  do {
    try body()
    return nil
  } catch {
    return (error as? CompositorError)?.code
  }
}

@Suite struct CompositionTests {
  /// `a.mov@3/1` for each second's middle, or `-` in empty time.
  func played(_ composition: Composition, _ track: TrackID, at times: [MediaTime]) -> [String] {
    times.map { time in
      composition.track(track)?.position(at: time).map { "\($0.source)@\($0.time.seconds)" } ?? "-"
    }
  }

  @Test func addTrack_preferredIDUsedBefore_isNotGivenAgain() throws {
    var composition = Composition()
    #expect(composition.addTrack(.video, preferredTrackID: 7) == 7)
    #expect(composition.addTrack(.video, preferredTrackID: 7) == 8)
    try composition.removeTrack(7)
    #expect(composition.addTrack(.audio, preferredTrackID: 7) == 9)
    #expect(composition.addTrack(.audio, preferredTrackID: -1) == 10)
    #expect(composition.addTrack(.audio, preferredTrackID: .max) == .max)
    #expect(composition.addTrack(.audio) == 1)
    #expect(code { try composition.removeTrack(7) } == .invalidTrackID)
  }

  @Test func setSegments_faults_haveTheModelsNumbers() throws {
    var (composition, track) = try composition([source(clipA, 0, 4)])
    let before = composition
    func segment(_ source: TimeRange, _ target: TimeRange) -> CompositionTrackSegment {
      CompositionTrackSegment(source: clipA, timeMapping: TimeMapping(source: source, target: target))
    }
    let negative = TimeRange(start: time(1), duration: time(-1))
    let faults: [([CompositionTrackSegment], Int)] = [
      ([segment(range(0, 1), range(1, 2))], -11824),
      ([segment(range(0, 1), range(0, 1)), segment(range(0, 1), range(2, 3))], -11824),
      ([segment(range(0, 2), range(0, 2)), segment(range(0, 1), range(1, 2))], -11824),
      ([segment(range(0, 1), TimeRange(start: .invalid, duration: time(1)))], -11824),
      ([segment(range(0, 1), range(0, 0))], -11825),
      ([segment(range(0, 1), TimeRange(start: .zero, duration: .positiveInfinity))], -11825),
      ([segment(TimeRange(start: .positiveInfinity, duration: time(1)), range(0, 1))], -11826),
      ([segment(TimeRange(start: .invalid, duration: .invalid), range(0, 1))], -11826),
      ([segment(negative, range(0, 1))], -11827),
      ([segment(TimeRange(start: .zero, duration: .indefinite), range(0, 1))], -11827),
    ]
    for (segments, number) in faults {
      #expect {
        try composition.setSegments(segments, ofTrack: track)
      } throws: {
        ($0 as? CompositorError)?.avFoundationCode == number
      }
    }
    #expect(composition == before)
    #expect(code { try composition.setSegments([], ofTrack: 99) } == .invalidTrackID)
  }

  @Test func insert_inTheMiddle_ripplesLaterContent() throws {
    var (composition, track) = try composition([source(clipA, 0, 4)])
    try composition.insert(source(clipB, 10, 12), at: time(3, 2), inTrack: track)
    #expect(composition.duration == time(6))
    let times = [time(1), time(3, 2), time(3), time(7, 2), time(5), time(6)]
    #expect(played(composition, track, at: times) == ["a.mov@1.0", "b.mov@10.0", "b.mov@11.5", "a.mov@1.5", "a.mov@3.0", "-"])
    try CompositionTrack.validate(try #require(composition.track(track)).segments, trackID: track)
  }

  @Test func insert_pastTheEnd_fillsWithEmptySegment() throws {
    var (composition, track) = try composition([source(clipA, 0, 4)])
    try composition.insert(source(clipB, 0, 1), at: time(6), inTrack: track)
    let segments = try #require(composition.track(track)).segments
    #expect(segments.map(\.isEmpty) == [false, true, false])
    #expect(segments[1].timeMapping.target == range(4, 6))
    #expect(segments[2].timeMapping.target == range(6, 7))
  }

  @Test func insert_severalOneBad_changesNothing() throws {
    var (composition, track) = try composition([source(clipA, 0, 4)])
    let before = composition
    let bad = [source(clipB, 0, 1), source(clipB, 3, 3)]
    #expect(code { try composition.insert(bad, at: time(2), inTrack: track) } == .invalidSourceDuration)
    let endless = SourceRange(clipB, timeRange: TimeRange(start: .zero, duration: .positiveInfinity))
    #expect(code { try composition.insert(endless, at: .zero, inTrack: track) } == .invalidSourceDuration)
    #expect(code { try composition.insert(source(clipB, 0, 1), at: time(-1), inTrack: track) } == .invalidValue)
    #expect(code { try composition.insert(source(clipB, 0, 1), at: .positiveInfinity, inTrack: track) } == .invalidValue)
    let huge = SourceRange(clipB, timeRange: TimeRange(start: .zero, duration: MediaTime(value: .max, timescale: 1)))
    #expect(code { try composition.insert(huge, at: .invalid, inTrack: track) } == .invalidValue)
    #expect(composition == before)
  }

  @Test func insertEmpty_middleAndEnd_movesOnlyLaterMedia() throws {
    var (composition, track) = try composition([source(clipA, 0, 4)])
    try composition.insertEmpty(range(4, 9), inTrack: track)
    #expect(composition.duration == time(4))
    try composition.insertEmpty(range(1, 3), inTrack: track)
    try composition.insertEmpty(range(2, 3), inTrack: track)
    #expect(try #require(composition.track(track)).segments.map(\.isEmpty) == [false, true, false])
    #expect(composition.duration == time(7))
    #expect(played(composition, track, at: [time(1, 2), time(2), time(4)]) == ["a.mov@0.5", "-", "a.mov@1.0"])
  }

  @Test func remove_acrossSegments_pullsLaterMediaIn() throws {
    var (composition, track) = try composition([source(clipA, 0, 4), source(clipB, 0, 4)])
    try composition.remove(range(3, 6), inTrack: track)
    #expect(composition.duration == time(5))
    #expect(played(composition, track, at: [time(2), time(3), time(4)]) == ["a.mov@2.0", "b.mov@2.0", "b.mov@3.0"])
    try composition.remove(range(4, 400), inTrack: track)
    #expect(composition.duration == time(4))
    try composition.remove(range(0, 4), inTrack: track)
    #expect(try #require(composition.track(track)).segments.isEmpty)
  }

  @Test func scale_acrossSegments_changesEveryRateInside() throws {
    var (composition, track) = try composition([source(clipA, 0, 4), source(clipB, 0, 4)])
    try composition.scale(range(2, 6), to: time(2), inTrack: track)
    let segments = try #require(composition.track(track)).segments
    #expect(segments.map(\.timeMapping.rate) == [1, 2, 2, 1])
    #expect(composition.duration == time(6))
    #expect(played(composition, track, at: [time(5, 2), time(7, 2), time(5)]) == ["a.mov@3.0", "b.mov@1.0", "b.mov@3.0"])
    #expect(code { try composition.scale(range(0, 1), to: .zero, inTrack: track) } == .invalidValue)
    #expect(code { try composition.scale(range(0, 0), to: time(1), inTrack: track) } == .invalidValue)
  }

  @Test func scale_thereAndBack_restoresEveryTime() throws {
    let (original, track) = try composition([source(clipA, 0, 4), source(clipB, 0, 4)])
    var composition = original
    try composition.scale(range(0, 8), to: time(1001, 30), inTrack: track)
    try composition.scale(TimeRange(start: .zero, duration: time(1001, 30)), to: time(8), inTrack: track)
    #expect(composition == original)
  }

  @Test func freezeFrame_wholeSegment_sameMediaTime() throws {
    var (composition, track) = try composition([source(clipB, 0, 5)])
    try composition.insertFreezeFrame(
      of: MediaPosition(source: clipB, time: time(5)), duration: time(1), at: .invalid, inTrack: track)
    let segment = try #require(composition.track(track)?.segment(at: time(11, 2)))
    #expect(segment.isFreezeFrame && segment.timeMapping.target == range(5, 6))
    #expect(played(composition, track, at: [time(9, 2), time(5), time(59, 10)]) == ["b.mov@4.5", "b.mov@5.0", "b.mov@5.0"])
    // Cutting it leaves two freeze frames of the same picture.
    try composition.insertEmpty(TimeRange(start: time(11, 2), duration: time(1)), inTrack: track)
    #expect(played(composition, track, at: [time(5), time(6), time(34, 5)]) == ["b.mov@5.0", "-", "b.mov@5.0"])
    #expect(
      code {
        try composition.insertFreezeFrame(
          of: MediaPosition(source: clipB, time: .invalid), duration: time(1), at: .zero, inTrack: track)
      } == .invalidSourceStart)
  }

  @Test func edit_articleExample_playsWhatItSays() throws {
    var (composition, track) = try composition([source(clipA, 0, 5)])
    try composition.scale(range(0, 5), to: time(5) * 2, inTrack: track)
    try composition.insertFreezeFrame(
      of: MediaPosition(source: clipA, time: time(5)), duration: time(1), at: .invalid, inTrack: track)
    #expect(composition.duration == time(11))
    #expect(composition.track(track)?.position(at: time(3))?.time.description == "3/2")
    #expect(composition.track(track)?.position(at: time(21, 2))?.time == time(5))
  }

  @Test func slowMotion_fourteenSegments_mapsMonotonically() throws {
    var composition = Composition()
    let track = composition.addTrack(.video)
    try composition.setSegments(SlowMotionVector.segments, ofTrack: track)
    #expect(composition.duration == time(54238, 600))
    let held = try #require(composition.track(track))
    #expect(held.segments[8].timeMapping.target.start.seconds.rounded(decimals: 3) == 87.785)
    #expect(held.segments[8].timeMapping.source.start.seconds.rounded(decimals: 3) == 13.297)
    #expect(held.segments.map(\.timeMapping.rate).max() == 48.0 / 47)
    let positions = (0..<54238).map { held.position(at: time($0, 600)) }
    #expect(positions.allSatisfy { $0 != nil })
    let times = positions.compactMap { $0?.time }
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    #expect(times.last.map { $0 < time(9504, 600) } == true)
    #expect(held.position(at: time(54238, 600)) == nil)
    #expect(held.position(at: time(-1, 600)) == nil)
  }

  @Test func allTracks_edits_keepTracksInStep() throws {
    var composition = Composition()
    let first = composition.addTrack(.video)
    let second = composition.addTrack(.audio)
    try composition.insert(source(clipA, 0, 8), at: .zero, inTrack: first)
    try composition.insert(source(clipA, 0, 4), at: .zero, inTrack: second)
    try composition.insertEmpty(range(1, 2))
    try composition.remove(range(3, 4))
    try composition.scale(range(2, 6), to: time(8))
    #expect(composition.track(first)?.timeRange == range(0, 12))
    #expect(composition.track(second)?.timeRange == range(0, 6))
    for at in [time(1, 2), time(5, 2), time(4), time(11, 2)] {
      let (picture, sound) = (composition.track(first)?.position(at: at), composition.track(second)?.position(at: at))
      #expect(picture != nil && picture == sound, "at \(at)")
    }
  }

  @Test func insertComposition_nested_flattensThroughMappings() throws {
    var (inner, innerTrack) = try composition([source(clipA, 0, 4)])
    try inner.scale(range(0, 4), to: time(2), inTrack: innerTrack)
    try inner.insertFreezeFrame(
      of: MediaPosition(source: clipA, time: time(4)), duration: time(2), at: .invalid, inTrack: innerTrack)
    let sound = inner.addTrack(.audio)
    try inner.insert(source(clipA, 0, 1), at: time(1), inTrack: sound)
    var (outer, track) = try composition([source(clipB, 0, 4)])
    let title = outer.addTrack(.video)
    try outer.insert(source(clipB, 20, 24), at: .zero, inTrack: title)
    try outer.insert(range(1, 3), of: inner, at: time(2))
    #expect(outer.tracks.map(\.mediaType) == [.video, .video, .audio])
    let times = [time(1), time(2), time(5, 2), time(7, 2), time(4)]
    #expect(played(outer, track, at: times) == ["b.mov@1.0", "a.mov@2.0", "a.mov@3.0", "a.mov@4.0", "b.mov@2.0"])
    #expect(played(outer, title, at: times) == ["b.mov@21.0", "-", "-", "-", "b.mov@22.0"])
    #expect(played(outer, outer.tracks[2].trackID, at: times) == ["-", "a.mov@0.0", "a.mov@0.5", "-", "-"])
    for track in outer.tracks { try CompositionTrack.validate(track.segments, trackID: track.trackID) }
  }

  @Test func load_hundredThousandSegments_underASecond() throws {
    let clock = ContinuousClock()
    var composition = Composition()
    let track = composition.addTrack(.video)
    let appending = try clock.measure {
      for index in 0..<100_000 {
        let start = MediaTime(value: Int64(index), timescale: index % 2 == 0 ? 600 : 30000)
        let range = TimeRange(start: start, duration: MediaTime(value: 1001, timescale: 30000))
        try composition.insert(SourceRange(clipA, timeRange: range), at: .invalid, inTrack: track)
      }
    }
    let segments = try #require(composition.track(track)).segments
    #expect(segments.count == 100_000)
    let loading = try clock.measure { try composition.setSegments(segments, ofTrack: track) }
    let rippling = try clock.measure { try composition.insert(source(clipB, 0, 1), at: time(1), inTrack: track) }
    #expect(appending < .seconds(5), "appending took \(appending)")
    #expect(loading < .seconds(5), "loading took \(loading)")
    #expect(rippling < .seconds(3), "inserting took \(rippling)")
    #expect(composition.duration == time(100_000 * 1001, 30000) + time(1))
  }
}

extension Double {
  func rounded(decimals: Int) -> Double {
    let scale = (0..<decimals).reduce(1.0) { scale, _ in scale * 10 }
    return (self * scale).rounded() / scale
  }
}
