import CompositorAPI
import Testing

/// Times as messages say them.
@Suite struct ReadableTimeTests {
  @Test(arguments: [
    (6, 1, "6 s"), (0, 1, "0 s"), (0, 600, "0 s"), (30, 30, "1 s"), (-3, 2, "-1.5 s"), (1, 25, "0.04 s"), (-1, 25, "-0.04 s"),
    (1200, 600, "2 s"), (10_000_023, 1_000_000, "10.000023 s"), (1, 1_000_000, "0.000001 s"), (1, 3, "1/3 s (0.333 s)"),
    (-1, 3, "-1/3 s (-0.333 s)"), (1001, 30000, "1001/30000 s (0.033 s)"), (10, 30, "10/30 s (0.333 s)"),
    (299_999_999, 1_000_000_000, "299999999/1000000000 s (0.300 s)"), (Int64.max, 1, "9223372036854775807 s"),
    (Int64.min, 1, "-9223372036854775808 s"), (Int64.max, 3, "9223372036854775807/3 s"),
  ])
  func time_exactInDecimals_isSaidInThem(value: Int64, timescale: Int32, text: String) {
    #expect(MediaTime(value: value, timescale: timescale).readable == text)
  }

  @Test func time_thatIsNoNumber_isNamed() {
    #expect(MediaTime.invalid.readable == "an invalid time" && MediaTime.indefinite.readable == "an indefinite time")
    #expect(MediaTime.positiveInfinity.readable == "+∞" && MediaTime.negativeInfinity.readable == "−∞")
  }
}
