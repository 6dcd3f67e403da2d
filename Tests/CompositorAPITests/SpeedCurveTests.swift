import CompositorAPI
import Foundation
import Testing

/// Segments that play backward and along speed curves: every edit keeps what plays.
@Suite struct SpeedCurveTests {
  static let easings: [Easing] = [
    .linear, .ease, .easeInOut, .cubicBezier(x1: 0.3, y1: 1.2, x2: 0.6, y2: 1), .steps(4, .end), .steps(3, .both),
    .steps(2, .none), .steps(5, .start),
  ]
  /// Those whose speed is above 0 in the test of distances.
  static let swinging =
    ["bounce-in", "bounce-out", "bounce-in-out", "elastic-out", "elastic-in-out", "back-in", "back-out", "back-in-out"]
    .compactMap { Easing($0) }
    + [
      "linear(0, 1.5, 0.5, 1)", "linear(0 20%, 0.5 20% 60%, 2 60%, 1)", "linear(0.5)", "linear(0 50%, 1 50%)",
      "linear(0 -50%, 1 150%)", "linear(0, 1 25% 25%)", "linear(0.9 75%, 1)",
    ].compactMap { Easing($0) }

  @Test(arguments: easings + swinging) func distance_ofEveryEasing_isTheIntegralOfItsSpeed(_ easing: Easing) throws {
    let curve = try SpeedCurve(
      [.init(time: 0.5, speed: 1, easing: easing), .init(time: 2.5, speed: 4), .init(time: 3, speed: 0.25)], duration: 4)
    let steps = 40_000
    var sum = 0.0
    for step in 0..<steps {
      let time = (Double(step) + 0.5) * 4 / Double(steps)
      sum += curve.speed(at: time) * 4 / Double(steps)
      guard step % 5000 == 4999 else { continue }
      let reached = time + 2 / Double(steps)
      #expect(abs(curve.distance(at: reached) - sum) < 1e-3, "\(easing) at \(reached)")
      #expect(abs(curve.time(atDistance: curve.distance(at: reached)) - reached) < 1e-9)
    }
    #expect(abs(curve.mediaDuration - sum) < 1e-3)
  }

  /// A dip that is narrower than the distance between evenly spaced samples.
  @Test(arguments: ["linear(0, 0 50.3%, -1 50.4%, 0 50.5%, 1)", "linear(0, 0.5 50.3%, -1 50.3%, 0 50.4%, 1)"])
  func speed_thatDipsBelowZero_isRefused(_ text: String) throws {
    let easing = try #require(Easing(text))
    let points = [SpeedCurve.Point(time: 0, speed: 1, easing: easing), SpeedCurve.Point(time: 2, speed: 3)]
    let error = #expect(throws: CompositorError.self) { try SpeedCurve(points, duration: 2) }
    #expect(error?.code == .invalidValue)
  }

  @Test func speeds_ofLines_areThoseAtTheirStops() throws {
    let easing = try #require(Easing("linear(0, 0.5 50.3%, 4 50.4%, 0.5 50.5%, 1)"))
    let curve = try SpeedCurve([.init(time: 0, speed: 1, easing: easing), .init(time: 2, speed: 3)], duration: 2)
    #expect(abs(curve.speeds.upperBound - 9) < 1e-6 && curve.speeds.lowerBound == 1)
  }

  static func segment(_ generator: inout SplitMix, reversed: Bool, curved: Bool) throws -> CompositionTrackSegment {
    let source = TimeRange(
      start: MediaTime(value: Int64(generator.next() % 90_000), timescale: 30_000),
      duration: MediaTime(value: Int64(generator.next() % 100_000 + 30_000), timescale: 90_000))
    let target = TimeRange(
      start: .zero, duration: MediaTime(value: Int64(generator.next() % 200 + 30), timescale: 24))
    var curve: SpeedCurve?
    if curved {
      let easing = easings[Int(generator.next() % UInt64(easings.count))]
      let speeds = (0..<3).map { _ in 0.1 + Double(generator.next() % 1000) / 200 }
      curve = try SpeedCurve(
        [
          .init(time: 0, speed: speeds[0], easing: easing), .init(time: 1.25, speed: speeds[1]),
          .init(time: 2, speed: speeds[2]),
        ], duration: 3)
    }
    return CompositionTrackSegment(
      source: .file(path: "a"), timeMapping: TimeMapping(source: source, target: target),
      retiming: SegmentRetiming(isReversed: reversed, curve: curve))
  }

  @Test(arguments: [false, true], [false, true])
  func splitsAnywhere_giveTheSamePositions(_ reversed: Bool, _ curved: Bool) throws {
    var generator = SplitMix(state: 14)
    for _ in 0..<60 {
      let segment = try Self.segment(&generator, reversed: reversed, curved: curved)
      var composition = Composition()
      let trackID = composition.addTrack(.video)
      try composition.setSegments([segment], ofTrack: trackID)
      let end = segment.timeMapping.target.end
      for _ in 0..<5 {
        // A range that is made as long as it is is cut at its ends.
        let cut = MediaTime(value: Int64(1 + generator.next() % UInt64(end.value * 50 - 1)), timescale: 1200)
        try composition.scale(TimeRange(start: cut, end: end), to: end - cut, inTrack: trackID)
      }
      let track = try #require(composition.track(trackID))
      #expect(track.segments.count > 3)
      try CompositionTrack.validate(track.segments, trackID: 1)
      for step in 0..<40 {
        let time = MediaTime(value: end.value * Int64(step), timescale: end.timescale * 40)
        let (whole, part) = (segment.mediaTime(at: time), try #require(track.position(at: time)).time)
        #expect(abs((whole - part).seconds) < 2e-8, "\(segment) at \(time)")
        // Not at a cut, where the curve may jump by a rounding's breadth.
        let later = time + MediaTime(value: 1, timescale: 100_000)
        guard let part = track.segment(at: later), later < end, part.timeMapping.target.start < time else { continue }
        let mean = (segment.mediaTime(at: later) - segment.mediaTime(at: time)).seconds * 100_000
        #expect(abs(abs(mean) - part.speed(at: later)) < 0.02, "\(segment) at \(time)")
      }
    }
  }

  @Test(arguments: [false, true], [false, true])
  func scaleInsertAndPieces_keepWhatPlays(_ reversed: Bool, _ curved: Bool) throws {
    var generator = SplitMix(state: 3)
    for _ in 0..<50 {
      let segment = try Self.segment(&generator, reversed: reversed, curved: curved)
      let end = segment.timeMapping.target.end
      var composition = Composition()
      let track = composition.addTrack(.video)
      try composition.setSegments([segment], ofTrack: track)
      // Twice as long: the same media at twice the time.
      var scaled = composition
      try scaled.scale(TimeRange(start: .zero, duration: end), to: end * 2, inTrack: track)
      // Three seconds of something else in the middle.
      var inserted = composition
      let gap = TimeRange(start: MediaTime(value: 1, timescale: 3), duration: .seconds(3))
      try inserted.insertEmpty(gap, inTrack: track)
      var part = Composition()
      let partTrack = part.addTrack(.video)
      try part.insert(gap, of: try #require(composition.track(track)), at: .zero, inTrack: partTrack)
      for step in 1..<30 {
        let time = MediaTime(value: end.value * Int64(step), timescale: end.timescale * 30)
        let expected = segment.mediaTime(at: time)
        let twice = try #require(scaled.track(track)?.position(at: time * 2)).time
        #expect(abs((twice - expected).seconds) < 2e-8)
        let moved = try #require(inserted.track(track)?.position(at: time < gap.start ? time : time + gap.duration)).time
        #expect(abs((moved - expected).seconds) < 2e-8)
        let inPiece = time - gap.start
        if time >= gap.start, time < gap.end {
          let played = try #require(part.track(partTrack)?.position(at: inPiece)).time
          #expect(abs((played - expected).seconds) < 2e-8)
        }
        // There and back.
        #expect(abs((segment.trackTime(ofMedia: expected) - time).seconds) < 1e-7)
      }
    }
  }

  @Test func reversedSegment_atItsOwnSpeed_mirrorsItsMedia() throws {
    let source = TimeRange(start: .seconds(2), duration: .seconds(3))
    let segment = CompositionTrackSegment(
      source: .file(path: "a"),
      timeMapping: TimeMapping(source: source, target: TimeRange(start: .zero, duration: .seconds(3))),
      retiming: SegmentRetiming(isReversed: true))
    #expect(segment.mediaTime(at: .zero) == .seconds(5))
    #expect(segment.mediaTime(at: .seconds(1)) == .seconds(4))
    #expect(segment.trackTime(ofMedia: .seconds(4)) == .seconds(1))
    let parts = segment.split(at: .seconds(1))
    #expect(parts.before.timeMapping.source == TimeRange(start: .seconds(4), duration: .seconds(1)))
    #expect(parts.after.timeMapping.source == TimeRange(start: .seconds(2), duration: .seconds(2)))
  }

  @Test func freezeFrame_reversedOrCurved_showsItsOneTime() throws {
    let curve = try SpeedCurve([.init(time: 0, speed: 1)], duration: 1)
    let segment = CompositionTrackSegment(
      source: .file(path: "a"),
      timeMapping: TimeMapping(
        source: TimeRange(start: .seconds(2), duration: .zero), target: TimeRange(start: .zero, duration: .seconds(3))),
      retiming: SegmentRetiming(isReversed: true, curve: curve))
    for second in 0..<3 { #expect(segment.mediaTime(at: MediaTime(value: Int64(second), timescale: 1)) == .seconds(2)) }
  }

  @Test func curve_withSpeedsThatCannotBe_isAnError() {
    let bad: [([SpeedCurve.Point], Double)] = [
      ([], 1), ([.init(time: 0, speed: .nan)], 1), ([.init(time: 0, speed: 0)], 1), ([.init(time: 0, speed: -1)], 1),
      ([.init(time: 0, speed: .infinity)], 1), ([.init(time: 0, speed: 20_000)], 1), ([.init(time: 0, speed: 1 / 20_000)], 1),
      ([.init(time: .nan, speed: 1)], 1), ([.init(time: -1, speed: 1)], 1), ([.init(time: .infinity, speed: 1)], 1),
      ([.init(time: 1, speed: 1), .init(time: 1, speed: 2)], 2), ([.init(time: 0, speed: 1)], 0),
      ([.init(time: 0, speed: 1)], .nan), ([.init(time: 0, speed: 1)], .infinity),
      // An overshoot that stands still.
      ([.init(time: 0, speed: 1, easing: .cubicBezier(x1: 0.3, y1: 0, x2: 0.7, y2: 3)), .init(time: 1, speed: 0.1)], 1),
    ]
    for (points, duration) in bad {
      #expect(throws: CompositorError.self, "\(points) \(duration)") { try SpeedCurve(points, duration: duration) }
    }
  }

  @Test func segment_writtenBeforeRetiming_decodesToForward() throws {
    let segment = CompositionTrackSegment(
      source: .file(path: "a"),
      timeMapping: TimeMapping(
        source: TimeRange(start: .zero, duration: .seconds(2)), target: TimeRange(start: .zero, duration: .seconds(1))))
    let plain = try JSONEncoder().encode(segment)
    #expect(!String(decoding: plain, as: UTF8.self).contains("retiming"))
    #expect(try JSONDecoder().decode(CompositionTrackSegment.self, from: plain) == segment)
    var retimed = segment
    let curve = try SpeedCurve([.init(time: 0, speed: 1, easing: .easeIn), .init(time: 1, speed: 3)], duration: 1)
    retimed.retiming = SegmentRetiming(isReversed: true, curve: curve, pitch: .timeDomain, frames: .motion)
    let data = try JSONEncoder().encode(retimed.split(at: MediaTime(value: 1, timescale: 3)).after)
    let back = try JSONDecoder().decode(CompositionTrackSegment.self, from: data)
    #expect(back == retimed.split(at: MediaTime(value: 1, timescale: 3)).after && back != retimed)
    let broken = String(decoding: data, as: UTF8.self).replacingOccurrences(of: "\"speed\":3", with: "\"speed\":0")
    #expect(throws: CompositorError.self) { try JSONDecoder().decode(CompositionTrackSegment.self, from: Data(broken.utf8)) }
  }
}

/// A small generator of the same numbers everywhere.
struct SplitMix {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
