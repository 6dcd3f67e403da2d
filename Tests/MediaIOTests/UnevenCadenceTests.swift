import CompositorAPI
import CompositorMediaIO
import Testing

/// Frames of uneven length, some of which are short: their times are those stated, and the rate is that of a grid with all of them, or 30.
/// Clocks of low rates keep theirs.
@Suite struct UnevenCadenceTests {
  /// Durations in 1/100 s, and the rate.
  static let lists: [([Int64], Rational)] = [
    ([23, 51, 82], Rational(30, 1)), ([34, 68, 63, 31, 60, 65, 22, 50], Rational(30, 1)),
    ([18, 26, 37, 44, 28, 14], Rational(30, 1)), ([51, 18, 31, 22], Rational(30, 1)), ([12, 25, 37, 50, 8], Rational(30, 1)),
    ([20, 150, 90, 333, 300], Rational(30, 1)), ([44, 20, 80, 108, 4], Rational(25, 1)),
    ([52, 20, 88, 132, 76], Rational(25, 1)), ([50, 20, 90, 130, 75], Rational(20, 1)), ([20, 35, 10, 45], Rational(20, 1)),
    ([29, 17, 61, 9, 24, 13, 8, 39, 33, 21, 12, 18, 8, 31, 16, 11, 37, 19], Rational(30, 1)),
  ]

  @Test(arguments: lists, [Int64(1), 10, 128]) func unevenFrames_haveTheirTimes(
    _ list: (durations: [Int64], rate: Rational), _ ticks: Int64
  ) throws {
    let times = list.durations.reduce(into: [Int64(0)]) { $0.append($0[$0.count - 1] + $1 * ticks) }
    let (timebase, end) = (Timebase(numerator: 1, denominator: Int32(100 * ticks)), times[times.count - 1])
    let estimator = CadenceEstimator(stamps: Array(times.dropLast()), timebase: timebase, stated: [])
    for statesDurations in [false, true] {
      let cadence = try #require(estimator.cadence(endingAt: end, statesDurations: statesDurations))
      #expect(cadence.outputRate == list.rate && cadence.hiddenFrameCount == 0, "\(cadence)")
      let clock = FrameStampClock(timebase: timebase, cadence: cadence)
      #expect(times.allSatisfy { clock.time(of: $0) == timebase.time($0) }, "\(cadence)")
    }
  }

  /// A slide of 0.3 s among slow ones: no output follows the rate of the longest.
  @Test func slowFrames_haveAnOutputNearToAnyTime() throws {
    let timebase = Timebase(numerator: 1, denominator: 1000)
    let cadence = try #require(
      CadenceEstimator(stamps: [0, 300, 1800, 2700, 6000], timebase: timebase, stated: [])
        .cadence(endingAt: 6100, statesDurations: false))
    #expect(cadence.outputRate == Rational(30, 1) && cadence.hiddenFrameCount == 0, "\(cadence)")
  }

  /// {five rates} × {jitter in seconds} × {lengths} of a webcam whose frames come early and late: its rate is about the camera's.
  @Test(arguments: [6.0, 7.5, 10, 12.5, 15], [0.003, 0.008, 0.012])
  func unsteadyCameras_keepTheirLowRates(_ rate: Double, _ jitter: Double) throws {
    for (seed, count) in (0..<10).flatMap({ seed in [20, 60, 300].map { (seed, $0) } }) {
      var random = ReadRandom(state: UInt64(seed + 1))
      let stamps = (0..<count).map { number in
        Int64(((0.1 + Double(number) / rate + Double.random(in: -jitter...jitter, using: &random)) * 1000).rounded())
      }
      let timebase = Timebase(numerator: 1, denominator: 1000)
      let estimator = CadenceEstimator(stamps: stamps, timebase: timebase, stated: [])
      let own = try #require(estimator.cadence())
      let cadence = try #require(estimator.cadence(endingAt: stamps[count - 1] + Int64(1000 / rate), statesDurations: false))
      #expect(cadence == own && cadence.rate.value < 24, "\(count) frames, seed \(seed): \(cadence), \(own)")
    }
  }
}
