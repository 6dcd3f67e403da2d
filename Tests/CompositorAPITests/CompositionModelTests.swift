import CompositorAPI
import Testing

/// Random edits against a plain model: a list of cells, one a second, each with what plays in its middle.
@Suite struct CompositionModelTests {
  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func edit_randomOperations_playsWhatThePlainModelPlays(seed: UInt64) throws {
    var random = SplitMix64(state: seed)
    var composition = Composition()
    let track = composition.addTrack(.video)
    var model: [MediaTime?] = []
    for _ in 0..<60 {
      let at = Int.random(in: 0...(model.count + 2), using: &random)
      let count = Int.random(in: 1...5, using: &random)
      let target = range(Int64(at), Int64(at + count))
      switch Int.random(in: 0..<4, using: &random) {
      case 0, 1:
        let media = Int64.random(in: 0...100, using: &random)
        try composition.insert(source(clipA, media, media + Int64(count)), at: target.start, inTrack: track)
        model += Array(repeating: nil, count: max(at - model.count, 0))
        model.insert(contentsOf: (0..<count).map { time(2 * (media + Int64($0)) + 1, 2) }, at: at)
      case 2:
        try composition.insertEmpty(target, inTrack: track)
        if at < model.count { model.insert(contentsOf: Array(repeating: nil, count: count), at: at) }
      default:
        try composition.remove(target, inTrack: track)
        model.removeSubrange(min(at, model.count)..<min(at + count, model.count))
      }
      let held = try #require(composition.track(track))
      try CompositionTrack.validate(held.segments, trackID: track)
      #expect(held.timeRange.end == time(Int64(model.count)))
      #expect(model.indices.map { held.position(at: time(2 * Int64($0) + 1, 2))?.time } == model)
    }
  }

  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func scale_randomRanges_keepsWhatPlaysAtEachMappedTime(seed: UInt64) throws {
    var random = SplitMix64(state: seed)
    var (composition, track) = try composition([source(clipA, 0, 10), source(clipB, 5, 15)])
    for _ in 0..<6 {
      let before = try #require(composition.track(track))
      let start = time(.random(in: 0...15, using: &random))
      let part = TimeRange(start: start, duration: time(.random(in: 1...5, using: &random)))
      let target = TimeRange(start: start, duration: time(.random(in: 1...9, using: &random), 2))
      try composition.scale(part, to: target.duration, inTrack: track)
      let after = try #require(composition.track(track))
      try CompositionTrack.validate(after.segments, trackID: track)
      for step in 0..<32 {
        let time = part.start + part.duration.multiplied(by: Int64(2 * step + 1), over: 64)
        let was = before.position(at: time)
        let now = after.position(at: time.mapped(from: part, to: target))
        #expect(was?.source == now?.source)
        #expect(abs((was?.time.seconds ?? 0) - (now?.time.seconds ?? 0)) < 1e-6)
      }
    }
  }
}
