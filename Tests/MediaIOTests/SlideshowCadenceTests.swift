import CompositorAPI
import CompositorMediaIO
import Testing

/// Slideshows, whose times are meant as stated: the grid that has all of them, or none.
@Suite struct SlideshowCadenceTests {
  /// Durations in 1/100 s, and the rate of the grid; `nil` if there is none.
  static let shows: [([Int64], Rational?)] = [
    ([90, 130, 80, 110, 70], Rational(10, 1)), ([150, 100, 200], Rational(2, 1)), ([120, 80, 45], Rational(20, 1)),
    ([70, 110, 90], Rational(10, 1)), ([100, 100, 100, 4], Rational(25, 1)), ([30, 150, 60], Rational(10, 3)),
    ([100, 98, 102, 101, 99], nil), ([31, 71, 45, 58, 63], nil), ([33, 71, 45], nil),
  ]

  @Test(arguments: shows, [Int64(1), 10, 128]) func unequalSlides_haveTheirTimes(
    _ show: (durations: [Int64], rate: Rational?), _ ticks: Int64
  ) throws {
    let times = show.durations.reduce(into: [Int64(0)]) { $0.append($0[$0.count - 1] + $1 * ticks) }
    let (timebase, end) = (Timebase(numerator: 1, denominator: Int32(100 * ticks)), times[times.count - 1])
    let estimator = CadenceEstimator(stamps: Array(times.dropLast()), timebase: timebase, stated: [])
    for statesDurations in [false, true] {
      let cadence = try #require(estimator.cadence(endingAt: end, statesDurations: statesDurations))
      #expect(cadence.isRegular == (show.rate != nil) && cadence.hiddenFrameCount == 0, "\(cadence)")
      #expect(cadence.outputRate == show.rate ?? Rational(30, 1), "\(cadence)")
      let clock = FrameStampClock(timebase: timebase, cadence: cadence)
      #expect(times.allSatisfy { clock.time(of: $0) == timebase.time($0) }, "\(cadence)")
    }
  }

  /// Times that were rounded to a clock's step are those of the grid again.
  @Test func roundedSlides_areOnTheirGrid() throws {
    let timebase = Timebase(numerator: 1, denominator: 1000)
    let cadence = try #require(
      CadenceEstimator(stamps: [0, 667, 1000, 2333], timebase: timebase, stated: []).cadence(endingAt: 2667))
    #expect(cadence.isRegular && cadence.rate == Rational(3, 1), "\(cadence)")
  }

  /// No output follows a rate below the lowest standard one: such frames keep their times.
  @Test func slowSlides_keepTheirTimes() throws {
    let timebase = Timebase(numerator: 1, denominator: 100)
    let cadence = try #require(
      CadenceEstimator(stamps: [0, 300, 500, 900], timebase: timebase, stated: []).cadence(endingAt: 1150))
    #expect(!cadence.isRegular && cadence.rate.value < 1, "\(cadence)")
  }

  /// A frame is moved to a point of a grid by 20 ms at most.
  @Test(arguments: [(Int64(12), true), (18, true), (60, false)])
  func lateFrames_areMovedByTwentyMillisecondsAtMost(_ late: Int64, _ isMoved: Bool) throws {
    let stamps = (0..<100).map { Int64($0) * 200 + ($0 % 12 == 11 ? late : 0) }
    let timebase = Timebase(numerator: 1, denominator: 1000)
    let cadence = try #require(CadenceEstimator(stamps: stamps, timebase: timebase, stated: []).cadence(endingAt: nil))
    let clock = FrameStampClock(timebase: timebase, cadence: cadence)
    #expect(cadence.rate == Rational(5, 1))
    #expect(clock.time(of: stamps[11]) == MediaTime(value: isMoved ? 2200 : stamps[11], timescale: 1000), "\(cadence)")
  }
}
