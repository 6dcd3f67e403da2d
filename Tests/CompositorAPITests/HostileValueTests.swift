import CompositorAPI
import Foundation
import Testing

/// Values that no edit can mean × everything that takes a time, a range or a number. Each is an error; nothing is changed, nothing traps.
@Suite struct HostileValueTests {
  static let big = Int64.max

  /// Times that are not finite, of a timescale of 0 or less, of another epoch.
  static let notTimes: [MediaTime] = [
    .invalid, .indefinite, .positiveInfinity, .negativeInfinity, MediaTime(value: 1, timescale: 0),
    MediaTime(value: 1, timescale: -1), MediaTime(value: 1, timescale: 0, flags: .valid),
    MediaTime(value: 1, timescale: .min, flags: .valid), .seconds(Double.nan), .seconds(Double.infinity),
    .seconds(-Double.infinity), .seconds(0x1p63), .seconds(-0x1p64), MediaTime(value: big, timescale: 1) * 2,
    .frames(1, at: Rational(0, 1)), .frames(1, at: Rational(1, 0)), .frames(.max, at: Rational(1, .max)),
  ]

  /// Times at the edge of what can be held, and beside 0.
  static let extremes: [MediaTime] = [
    MediaTime(value: big, timescale: 1), MediaTime(value: .min, timescale: 1), MediaTime(value: big, timescale: .max),
    MediaTime(value: .min, timescale: .max), MediaTime(value: 1, timescale: .max), MediaTime(value: -1, timescale: .max),
    MediaTime(value: big - 1, timescale: 2), MediaTime(value: 1, timescale: 1, flags: .valid, epoch: 1),
    MediaTime(value: 1, timescale: 1, flags: .valid, epoch: .min), .zero, .seconds(-1),
  ]

  static let all = notTimes + extremes

  typealias Edit = (inout Composition, TrackID) throws -> Void

  static let one = MediaTime.seconds(1)

  /// Edits that put a time into each place that takes one.
  static func edits(_ time: MediaTime) -> [(name: String, edit: Edit)] {
    let (atTime, lasting) = (TimeRange(start: time, duration: one), TimeRange(start: one, duration: time))
    let mapping = { (source: TimeRange, target: TimeRange) in
      CompositionTrackSegment(source: clipA, timeMapping: TimeMapping(source: source, target: target))
    }
    let whole = TimeRange(start: .zero, duration: one)
    return [
      ("source start", { try $0.insert(SourceRange(clipA, timeRange: atTime), at: .zero, inTrack: $1) }),
      ("source duration", { try $0.insert(SourceRange(clipA, timeRange: lasting), at: .zero, inTrack: $1) }),
      (
        "freeze",
        { try $0.insertFreezeFrame(of: MediaPosition(source: clipA, time: time), duration: one, at: .zero, inTrack: $1) }
      ),
      (
        "freeze duration",
        { try $0.insertFreezeFrame(of: MediaPosition(source: clipA, time: one), duration: time, at: .zero, inTrack: $1) }
      ),
      ("insertEmpty start", { try $0.insertEmpty(atTime, inTrack: $1) }),
      ("insertEmpty duration", { try $0.insertEmpty(lasting, inTrack: $1) }),
      ("remove start", { try $0.remove(atTime, inTrack: $1) }), ("remove duration", { try $0.remove(lasting, inTrack: $1) }),
      ("scale start", { try $0.scale(atTime, to: one, inTrack: $1) }),
      ("scale duration", { try $0.scale(lasting, to: one, inTrack: $1) }),
      ("scale to", { try $0.scale(whole, to: time, inTrack: $1) }),
      ("all insertEmpty start", { composition, _ in try composition.insertEmpty(atTime) }),
      ("all insertEmpty duration", { composition, _ in try composition.insertEmpty(lasting) }),
      ("all remove start", { composition, _ in try composition.remove(atTime) }),
      ("all remove duration", { composition, _ in try composition.remove(lasting) }),
      ("all scale start", { composition, _ in try composition.scale(atTime, to: one) }),
      ("all scale duration", { composition, _ in try composition.scale(lasting, to: one) }),
      ("all scale to", { composition, _ in try composition.scale(whole, to: time) }),
      ("composition start", { composition, _ in try composition.insert(atTime, of: composition, at: .zero) }),
      ("composition duration", { composition, _ in try composition.insert(lasting, of: composition, at: .zero) }),
      ("track start", { try $0.insert(atTime, of: try #require($0.tracks.first), at: .zero, inTrack: $1) }),
      ("track duration", { try $0.insert(lasting, of: try #require($0.tracks.first), at: .zero, inTrack: $1) }),
      ("target start", { try $0.setSegments([mapping(whole, atTime)], ofTrack: $1) }),
      ("target duration", { try $0.setSegments([mapping(whole, TimeRange(start: .zero, duration: time))], ofTrack: $1) }),
      ("segment start", { try $0.setSegments([mapping(atTime, whole)], ofTrack: $1) }),
      ("segment duration", { try $0.setSegments([mapping(lasting, whole)], ofTrack: $1) }),
      ("empty start", { try $0.setSegments([CompositionTrackSegment(empty: atTime)], ofTrack: $1) }),
      (
        "empty duration",
        { try $0.setSegments([CompositionTrackSegment(empty: TimeRange(start: .zero, duration: time))], ofTrack: $1) }
      ),
    ]
  }

  /// Where a position may be invalid, which appends.
  static func insertions(_ time: MediaTime) -> [(name: String, edit: Edit)] {
    let range = TimeRange(start: .zero, duration: one)
    return [
      ("insert at", { try $0.insert(SourceRange(clipA, timeRange: range), at: time, inTrack: $1) }),
      (
        "freeze at",
        { try $0.insertFreezeFrame(of: MediaPosition(source: clipA, time: one), duration: one, at: time, inTrack: $1) }
      ),
      ("composition at", { composition, _ in try composition.insert(range, of: composition, at: time) }),
      ("track at", { try $0.insert(range, of: try #require($0.tracks.first), at: time, inTrack: $1) }),
    ]
  }

  static func start() throws -> (Composition, TrackID) {
    var (composition, track) = try composition([source(clipA, 0, 4), source(clipB, 2, 8)])
    try composition.insert(source(clipA, 0, 3), at: .zero, inTrack: composition.addTrack(.audio))
    return (composition, track)
  }

  /// An error of the model, or an edit whose result is valid; a failure changes nothing.
  static func attempt(_ name: String, _ time: MediaTime, mustFail: Bool, _ edit: Edit) throws {
    let (before, track) = try start()
    var after = before
    do {
      try edit(&after, track)
      #expect(!mustFail, "\(name) of \(time) is taken")
      for track in after.tracks {
        try CompositionTrack.validate(track.segments, trackID: track.trackID)
        #expect(track.timeRange.end.isNumeric && track.timeRange.end >= .zero, "\(name) of \(time)")
      }
    } catch {
      #expect(error is CompositorError, "\(name) of \(time): \(error)")
      #expect(after == before, "\(name) of \(time) changed something")
    }
  }

  @Test func composition_everyTime_isAnErrorOrAValidEdit() throws {
    for time in Self.all {
      let isTime = time.isNumeric
      for (name, edit) in Self.edits(time) { try Self.attempt(name, time, mustFail: !isTime, edit) }
      for (name, edit) in Self.insertions(time) {
        try Self.attempt(name, time, mustFail: time.isValid && !isTime || time < .zero, edit)
      }
    }
  }

  /// What a failure of a segment is called, in insertions as in segments.
  @Test func segments_faults_haveAVFoundationsNumbers() throws {
    for time in Self.notTimes {
      let edits = Dictionary(uniqueKeysWithValues: Self.edits(time).map { ($0.name, $0.edit) })
      let numbers = [
        "target start": -11824, "empty start": -11824, "target duration": -11825, "empty duration": -11825,
        "freeze duration": -11825, "source start": -11826, "segment start": -11826, "freeze": -11826, "source duration": -11827,
        "segment duration": -11827,
      ]
      for (name, number) in numbers {
        var (composition, track) = try Self.start()
        let error = #expect(throws: CompositorError.self) { try edits[name]?(&composition, track) }
        #expect(error?.avFoundationCode == number, "\(name) of \(time): \(error?.description ?? "none")")
      }
    }
  }

  /// Times × times × times, in every function that gives one: special values come out, no trap.
  @Test func arithmetic_everyPair_isDefined() throws {
    let times = Self.all + [Self.one, .seconds(0.5)]
    let numbers: [Double] = [.nan, .infinity, -.infinity, 0, -0.0, 1e308, -1e308, 0x1p63, .leastNonzeroMagnitude, 0.5]
    for left in times {
      for number in numbers { _ = (left * number).seconds }
      for count in [Int.min, -1, 0, 1, .max] {
        _ = left * count
        _ = left.multiplied(by: Int64(count), over: 0).isValid
        _ = left.multiplied(by: Int64(count), over: .min).isValid
      }
      for scale in [Int32.min, -1, 0, 1, .max] { _ = left.converted(toTimescale: scale).seconds }
      for right in times {
        let range = TimeRange(start: left, duration: right)
        _ = (left + right, left - right, left < right, left == right, left.hashValue, range.end, range.isEmpty)
        for time in times {
          let other = TimeRange(start: right, duration: time)
          #expect(!range.fraction(at: time).isNaN, "\(range) at \(time)")
          _ = (range.contains(time), range.union(other), range.intersection(other), range.overlaps(other))
          let mapping = TimeMapping(source: range, target: other)
          _ = (mapping.rate, mapping.isValid, mapping.sourceTime(forTarget: left), mapping.targetTime(forSource: time))
        }
      }
    }
  }

  @Test func propertyTimeline_everyTime_isAnErrorOrHolds() throws {
    for time in Self.all {
      var volume = PropertyTimeline(default: 1.0)
      let changes: [(inout PropertyTimeline<Double>) throws -> Void] = [
        { try $0.set(0, at: time) },
        { try $0.setRamp(from: 0, to: 1, timeRange: TimeRange(start: time, duration: Self.one)) },
        { try $0.setRamp(from: 0, to: 1, timeRange: TimeRange(start: .zero, duration: time)) },
      ]
      for change in changes {
        let before = volume
        do {
          try change(&volume)
          #expect(time.isNumeric, "\(time)")
        } catch {
          let code = (error as? CompositorError)?.code
          #expect(code == .invalidValue || code == .overlappingRamps, "\(time): \(error)")
          #expect(volume == before)
        }
      }
      for at in Self.all {
        #expect(!volume.value(at: at).isNaN)
        _ = (volume.ramp(at: at), volume.changes(in: TimeRange(start: at, duration: time)))
      }
    }
  }

  /// The same in files: what would be an error in code is one when it is read.
  @Test func decoded_everyTime_isAnErrorOrValid() throws {
    let times = [
      "1/0", "1/-1", "9223372036854775808/1", "nan", "+inf", "-inf", "invalid", "", "1/99999999999", "-1/1", "0/1", "1/1",
    ]
    for time in times {
      let mapping = #"{"source":{"start":"\#(time)","duration":"1/1"},"target":{"start":"0/1","duration":"\#(time)"}}"#
      let text =
        #"{"tracks":[{"trackID":1,"mediaType":"video","isEnabled":true,"preferredTransform":[1,0,0,1,0,0],"segments":[{"sourceTrackIndex":0,"source":{"custom":{"name":"a"}},"timeMapping":\#(mapping)}]}]}"#
      do {
        let read = try JSONDecoder().decode(Composition.self, from: Data(text.utf8))
        #expect(time == "1/1", "\(time): \(read.tracks.map(\.segments))")
      } catch {
        #expect(error is CompositorError || error is DecodingError, "\(time): \(error)")
      }
    }
  }

  @Test func frameTiming_everyDuration_isAnErrorOrCounts() throws {
    for time in Self.all {
      do {
        let timing = try FrameTiming(frameDuration: time)
        #expect(time.isNumeric && time > .zero)
        for at in Self.all {
          _ = (timing.frameCount(in: at), timing.index(at: at), timing.time(ofFrame: .max), timing.time(ofFrame: .min))
        }
      } catch {
        #expect(error.code == .invalidValue)
      }
    }
  }
}
