import CoreMedia
import Testing

@Suite struct CMTimeTests {
  /// Code of C and code written to files rely on the fields.
  @Test func fields_areThoseOfTheStructure() {
    let time = CMTime(value: 1001, timescale: 30000, flags: [.valid, .hasBeenRounded], epoch: 2)
    #expect(time.value == 1001 && time.timescale == 30000 && time.flags.rawValue == 3 && time.epoch == 2)
    #expect(MemoryLayout<CMTime>.size == 24)
    #expect(MemoryLayout<CMTimeRange>.size == 48)
    #expect(MemoryLayout<CMTimeMapping>.size == 96)
    #expect(CMTimeFlags.impliedValueFlagsMask.rawValue == 28)
  }

  /// A time: whether it is valid, +∞, −∞, indefinite, numeric; its text.
  private static let kinds: [(CMTime, [Bool], String)] = [
    (.zero, [true, false, false, false, true], "{0/1 = 0.000}"),
    (CMTime(), [false, false, false, false, false], "{INVALID}"),
    (.positiveInfinity, [true, true, false, false, false], "{+INFINITY}"),
    (.negativeInfinity, [true, false, true, false, false], "{-INFINITY}"),
    (.indefinite, [true, false, false, true, false], "{INDEFINITE}"),
    (CMTime(value: -1, timescale: 3), [true, false, false, false, true], "{-1/3 = -0.333}"),
  ]

  @Test func kinds_answerEachQuestion() {
    for (time, answers, text) in Self.kinds {
      let found = [time.isValid, time.isPositiveInfinity, time.isNegativeInfinity, time.isIndefinite, time.isNumeric]
      #expect(found == answers, "\(text)")
      let byFunction = [
        CMTIME_IS_VALID(time), CMTIME_IS_POSITIVEINFINITY(time), CMTIME_IS_NEGATIVEINFINITY(time), CMTIME_IS_INDEFINITE(time),
        CMTIME_IS_NUMERIC(time),
      ]
      #expect(byFunction == answers, "\(text)")
      #expect(CMTIME_IS_INVALID(time) != time.isValid)
      #expect(CMTimeCopyDescription(allocator: kCFAllocatorDefault, time: time) as String? == text)
    }
  }

  /// −∞ < finite < indefinite < +∞ < invalid.
  @Test func order_isTotal() {
    let sorted: [CMTime] = [
      .negativeInfinity, CMTimeMake(value: -1, timescale: 2), .zero, CMTimeMake(value: 1, timescale: 3), .indefinite,
      .positiveInfinity, .invalid,
    ]
    for (first, left) in sorted.enumerated() {
      for (second, right) in sorted.enumerated() {
        #expect(CMTimeCompare(left, right) == Int32((first - second).signum()))
        #expect((left < right) == (first < second))
        #expect(CMTimeMinimum(left, right) == sorted[min(first, second)])
        #expect(CMTimeMaximum(left, right) == sorted[max(first, second)])
      }
    }
  }

  @Test func equalTimes_haveEqualHashes() {
    #expect(CMTime(value: 1, timescale: 2) == CMTime(value: 300, timescale: 600))
    #expect(Set([CMTime(value: 1, timescale: 2), CMTime(value: 300, timescale: 600)]).count == 1)
  }

  @Test func seconds_areRoundedToTheTimescale() {
    let third = CMTime(seconds: 1.0 / 3, preferredTimescale: 600)
    #expect(third.value == 200 && third.timescale == 600)
    #expect(CMTime(seconds: 29.97, preferredTimescale: 600).value == 17982)
    #expect(CMTime(seconds: 1.0 / 29.97, preferredTimescale: 600).value == 20)
    #expect(CMTime(seconds: 1.0 / 29.97, preferredTimescale: 600).hasBeenRounded)
    #expect(!CMTime(seconds: 0.5, preferredTimescale: 600).hasBeenRounded)
    #expect(CMTime(seconds: .nan, preferredTimescale: 600) == .invalid)
    #expect(CMTime(seconds: .infinity, preferredTimescale: 600) == .positiveInfinity)
    #expect(CMTimeGetSeconds(.indefinite).isNaN)
    #expect(CMTimeMakeWithSeconds(2.5, preferredTimescale: 90000).value == 225_000)
  }

  /// A value and how each method rounds it from 1/10 to units of 1.
  @Test(
    arguments: [
      (CMTimeRoundingMethod.default, [1, -1, 0, 2]), (.roundHalfAwayFromZero, [1, -1, 0, 2]),
      (.roundTowardZero, [0, 0, 0, 1]), (.roundAwayFromZero, [1, -1, 1, 2]), (.roundTowardPositiveInfinity, [1, 0, 1, 2]),
      (.roundTowardNegativeInfinity, [0, -1, 0, 1]), (.quickTime, [0, -1, 0, 1]),
    ] as [(CMTimeRoundingMethod, [Int64])])
  func conversion_roundsByTheMethod(method: CMTimeRoundingMethod, expected: [Int64]) {
    let found = [5, -5, 4, 15].map { CMTimeMake(value: $0, timescale: 10).convertScale(1, method: method) }
    #expect(found.map(\.value) == expected)
    #expect(found.allSatisfy { $0.timescale == 1 && $0.hasBeenRounded })
    #expect(!CMTimeConvertScale(CMTimeMake(value: 1, timescale: 2), timescale: 600, method: method).hasBeenRounded)
  }

  @Test func arithmetic_isExactIfATimescaleIs() {
    let sum = CMTimeAdd(CMTime(value: 1, timescale: 24), CMTime(value: 1, timescale: 25))
    #expect(sum.value == 49 && sum.timescale == 600)
    #expect(CMTimeSubtract(CMTime(value: 1, timescale: 2), CMTime(value: 1, timescale: 3)) == CMTime(value: 1, timescale: 6))
    #expect(CMTimeMultiply(CMTime(value: 1001, timescale: 30000), multiplier: 300).value == 300_300)
    let tenth = CMTimeMultiplyByFloat64(CMTime(value: 10, timescale: 1), multiplier: 0.1)
    #expect(tenth.timescale >= 65536 && abs(tenth.seconds - 1) < 1e-4)
    #expect(
      CMTimeMultiplyByRatio(CMTime(value: 1, timescale: 30), multiplier: 1000, divisor: 1001)
        == CMTime(value: 1000, timescale: 30030))
    #expect(CMTimeMultiplyByRatio(CMTime(value: 1, timescale: 30), multiplier: 1, divisor: 0) == .positiveInfinity)
    #expect(CMTimeMultiplyByRatio(.zero, multiplier: 1, divisor: 0) == .invalid)
    #expect(CMTimeAbsoluteValue(CMTime(value: -5, timescale: 4)) == CMTime(value: 5, timescale: 4))
    #expect(CMTime.positiveInfinity + .negativeInfinity == .invalid)
    #expect(CMTime.indefinite + .zero == .indefinite)
  }
}
