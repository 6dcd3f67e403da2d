import CompositorAPI
import Testing

/// What a composition is as a value: the ways to build one agree, IDs last, failed edits leave nothing.
@Suite struct CompositionValueTests {
  /// Random insertions against the segments that they give, set at once; times at other timescales.
  @Test(arguments: 1...50 as ClosedRange<UInt64>)
  func insertionsAndSegments_giveEqualCompositions(seed: UInt64) throws {
    var random = SplitMix64(state: seed)
    var (inserted, set) = (Composition(), Composition())
    for type in [MediaType.video, .audio, .video] {
      let track = inserted.addTrack(type)
      #expect(set.addTrack(type) == track)
      for _ in 0..<6 {
        let start = Int64.random(in: 0...20, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
          try inserted.insertFreezeFrame(
            of: MediaPosition(source: clipB, time: time(start, 7)), duration: time(5, 3), at: time(start, 2), inTrack: track)
        case 1: try inserted.insert(source(clipA, start, start + 3), at: time(start, 3), inTrack: track)
        default: try inserted.insert([source(clipA, 1, 2), source(clipB, start, start + 1)], at: .invalid, inTrack: track)
        }
      }
      let segments = try #require(inserted.track(track)).segments.map { segment in
        func finer(_ range: TimeRange) -> TimeRange {
          func finer(_ time: MediaTime) -> MediaTime {
            time.isNumeric ? MediaTime(value: time.value * 3, timescale: time.timescale * 3) : time
          }
          return TimeRange(start: finer(range.start), duration: finer(range.duration))
        }
        var copy = segment
        copy.timeMapping = TimeMapping(source: finer(segment.timeMapping.source), target: finer(segment.timeMapping.target))
        return copy
      }
      try set.setSegments(segments, ofTrack: track)
    }
    #expect(inserted == set && inserted.hashValue == set.hashValue)
  }

  @Test func insert_compositionThatDoesNotFit_leavesNoTrackBehind() throws {
    let (inner, _) = try composition([source(clipA, 0, 4)])
    var outer = Composition()
    let empty = outer
    let late = MediaTime(value: .max - 1, timescale: 1)
    #expect(code { try outer.insert(range(0, 4), of: inner, at: late) } == .invalidValue)
    #expect(outer == empty && outer.addTrack(.video) == 1)
  }

  @Test func insert_ofNothing_changesNothing() throws {
    var (composition, track) = try composition([source(clipA, 0, 4)])
    let before = composition
    try composition.insert([SourceRange](), at: time(9), inTrack: track)
    #expect(composition == before)
    #expect(code { try composition.insert([SourceRange](), at: time(-9), inTrack: track) } == .invalidValue)
    #expect(code { try composition.insert([SourceRange](), at: time(9), inTrack: 99) } == .invalidTrackID)
  }

  @Test func insert_ofItself_playsBothInOrder() throws {
    var (composition, track) = try composition([source(clipA, 0, 4)])
    let copy = composition
    try composition.insert(range(1, 3), of: composition, at: time(2))
    #expect(composition.track(track)?.segments.map(\.timeMapping.source) == [range(0, 2), range(1, 3), range(2, 4)])
    #expect(copy.track(track)?.segments.count == 1, "a copy is a snapshot")
  }

  @Test func trackIDs_ofARemovedTrack_areNotGivenAgain_alsoAfterReading() throws {
    var composition = Composition()
    for _ in 0..<3 { composition.addTrack(.video) }
    try composition.removeTrack(3)
    try composition.removeTrack(2)
    #expect(composition.addTrack(.audio) == 4 && composition.addTrack(.audio, preferredTrackID: 2) == 5)
    #expect(
      composition.addTrack(.audio, preferredTrackID: .min) == 6 && composition.addTrack(.audio, preferredTrackID: 100) == 100)
    #expect(composition.addTrack(.audio) == 101)
  }
}
