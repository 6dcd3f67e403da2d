import CompositorAPI
import CompositorMediaIO
import Testing

/// Timestamps as containers round them: the grid that is found again, and the frames that are shown by it.
@Suite struct FrameCadenceTests {
  static let rates = [
    Rational(24000, 1001), Rational(24, 1), Rational(25, 1), Rational(30000, 1001), Rational(30, 1), Rational(50, 1),
    Rational(60000, 1001), Rational(60, 1), Rational(120, 1), Rational(15, 1), Rational(25, 2),
  ]
  /// Ticks a second.
  static let clocks: [Int32] = [600, 1000, 16000, 90000, 1_000_000]

  enum Rounding: CaseIterable, Sendable { case nearest, down }

  /// The timestamp of frame `number` at a rate from `start` seconds on.
  private func stamp(_ number: Int, _ rate: Rational, _ clock: Int32, _ rounding: Rounding, start: Double = 0) -> Int64 {
    let ticks = (start + Double(number) / rate.value) * Double(clock)
    return Int64(rounding == .nearest ? ticks.rounded() : (ticks + 1e-6).rounded(.down))
  }

  private func estimate(_ stamps: [Int64], _ clock: Int32, stated: [Rational] = []) throws -> (FrameCadence, FrameStampClock) {
    let timebase = Timebase(numerator: 1, denominator: clock)
    let cadence = try #require(CadenceEstimator(stamps: stamps, timebase: timebase, stated: stated).cadence())
    return (cadence, FrameStampClock(timebase: timebase, cadence: cadence))
  }

  @Test(arguments: rates, clocks)
  func regularStamps_eachClockAndRounding_giveTheRateAndShowEachFrameOnce(_ rate: Rational, _ clock: Int32) throws {
    for rounding in Rounding.allCases {
      let stamps = (0..<300).map { stamp($0, rate, clock, rounding) }
      let (cadence, times) = try estimate(stamps.shuffled(), clock)
      #expect(cadence.isRegular && cadence.rate == rate, "\(rounding): \(cadence)")
      for (number, stamp) in stamps.enumerated() {
        let start = try #require(rate.frameDuration.isNumeric ? rate.frameDuration.multiplied(by: Int64(number), over: 1) : nil)
        #expect(times.time(of: stamp) == start && times.lastStamp(notAfter: start) >= stamp)
        if number + 1 < stamps.count { #expect(times.lastStamp(notAfter: start) < stamps[number + 1]) }
      }
    }
  }

  /// Single frames that come some milliseconds late, and a clock that wavers all the time, as phones and recorders of screens have:
  /// at the track's rate each frame is shown once.
  @Test(arguments: [Rational(25, 1), Rational(30, 1), Rational(30000, 1001), Rational(60, 1)], [Int32(600), 1000, 90000])
  func unsteadyStamps_showEachFrameOnce(_ rate: Rational, _ clock: Int32) throws {
    let frame = 1 / rate.value
    // The share of late frames, and how late they are, in frames.
    for (every, lateness) in [(50, 0.08), (12, 0.15), (12, 0.3), (3, 0.1), (2, 0.1), (2, 0.25)] {
      let stamps = (0..<150).map { number in
        let late = number % every == every - 1 ? frame * lateness : 0
        return Int64(((Double(number) * frame + late) * Double(clock)).rounded())
      }
      let (cadence, times) = try estimate(stamps.shuffled(), clock)
      #expect(cadence.hiddenFrameCount == 0 && cadence.rate == rate, "every \(every), \(lateness): \(cadence)")
      let shown = (0..<stamps.count).map { number in
        let time = cadence.outputRate.frameDuration.multiplied(by: Int64(number), over: 1) + cadence.origin
        let last = times.lastStamp(notAfter: time)
        return stamps.last { $0 <= last }
      }
      #expect(shown == stamps.map(Optional.some), "every \(every), \(lateness)")
    }
  }

  /// Clocks that waver by {1, 4, 6} ms, late or early, all the time or in every twelfth frame, with a first frame that is on time or 8 ms
  /// late: an output shows each frame once, whatever its phase, as after a cut.
  @Test(arguments: [Rational(25, 1), Rational(30000, 1001), Rational(30, 1)], [Int32(600), 1000, 90000])
  func waveringStamps_anyStartOfTheOutput_showsEachFrameOnce(_ rate: Rational, _ clock: Int32) throws {
    for (jitter, first, every) in [0.001, 0.004, -0.004, 0.006, -0.006].flatMap({ jitter in
      [0.0, 0.008].flatMap { first in [1, 12].map { (jitter, first, $0) } }
    }) {
      var random = ReadRandom(state: 35)
      let stamps = (0..<90).map { number in
        let late = number == 0 ? first : number % every == every - 1 ? Double.random(in: 0...1, using: &random) * jitter : 0
        return Int64(((1 + Double(number) / rate.value + late) * Double(clock)).rounded())
      }
      let (cadence, times) = try estimate(stamps, clock)
      let detail: Comment = "\(jitter), \(first), \(every): \(cadence)"
      #expect(cadence.isRegular && cadence.hiddenFrameCount == 0 && !cadence.hasGaps, detail)
      for part in 0..<5 {
        let start = times.time(of: stamps[0]) + cadence.rate.frameDuration.multiplied(by: Int64(part), over: 5)
        let shown = (0..<stamps.count).map { number in
          let last = times.lastStamp(notAfter: start + cadence.rate.frameDuration.multiplied(by: Int64(number), over: 1))
          return stamps.last { $0 <= last }
        }
        #expect(shown == stamps.map(Optional.some), detail)
      }
    }
  }

  /// Frames that are not where a steady clock has any keep their own times, and those that are not shown are counted.
  @Test func framesBetweenPoints_keepTheirTimes() throws {
    var stamps = (0..<100).map { Int64($0 * 40) }
    stamps.insert(1020, at: 26)
    let (cadence, times) = try estimate(stamps, 1000)
    #expect(cadence.rate == Rational(25, 1) && cadence.hiddenFrameCount == 1, "\(cadence)")
    #expect(times.time(of: 1020) == MediaTime(value: 1020, timescale: 1000))
  }

  /// A GIF of frames that last 10, 25, 7, 52 and up to 9 hundredths: at 30 frames a second, only a last frame of 2 hundredths is not shown.
  @Test func shortLastFrame_ofAVariableRate_isCountedAsHidden() throws {
    let timebase = Timebase(numerator: 1, denominator: 100)
    let estimator = CadenceEstimator(stamps: [0, 10, 35, 42, 94], timebase: timebase, stated: [])
    for (end, count) in [(Int64?.none, 0), (96, 1), (103, 0)] {
      let cadence = try #require(estimator.cadence(endingAt: end))
      #expect(cadence.rate == Rational(30, 1) && cadence.hiddenFrameCount == count, "\(cadence)")
    }
  }

  /// A clock with two or 2.5 to four steps a frame, as that of GIF, or times that were rounded to 10 ms before, as in an APNG.
  @Test(
    arguments: [
      Rational(24000, 1001), Rational(24, 1), Rational(25, 1), Rational(30000, 1001), Rational(30, 1),
      Rational(50, 1), Rational(15, 1),
    ], [Int64(1), 1000])
  func coarseClock_eachRounding_showsEachFrameOnce(_ rate: Rational, _ ticksPerStep: Int64) throws {
    for (rounding, count) in Rounding.allCases.flatMap({ rounding in [4, 12, 300].map { (rounding, $0) } }) {
      let stamps = (0..<count).map { stamp($0, rate, 100, rounding) * ticksPerStep }
      let (cadence, times) = try estimate(stamps.shuffled(), Int32(100 * ticksPerStep))
      #expect(cadence.isRegular && (count < 300 || cadence.rate == rate), "\(rounding), \(count) frames: \(cadence)")
      for (number, stamp) in stamps.enumerated() {
        let last = times.lastStamp(notAfter: cadence.rate.frameDuration.multiplied(by: Int64(number), over: 1))
        #expect(stamps.last { $0 <= last } == stamp, "\(rounding), frame \(number) of \(count)")
      }
    }
  }

  /// At 48 frames a second, the times of a GIF don't tell its grid. A frame is shown, or counted as hidden.
  @Test func coarseClock_withTwoStepsAFrame_countsWhatIsNotShown() throws {
    for (rounding, count) in Rounding.allCases.flatMap({ rounding in [4, 12, 300].map { (rounding, $0) } }) {
      let stamps = (0..<count).map { stamp($0, Rational(48, 1), 100, rounding) }
      let (cadence, times) = try estimate(stamps.shuffled(), 100)
      let duration = cadence.outputRate.frameDuration
      let shown = Set(
        (0..<3 * count).compactMap { number in
          let last = times.lastStamp(notAfter: duration.multiplied(by: Int64(number), over: 1))
          return stamps.last { $0 <= last }
        })
      #expect(shown.count + cadence.hiddenFrameCount == count, "\(rounding), \(count): \(shown.count) of \(count), \(cadence)")
    }
  }

  /// Containers that number frames: those that are left out do not change the rate.
  @Test func numberedFrames_mostLeftOut_keepTheStatedRate() throws {
    for rate in [Rational(25, 1), Rational(50, 1), Rational(60, 1)] {
      let clock = Int32(rate.numerator)
      let (cadence, times) = try estimate([0, 5, 6, 10, 12], clock, stated: [rate])
      #expect(cadence.isRegular && cadence.hasGaps && cadence.rate == rate, "\(cadence)")
      for stamp in [Int64(0), 5, 6, 10, 12] {
        #expect(times.lastStamp(notAfter: rate.frameDuration.multiplied(by: stamp, over: 1)) == stamp)
      }
    }
  }

  /// Damaged times: whatever they are, there is a cadence.
  @Test(arguments: [Int32(1), 25, 1000, 90_000, 1_000_000_000]) func extremeStamps_haveACadence(_ clock: Int32) throws {
    let far = Timebase.farthestTick
    let extremes: [Int64] = [-far, -far + 1, -far / 2, -1, 0, 1, 2, 3, 1 << 31, 1 << 40, far / 3, far - 2, far]
    for first in extremes {
      for (second, third) in extremes.flatMap({ second in extremes.map { (second, $0) } }) {
        let (cadence, times) = try estimate([first, second, third, 0], clock, stated: [Rational(1, Int(Int32.max))])
        #expect(cadence.rate.isPositive && abs(times.lastStamp(notAfter: .zero)) <= far)
      }
    }
  }

  /// What a browser's recorder writes: frames a few milliseconds early or late. Those that an output at the suggested rate misses
  /// are counted.
  @Test func irregularStamps_eachJitter_countsTheFramesThatAreNotShown() throws {
    for (seed, jitter) in (0..<100).flatMap({ seed in [Int64(3), 8, 15, 40].map { (seed, $0) } }) {
      var random = ReadRandom(state: UInt64(seed))
      var stamps = (0..<200).map { Int64($0) * 66 + Int64.random(in: -jitter...jitter, using: &random) + 100 }.sorted()
      stamps += [stamps[50], stamps[51]]
      let (cadence, times) = try estimate(stamps.shuffled(), 1000)
      guard !cadence.isRegular else { continue }
      let distinct = Array(Set(stamps)).sorted()
      let duration = cadence.outputRate.frameDuration
      let shown = Set(
        (0..<4000).compactMap { number in
          let last = times.lastStamp(notAfter: duration.multiplied(by: Int64(number), over: 1))
          return distinct.last { $0 <= last }
        })
      #expect(cadence.hiddenFrameCount == stamps.count - shown.count, "jitter of \(jitter) ms, seed \(seed): \(cadence)")
    }
  }

  @Test(arguments: [Int32(1000), 90000], [0.0, 0.021, 0.0333, 1.4, 3600.0005])
  func laterStart_eachRate_keepsFramesApart(_ clock: Int32, _ start: Double) throws {
    for rate in Self.rates {
      let stamps = (0..<200).map { stamp($0, rate, clock, .nearest, start: start) }
      let (cadence, times) = try estimate(stamps, clock)
      #expect(cadence.isRegular && cadence.rate == rate)
      let (first, period) = (times.time(of: stamps[0]), rate.frameDuration)
      for (number, stamp) in stamps.enumerated() {
        #expect(times.time(of: stamp) == first + period.multiplied(by: Int64(number), over: 1))
      }
    }
  }

  @Test func fewFrames_twoRatesFit_theStatedOneIsTaken() throws {
    let stamps: [Int64] = [0, 33, 67, 100, 133]
    for rate in [Rational(30, 1), Rational(30000, 1001)] {
      let (cadence, _) = try estimate(stamps, 1000, stated: [rate])
      #expect(cadence.rate == rate)
    }
  }

  @Test func unusualRate_regularStamps_isKept() throws {
    for ticks in [Int64(3001), 3009, 8571, 1234] {
      let (cadence, _) = try estimate((0..<100).map { $0 * ticks }, 90000)
      #expect(cadence.isRegular && cadence.rate == Rational(90000, Int(ticks)).reduced)
    }
  }

  @Test func oneFrame_statedRateOrNone() throws {
    let timebase = Timebase(numerator: 1, denominator: 1000)
    #expect(CadenceEstimator(stamps: [40], timebase: timebase, stated: []).cadence() == nil)
    #expect(CadenceEstimator(stamps: [], timebase: timebase, stated: [Rational(25, 1)]).cadence() == nil)
    let known = try #require(CadenceEstimator(stamps: [40], timebase: timebase, stated: [Rational(25, 1)]).cadence())
    #expect(known.rate == Rational(25, 1))
  }

  /// What the rule says of stamps that are not where the grid is: the frame shown at each output time.
  @Test(arguments: [
    // Rounded up by half a millisecond, and a frame that is late, which means its own point all the same.
    ([0, 33, 67, 100, 138, 167, 200, 233, 267, 300, 333, 367], [0, 33, 67, 100, 138, 167, 200, 233, 267, 300, 333, 367]),
    // A hole of one frame, then one of three.
    ([0, 33, 100, 133, 167, 200, 333, 367, 400, 433, 467, 500], [0, 33, 33, 100, 133, 167, 200, 200, 200, 200, 333, 367]),
    // Everything late by one, two and three milliseconds in turn: an irregular track, whose frames lead by half a tick.
    ([1, 35, 70, 101, 135, 170, 201, 235, 270, 301, 335, 370], [-1, 1, 35, 70, 101, 135, 170, 201, 235, 270, 301, 335]),
  ])
  func thirtyFramesASecond_eachOutputTime_showsTheFrameOfTheRule(_ stamps: [Int64], _ shown: [Int64]) throws {
    let (_, times) = try estimate(stamps, 1000, stated: [Rational(30, 1)])
    for (number, expected) in shown.enumerated() {
      let last = times.lastStamp(notAfter: MediaTime(value: Int64(number), timescale: 30))
      #expect(stamps.last { $0 <= last } ?? -1 == expected, "frame \(number) of the output")
    }
  }

  @Test func randomStamps_bothDirections_agreeAndRise() throws {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<200 {
      let clock = try #require(Self.clocks.randomElement(using: &random))
      let rate = try #require(Self.rates.randomElement(using: &random))
      let jitter = Int64.random(in: 0...3, using: &random)
      let stamps = (0..<60).map {
        stamp($0, rate, clock, .nearest) + Int64.random(in: -jitter...jitter, using: &random)
      }
      let (_, times) = try estimate(stamps, clock)
      var previous = MediaTime.negativeInfinity
      for stamp in Int64(-20)...400 {
        let time = times.time(of: stamp)
        #expect(time >= previous)
        #expect(times.lastStamp(notAfter: time) >= stamp)
        previous = time
      }
    }
  }

  @Test func extremeStamps_neverTrap() throws {
    let far = Int64(1) << 57
    for stamps in [[-far, far], [0, 1, far], [far - 1, far], [-far, 0, 40, 80]] {
      for clock in [Int32(1), 1000, Int32.max] {
        let timebase = Timebase(numerator: Int32.max, denominator: clock)
        let cadence = CadenceEstimator(stamps: stamps, timebase: timebase, stated: [Rational(Int(Int32.max), 1)]).cadence()
        let times = FrameStampClock(timebase: timebase, cadence: cadence)
        for stamp in stamps { _ = times.lastStamp(notAfter: times.time(of: stamp).isNumeric ? times.time(of: stamp) : .zero) }
        for value in [Int64.min, Int64.max] { _ = times.lastStamp(notAfter: MediaTime(value: value, timescale: Int32.max)) }
      }
    }
  }
}
