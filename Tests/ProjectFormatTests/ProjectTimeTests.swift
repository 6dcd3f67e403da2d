import CompositorAPI
import CompositorHost
import CompositorProjectFormat
import CompositorTimeline
import Testing

@Suite struct ProjectTimeTests {
  typealias Case = (text: String, numerator: Int, denominator: Int, value: Int64, timescale: Int32)
  static let cases: [Case] = [
    ("48f", 25, 1, 48, 25), ("48f", 30000, 1001, 48 * 1001, 30000), ("2.5s", 25, 1, 5, 2), ("0.1s", 25, 1, 1, 10),
    ("1500ms", 25, 1, 3, 2), ("0.5ms", 25, 1, 1, 2000), (".25s", 25, 1, 1, 4), ("3.s", 25, 1, 3, 1),
    ("1001/30000", 25, 1, 1001, 30000), ("00:00:02:12", 24, 1, 60, 24), ("01:00:00:00", 25, 1, 3600, 1),
    // Timecode counts 30 numbers a second at 29.97: one hour of it lasts 3603.6 s.
    ("01:00:00:00", 30000, 1001, 108_000 * 1001, 30000),
    // Drop-frame timecode follows the clock: SMPTE ST 12-1 numbers 107892 frames in an hour.
    ("01:00:00;00", 30000, 1001, 107_892 * 1001, 30000), ("00:01:00;02", 30000, 1001, 1800 * 1001, 30000),
    ("00:10:00;00", 30000, 1001, 17_982 * 1001, 30000), ("00:01:00;04", 60000, 1001, 3600 * 1001, 60000),
    ("0.123456789s", 25, 1, 123_456_789, 1_000_000_000),
  ]

  @Test(arguments: cases)
  func time_everyForm_isExact(_ item: Case) throws {
    let time = try ProjectTime(item.text).time(atFrameRate: Rational(item.numerator, item.denominator))
    #expect(time.value * Int64(item.timescale) == item.value * Int64(time.timescale), "\(item.text) is \(time)")
    #expect(!time.flags.contains(.hasBeenRounded))
  }

  @Test func time_decimals_areExactOrThoseOfAFrame() throws {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      let (digits, places) = (Int.random(in: 0..<1_000_000_000, using: &random), Int.random(in: 0...9, using: &random))
      let text = String(repeating: "0", count: max(0, places + 1 - "\(digits)".count)) + "\(digits)"
      let decimal = places == 0 ? text : "\(text.dropLast(places)).\(text.suffix(places))"
      let power = (0..<places).reduce(1) { power, _ in power * 10 }
      for (unit, perSecond) in [("s", 1), ("ms", 1000)] where places == 0 || power * perSecond < 1_000_000_000 {
        let time = try ProjectTime(decimal + unit).time(atFrameRate: Rational(25, 1))
        let (exact, found) = (Int128(digits) * Int128(time.timescale), Int128(time.value) * Int128(power * perSecond))
        // More than four places may be those of a frame's or sample's time. Trailing zeros may say nothing.
        let zeros = sequence(first: 1) { $0 < power && digits % ($0 * 10) == 0 ? $0 * 10 : nil }.reduce(1) { $1 }
        let allowed = power * perSecond <= 10_000 ? 0 : Int128(time.timescale) * Int128(zeros)
        #expect((exact - found).magnitude * 2 <= allowed.magnitude, "\(text) is \(time)")
      }
      #expect(try ProjectTime("\(digits)f") == .frames(Int64(digits)))
    }
  }

  @Test(arguments: [
    "", "s", "f", "2", "-2s", "+2s", "2.5f", "e3s", "1es", "1e999s", "2 s", "1/0", "1/2/3", "-1/2", "1.5/2", "0:0:0",
    "00:00:61:00",
    "00:60:00:00",
    "00;00:00:00", "00:00;00;00", "a:b:c:d", "1h", "∞s", "NaNs", "99999999999999999999f", "1e19s",
    "1/4294967296", "1.2.3s", "٣s",
  ])
  func time_notATime_isRefused(_ text: String) throws {
    let error = try #require(throws: CompositorError.self) { _ = try ProjectTime(text) }
    #expect(error.code == .invalidValue)
    #expect(error.recoverySuggestion != nil)
  }

  @Test(arguments: [
    ("00:00:00:25", 25, 1, "from 0 to 24"), ("00:00:00;00", 25, 1, "no drop-frame"),
    ("00:01:00;01", 30000, 1001, "no frame 1"), ("9223372036854775807f", 30000, 1001, "too large"),
  ])
  func time_notAtThisRate_isRefused(_ text: String, _ n: Int, _ d: Int, _ reason: String) throws {
    let error = try #require(throws: CompositorError.self) { _ = try ProjectTime(text).time(atFrameRate: Rational(n, d)) }
    #expect(error.message.contains(reason), "\(error.message)")
  }

  /// Every drop-frame timecode of a day counts one more than the one before: nothing is skipped or counted twice.
  @Test func time_dropFrame_countsWithoutGap() throws {
    let rate = Rational(30000, 1001)
    var expected: Int64 = 0
    for minute in 0..<25 {
      for second in 0..<60 {
        for frame in 0..<30 where !(second == 0 && frame < 2 && minute % 10 != 0) {
          let code = ProjectTime.timecode(hours: 0, minutes: minute, seconds: second, frames: frame, dropFrame: true)
          let time = try code.time(atFrameRate: rate)
          #expect(time.value == expected * 1001)
          expected += 1
        }
      }
    }
  }
}
