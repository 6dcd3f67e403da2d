import CompositorAPI
import Testing

/// The table of semantics: order, equality, arithmetic, conversions.
@Suite struct MediaTimeTests {
  static let ordered: [MediaTime] = [
    .negativeInfinity, MediaTime(value: .min, timescale: 1), MediaTime(value: -1, timescale: 3), .zero,
    MediaTime(value: 1001, timescale: 30000), MediaTime(value: 1, timescale: 2), MediaTime(value: .max, timescale: 1),
    MediaTime(value: -5, timescale: 1, flags: .valid, epoch: 1), .indefinite, .positiveInfinity, .invalid,
  ]

  @Test func compare_specialAndFinite_totalOrder() {
    for (i, left) in Self.ordered.enumerated() {
      for (j, right) in Self.ordered.enumerated() {
        #expect((left < right) == (i < j), "\(left) < \(right)")
        #expect((left == right) == (i == j), "\(left) == \(right)")
      }
    }
  }

  @Test func equal_differentTimescales_sameHash() {
    let pairs = [
      (MediaTime(value: 1, timescale: 2), MediaTime(value: 2, timescale: 4)),
      (MediaTime(value: .min, timescale: 2), MediaTime(value: .min / 2, timescale: 1)),
      (MediaTime(value: 0, timescale: 7), .zero),
      (MediaTime(value: 3, timescale: 0), .invalid),
      (MediaTime(value: 3, timescale: -5, flags: .valid), .invalid),
      (MediaTime(value: 9, timescale: 9, flags: [.valid, .positiveInfinity], epoch: 4), .positiveInfinity),
    ]
    for (left, right) in pairs {
      #expect(left == right)
      #expect(left.hashValue == right.hashValue)
    }
  }

  @Test func compare_productsBeyond64Bits_exact() {
    let a = MediaTime(value: .max, timescale: 0x7fff_fffe)
    let b = MediaTime(value: .max - 1, timescale: 0x7fff_fffe)
    let c = MediaTime(value: .max, timescale: 0x7fff_ffff)
    #expect(b < a)
    #expect(c < a)
    #expect(a != c)
  }

  @Test(arguments: [
    ("1/2", "1/2", "2/2"), ("1/2", "1/3", "5/6"), ("1/24", "1/30", "9/120"), ("1001/30000", "1001/30000", "2002/30000"),
    ("1/600", "-1/600", "0/600"), ("+infinity", "5/1", "+infinity"), ("+infinity", "-infinity", "invalid"),
    ("-infinity", "-infinity", "-infinity"), ("indefinite", "1/1", "indefinite"), ("indefinite", "+infinity", "+infinity"),
    ("invalid", "+infinity", "invalid"), ("1/1@2", "1/1@3", "invalid"), ("1/1@2", "1/1", "2/1@2"), ("1/1@2", "1/1@2", "2/1"),
    ("9223372036854775807/1", "1/1", "+infinity"), ("-9223372036854775808/1", "-1/1", "-infinity"),
    ("9223372036854775807/2", "1/2", "4611686018427387904/1"),
  ])
  func add_table_asStated(left: String, right: String, sum: String) throws {
    let (a, b) = (try #require(MediaTime(left)), try #require(MediaTime(right)))
    #expect((a + b).description == sum)
    #expect((b + a) == (a + b))
    var inPlace = a
    inPlace += b
    #expect(inPlace == a + b)
  }

  @Test func subtract_infinities_invalidWhereAlike() {
    #expect(MediaTime.positiveInfinity - .positiveInfinity == .invalid)
    #expect(MediaTime.negativeInfinity - .negativeInfinity == .invalid)
    #expect(MediaTime.positiveInfinity - .negativeInfinity == .positiveInfinity)
    #expect(MediaTime.zero - .positiveInfinity == .negativeInfinity)
  }

  @Test func add_commonMultipleTooLarge_roundsAtMaximumTimescale() {
    let sum = MediaTime(value: 1, timescale: 2_147_483_647) + MediaTime(value: 1, timescale: 2_147_483_646)
    #expect(sum.timescale == MediaTime.maximumTimescale)
    #expect(sum.value == 2)
    #expect(sum.hasBeenRounded)
    #expect((sum + .zero).hasBeenRounded)
  }

  @Test func initSeconds_overflow_halvesTimescale() {
    let time = MediaTime(seconds: 1e16, preferredTimescale: 90000)
    #expect(time.seconds == 1e16)
    #expect(time.timescale < 90000 && time.timescale > 1)
    #expect(MediaTime(seconds: 1e19, preferredTimescale: 600) == .positiveInfinity)
    #expect(MediaTime(seconds: -1e19, preferredTimescale: 600) == .negativeInfinity)
    #expect(MediaTime(seconds: 1, preferredTimescale: 0) == .invalid)
    #expect(MediaTime(seconds: .nan, preferredTimescale: 600) == .invalid)
    #expect(MediaTime(seconds: .infinity, preferredTimescale: 600) == .positiveInfinity)
  }

  @Test func initSeconds_inexact_isMarkedRounded() {
    #expect(MediaTime(seconds: 1.0 / 7, preferredTimescale: 600).hasBeenRounded)
    #expect(!MediaTime(seconds: 0.5, preferredTimescale: 600).hasBeenRounded)
    #expect(MediaTime(seconds: 2.5, preferredTimescale: 1).value == 3)
    #expect(MediaTime(seconds: -2.5, preferredTimescale: 1).value == -3)
  }

  @Test func seconds_specialTimes_nanAndInfinity() {
    #expect(MediaTime.invalid.seconds.isNaN && MediaTime.indefinite.seconds.isNaN)
    #expect(MediaTime.positiveInfinity.seconds == .infinity && MediaTime.negativeInfinity.seconds == -.infinity)
  }

  @Test(
    arguments: [
      // value at 1/10 s, method, value at 1 s
      (15, .halfAwayFromZero, 2), (-15, .halfAwayFromZero, -2), (14, .halfAwayFromZero, 1),
      (19, .towardZero, 1), (-19, .towardZero, -1), (11, .awayFromZero, 2), (-11, .awayFromZero, -2),
      (11, .towardPositiveInfinity, 2), (-19, .towardPositiveInfinity, -1),
      (19, .towardNegativeInfinity, 1), (-11, .towardNegativeInfinity, -2),
      (19, .quickTime, 1), (-19, .quickTime, -1), (-1, .quickTime, -1), (1, .quickTime, 0), (0, .quickTime, 0),
    ] as [(Int64, MediaTime.RoundingMethod, Int64)])
  func convert_coarser_roundsByMethod(value: Int64, method: MediaTime.RoundingMethod, expected: Int64) {
    let time = MediaTime(value: value, timescale: 10).converted(toTimescale: 1, rounding: method)
    #expect(time.value == expected)
    #expect(time.hasBeenRounded == (value % 10 != 0))
  }

  @Test func convert_quickTimeFiner_roundsAwayFromZero() {
    #expect(MediaTime(value: 1, timescale: 3).converted(toTimescale: 10, rounding: .quickTime).value == 4)
    #expect(MediaTime(value: -1, timescale: 3).converted(toTimescale: 10, rounding: .quickTime).value == -4)
  }

  @Test func convert_overflowOrBadTimescale_neverTraps() {
    #expect(MediaTime(value: .max, timescale: 1).converted(toTimescale: 2) == .positiveInfinity)
    #expect(MediaTime(value: .min, timescale: 1).converted(toTimescale: 2) == .negativeInfinity)
    #expect(MediaTime(value: 1, timescale: 1).converted(toTimescale: -1) == .invalid)
    #expect(MediaTime.indefinite.converted(toTimescale: 600) == .indefinite)
  }

  @Test func multiply_wholeNumber_keepsTimescale() {
    #expect((MediaTime(value: 1001, timescale: 30000) * 7).description == "7007/30000")
    #expect((MediaTime(value: .max, timescale: 4) * 2).description == "9223372036854775807/2")
    #expect((MediaTime(value: .max, timescale: 2) * 4).description == "+infinity")
    #expect(MediaTime.positiveInfinity * -1 == .negativeInfinity)
    #expect(MediaTime.positiveInfinity * 0 == .invalid)
    #expect(MediaTime.indefinite * 3 == .indefinite)
  }

  @Test func multiply_double_doublesTimescaleFirst() {
    let time = MediaTime(value: 1, timescale: 600) * 0.5
    #expect(time.timescale == 76800)
    #expect(time == MediaTime(value: 1, timescale: 1200))
    #expect(!time.hasBeenRounded)
    #expect((MediaTime(value: 1, timescale: 90000) * (1.0 / 3)).hasBeenRounded)
    #expect(MediaTime(value: 1, timescale: 1) * .nan == .invalid)
    #expect(MediaTime(value: -1, timescale: 1) * .infinity == .negativeInfinity)
    #expect(MediaTime.zero * .infinity == .invalid)
    #expect(MediaTime(value: 1, timescale: 1) * 1e300 == .positiveInfinity)
    #expect(MediaTime(value: 1, timescale: 1) * 0x1p62 == MediaTime(value: 1 << 62, timescale: 1))
    #expect(MediaTime(value: 1, timescale: 2_147_483_647) * 0x1p80 > MediaTime(value: 1 << 48, timescale: 1))
    #expect(MediaTime(value: .max, timescale: 1) * 1e-300 == .zero)
    #expect((MediaTime(value: .max, timescale: 1) * Double.leastNonzeroMagnitude).hasBeenRounded)
  }

  @Test func multiply_ratio_exactWhereItFits() {
    let third = MediaTime(value: 1, timescale: 600).multiplied(by: 1, over: 7)
    #expect(third.description == "1/4200")
    #expect(MediaTime(value: 14, timescale: 600).multiplied(by: 1, over: 7).description == "2/600")
    #expect(MediaTime(value: 1, timescale: 1).multiplied(by: 1, over: .max).hasBeenRounded)
    #expect(MediaTime(value: 1, timescale: 1).multiplied(by: 1, over: 0) == .positiveInfinity)
    #expect(MediaTime(value: 1, timescale: 1).multiplied(by: -1, over: 0) == .negativeInfinity)
    #expect(MediaTime.zero.multiplied(by: 1, over: 0) == .invalid)
    #expect(MediaTime(value: 1, timescale: 1).multiplied(by: 0, over: 0) == .invalid)
  }

  @Test func negateAndMagnitude_extremes_neverTrap() {
    #expect((-MediaTime(value: .min, timescale: 4)).description == "4611686018427387904/2")
    #expect(-MediaTime(value: .min, timescale: 1) == .positiveInfinity)
    #expect(MediaTime(value: -3, timescale: 4).magnitude == MediaTime(value: 3, timescale: 4))
    #expect(MediaTime.negativeInfinity.magnitude == .positiveInfinity)
  }

  @Test(arguments: [
    "1001/30000", "-1/600", "0/1", "invalid", "indefinite", "+infinity", "-infinity", "5/1@2",
    "-9223372036854775808/2147483647",
  ])
  func text_parsed_roundTrips(text: String) throws {
    #expect(try #require(MediaTime(text)).description == text)
  }

  @Test(arguments: ["", "1/0", "1/-2", "a", "1/2/3", "1 /2", "1e5", "1/3000000000", "9223372036854775808", "1.", "--1", "1@"])
  func text_malformed_isNil(text: String) {
    #expect(MediaTime(text) == nil)
  }

  @Test func text_decimal_isExact() {
    #expect(MediaTime("12.5")?.description == "125/10")
    #expect(MediaTime("-0.25")?.description == "-25/100")
    #expect(MediaTime("12")?.description == "12/1")
  }
}
