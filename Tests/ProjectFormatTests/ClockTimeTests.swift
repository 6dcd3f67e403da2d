import CompositorAPI
import CompositorMedia
import CompositorProjectFormat
import CompositorTimeline
import Testing

/// Times as clocks and players show them: `0:02`, `1:02:03.5`.
@Suite struct ClockTimeTests {
  private static let rate = Rational(25, 1)

  private static func seconds(_ text: String) throws -> Rational {
    let time = try ProjectTime(text).time(atFrameRate: rate)
    return Rational(Int(time.value), Int(time.timescale)).reduced
  }

  @Test(arguments: [
    ("0:00", 0, 1), ("0:02", 2, 1), ("00:02", 2, 1), ("1:02.5", 125, 2), ("1:02:03.5", 7447, 2), ("00:00:02.5", 5, 2),
    ("00:00:02,500", 5, 2), ("0:02,5", 5, 2), ("90:00", 5400, 1), ("100:00:00", 360_000, 1), ("0:00.033367", 1001, 30_000),
    ("0:00.30000000000000004", 3, 10), ("0:59.999", 59_999, 1000),
  ])
  func clock_everyForm_isExact(text: String, numerator: Int, denominator: Int) throws {
    let found = try Self.seconds(text)
    #expect(found == Rational(numerator, denominator).reduced, "\(found)")
  }

  /// All of hours, minutes and seconds, with and without leading zeros and hours, a point or a comma.
  @Test func clock_everyNumber_isTheSumOfItsParts() throws {
    for hours in [0, 1, 9, 10, 99, 123] {
      for minutes in [0, 1, 9, 10, 59] {
        for seconds in 0...59 {
          let (minute, second) = (minutes < 10 ? "0\(minutes)" : "\(minutes)", seconds < 10 ? "0\(seconds)" : "\(seconds)")
          let whole = Rational((hours * 60 + minutes) * 60 + seconds, 1)
          for (fraction, thousandths) in [("", 0), (".5", 500), (",5", 500), (".250", 250), (",001", 1)] {
            let expected = Rational(whole.numerator * 1000 + thousandths, 1000).reduced
            #expect(try Self.seconds("\(hours):\(minute):\(second)\(fraction)") == expected)
            #expect(try Self.seconds("\(hours * 60 + minutes):\(second)\(fraction)") == expected)
          }
        }
      }
    }
  }

  /// Four numbers are a timecode, as ever.
  @Test func clock_fourNumbers_areATimecode() throws {
    #expect(
      try ProjectTime("01:00:00:12") == .timecode(hours: 1, minutes: 0, seconds: 0, frames: 12, dropFrame: false))
    #expect(try ProjectTime("01:00:12") == .seconds(MediaTime(value: 3612, timescale: 1)))
  }

  @Test(arguments: [
    ("1:5", "1:05"), ("1:2:03", "1:02:03"), ("1:02:3", "1:02:03"), ("0:0:0", "0:00"), ("0:75", "1:15"), ("0:75.5", "1:15.5"),
    ("0:90:00", "1:30:00"), ("0:02s", "0:02"), ("0:02 min", "0:02"), ("1m30s", "1:30"), ("1m 30s", "1:30"), ("1m30", "1:30"),
    ("2m", "2:00"), ("5 min", "5:00"), ("1h", "1:00:00"), ("1h30m", "1:30:00"), ("1h30s", "1:00:30"), ("1h2m3.5s", "1:02:03.5"),
    ("90 minutes", "1:30:00"), ("2 s", "2s"), ("2 seconds", "2s"), ("2.5sec", "2.5s"), ("500 ms", "500ms"),
    ("10 frames", "10f"),
    ("2,5s", "2.5s"),
  ])
  func clock_ambiguousOrOther_isAnsweredWithWhatToWrite(text: String, advice: String) {
    let error = #expect(throws: CompositorError.self) { try ProjectTime(text) }
    #expect(error?.code == .invalidValue && error?.recoverySuggestion == "Write \"\(advice)\".", "\(String(describing: error))")
    #expect(throws: Never.self) { try ProjectTime(advice) }
  }

  @Test(arguments: [
    ":02", "0:", "0:02:", "0::02", "0:02.", "0:02,", "1:2:3:4:5", "0:123", "0:02.5.5", "0:a2", "0:02:03:04.5", "٠:٠٢", "0:-2",
    "+0:02",
    "1234567:00",
  ])
  func clock_notATime_isRefused(text: String) {
    let error = #expect(throws: CompositorError.self) { try ProjectTime(text) }
    #expect(error?.code == .invalidValue && error?.recoverySuggestion != nil, "\(String(describing: error))")
  }

  @Test func clock_negative_isCalledSo() {
    let error = #expect(throws: CompositorError.self) { try ProjectTime("-0:02") }
    #expect(error?.message == "\"-0:02\" is a negative time.")
  }

  /// Milliseconds behind a colon, as some programs write them, are no frames.
  @Test func timecode_withMilliseconds_isAnsweredWithAPoint() {
    let error = #expect(throws: CompositorError.self) { try ProjectTime("00:01:02:500").time(atFrameRate: Self.rate) }
    #expect(
      error?.recoverySuggestion == "Write milliseconds after a point: \"00:01:02.500\".", "\(String(describing: error))")
  }

  /// Everywhere in a project: clips, transitions, keyframes, effects, titles and their trees, captions, expressions, variables.
  @Test func project_withClockTimes_isTheOneWithSeconds() throws {
    func project(_ two: String, _ half: String, _ negative: String, captions: String = "") -> String {
      """
      { version: 1, output: { size: "64x36", frameRate: 25, audio: { fadeOut: "\(half)" }, chapters: [{ at: "\(half)", title: "a" }],
          cover: { at: "\(half)" }, video: { codec: "h264", keyFrameInterval: "\(two)" } },
        variables: { length: "\(two)" },
        assets: { a: { generate: "bars", duration: "\(two)" } },
        tracks: [{ clips: [
          { asset: "a", at: "0:00", in: "\(half)", duration: "${length}", opacity: [{ at: "\(half)", value: 0 }, { at: "\(two)", value: 1 }] },
          { asset: "a", duration: "\(two) - \(half)", transition: { type: "dissolve", duration: "\(half)" } } ] }],
        titles: [{ text: "x", start: "\(half)", duration: "\(two)", fade: "\(half)" },
          { layer: { content: { text: { string: "x" } }, timing: { beginTime: "\(negative)" },
              animations: [{ property: "opacity", from: 0, to: 1, duration: "\(half)" }] } }],
        captions: [\(captions)] }
      """
    }
    let (clock, plain) = (
      try ProjectFile(project("0:02", "00:00:00,500", "-0:00.5")), try ProjectFile(project("2s", "0.5s", "-0.5s"))
    )
    #expect(try clock.timeline(catalog: MediaCatalog()) == plain.timeline(catalog: MediaCatalog()))
    #expect(clock.output == plain.output)
    let captions = "{ file: 'a.srt', offset: '-0:00.5' }, { file: 'a.srt', offset: '1:02:03' }"
    #expect(throws: Never.self) { try ProjectFile(project("0:02", "0:00.5", "-0:00.5", captions: captions)) }
  }

  @Test(arguments: [("0:02", "0:02"), ("00:00:02.5", "00:00:02.5"), ("0:01:00:12", "0:01:00:12"), ("1:02:03", "1:02:03")])
  func project_timeWithoutQuotes_isAnsweredWithThem(text: String, meant: String) {
    let error = #expect(throws: CompositorError.self) {
      try ProjectFile("{ version: 1, assets: { a: 'x' }, tracks: [{ clips: [{ asset: 'a', duration: \(text) }] }] }")
    }
    #expect(error?.recoverySuggestion == "Write a time in quotes: \"\(meant)\".", "\(String(describing: error))")
  }
}
