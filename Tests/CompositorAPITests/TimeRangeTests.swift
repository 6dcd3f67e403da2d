import CompositorAPI
import Testing

func time(_ value: Int64, _ timescale: Int32 = 1) -> MediaTime { MediaTime(value: value, timescale: timescale) }

func range(_ start: Int64, _ end: Int64) -> TimeRange { TimeRange(start: time(start), end: time(end)) }

@Suite struct TimeRangeTests {
  @Test func contains_ends_halfOpen() {
    let range = range(2, 5)
    #expect(range.contains(time(2)) && range.contains(time(49999, 10000)))
    #expect(!range.contains(time(5)) && !range.contains(time(19, 10)))
    #expect(!range.contains(MediaTime.invalid) && !range.contains(.positiveInfinity))
    #expect(!TimeRange(start: time(2), duration: .zero).contains(time(2)))
    #expect(!TimeRange(start: time(2), duration: time(-1)).contains(time(2)))
  }

  @Test func contains_noEnd_everyLaterTime() {
    let open = TimeRange(start: time(2), duration: .positiveInfinity)
    #expect(open.isValid && open.end == .positiveInfinity)
    #expect(open.contains(MediaTime(value: .max, timescale: 1)) && !open.contains(time(1)))
    #expect(TimeRange.all.contains(time(-99)) && TimeRange.all.contains(range(3, 4)))
    #expect(TimeRange(start: time(2), end: .positiveInfinity) == open)
  }

  @Test func isValid_table_asStated() {
    #expect(range(0, 0).isValid && range(0, 0).isEmpty)
    #expect(!range(1, 0).isValid)
    #expect(!TimeRange.invalid.isValid && !TimeRange.invalid.isEmpty)
    #expect(!TimeRange(start: .zero, duration: MediaTime(value: 1, timescale: 1, flags: .valid, epoch: 1)).isValid)
    #expect(TimeRange(start: MediaTime(value: 1, timescale: 1, flags: .valid, epoch: 1), duration: time(1)).isValid)
  }

  @Test func unionAndIntersection_table_asStated() {
    #expect(range(0, 4).intersection(range(2, 6)) == range(2, 4))
    #expect(range(0, 2).intersection(range(4, 6)) == .zero)
    #expect(range(0, 2).intersection(range(2, 6)).isEmpty)
    #expect(range(0, 2).union(range(4, 6)) == range(0, 6))
    #expect(TimeRange.all.intersection(range(1, 3)) == range(1, 3))
    #expect(TimeRange.all.union(range(1, 3)) == .all)
    #expect(TimeRange.invalid.union(range(0, 1)) == .invalid)
    #expect(range(0, 2).overlaps(range(1, 3)) && !range(0, 2).overlaps(range(2, 3)))
  }

  @Test func fraction_anyTimescale_exactAtBothEnds() {
    let range = TimeRange(start: time(1001, 30000), duration: time(7, 90001))
    #expect(range.fraction(at: range.start) == 0)
    #expect(range.fraction(at: range.end) == 1)
    #expect(TimeRange(start: time(1), duration: time(4)).fraction(at: time(9, 2)) == 0.875)
    #expect(TimeRange(start: time(1), duration: time(4)).fraction(at: time(-1)) == -0.5)
  }

  @Test func fraction_degenerate_neverNaN() {
    let point = TimeRange(start: time(2), duration: .zero)
    #expect(point.fraction(at: time(1)) == 0 && point.fraction(at: time(2)) == 1 && point.fraction(at: time(3)) == 1)
    let ranges = [point, .zero, .invalid, .all, TimeRange(start: time(1), duration: .positiveInfinity)]
    for range in ranges {
      for time in MediaTimeTests.ordered { #expect(!range.fraction(at: time).isNaN, "\(range) at \(time)") }
    }
  }

  @Test func mapping_rates_endsMeetExactly() {
    let doubled = TimeMapping(source: range(69, 77), target: range(6, 10))
    #expect(doubled.rate == 2 && !doubled.isUnitRate)
    #expect(doubled.sourceTime(forTarget: time(6)) == time(69))
    #expect(doubled.sourceTime(forTarget: time(13, 2)) == time(70))
    #expect(doubled.targetTime(forSource: time(73)) == time(8))
    let odd = TimeMapping(
      source: TimeRange(start: time(1, 7), duration: time(1001, 30000)),
      target: TimeRange(start: time(3, 11), duration: time(5, 90001)))
    #expect(odd.sourceTime(forTarget: odd.target.end) == odd.source.end)
    #expect(odd.inverse.inverse == odd)
  }

  @Test func mapping_freezeFrame_alwaysSameMediaTime() {
    let freeze = TimeMapping(source: TimeRange(start: time(5), duration: .zero), target: range(5, 6))
    #expect(freeze.rate == 0)
    #expect(freeze.sourceTime(forTarget: time(11, 2)) == time(5))
    #expect(freeze.targetTime(forSource: time(5)) == time(5))
  }

  @Test func mapping_emptyEdit_isInvalid() {
    let empty = TimeMapping(emptyEdit: range(0, 6))
    #expect(empty.isEmptyEdit && empty.isValid && empty.rate == 0)
    #expect(empty.sourceTime(forTarget: time(3)) == .invalid)
  }

  @Test func frameTiming_ntsc_exactForever() throws {
    let timing = try FrameTiming(frameDuration: time(1001, 30000))
    #expect(timing.frameCount(in: time(10)) == 300)
    #expect(timing.frameCount(in: time(1001, 3000)) == 10)
    #expect(timing.frameCount(in: .zero) == 0)
    #expect(timing.frameCount(in: .positiveInfinity) == nil)
    for index in [-1, 0, 1, 29, 1_000_003, 9_000_000_001] {
      let start = timing.time(ofFrame: index)
      #expect(start.timescale == 30000)
      #expect(timing.index(at: start) == index)
      #expect(timing.index(at: start - time(1, 90000)) == index - 1)
    }
    #expect(timing.index(at: MediaTime(value: .max, timescale: 1)) == nil)
    #expect(timing.time(ofFrame: .max).isNumeric && timing.time(ofFrame: .max).hasBeenRounded)
    #expect(throws: CompositorError.self) { try FrameTiming(frameDuration: .zero) }
    #expect(throws: CompositorError.self) { try FrameTiming(frameDuration: .positiveInfinity) }
  }
}
