import CompositorAPI
import CompositorHost
import CompositorMedia
import CompositorProjectFormat
import CompositorTimeline
import CompositorTestSupport
import Foundation
import Testing

/// Times and rates as programs print them.
@Suite struct PrintedNumberTests {
  private static let grids: [(name: String, rate: Rational)] = [
    ("23.976", Rational(24_000, 1001)), ("24", Rational(24, 1)), ("25", Rational(25, 1)), ("29.97", Rational(30_000, 1001)),
    ("30", Rational(30, 1)), ("48", Rational(48, 1)), ("50", Rational(50, 1)), ("59.94", Rational(60_000, 1001)),
    ("60", Rational(60, 1)), ("44.1k", Rational(44_100, 1)), ("48k", Rational(48_000, 1)),
  ]

  /// A number with its decimal digits: mantissa / 10 ^ places.
  private struct Printed {
    let text: String
    let mantissa: Int128
    let places: Int

    init(_ text: String) {
      self.text = text
      let parts = text.lowercased().split(separator: "e")
      let digits = parts[0].split(separator: ".", omittingEmptySubsequences: false)
      let fraction = digits.count > 1 ? digits[1] : ""
      mantissa = Int128(String(digits[0] + fraction)) ?? 0
      places = fraction.count - (parts.count > 1 ? Int(parts[1]) ?? 0 : 0)
    }

    /// The points of all grids that have these digits: within half a unit of the last, or within the precision of a double.
    func candidates() -> Set<Rational> {
      let value = Double(text) ?? 0
      let half = max(0.5 * pow(10, -Double(places)), value * 0x1p-52)
      return Set(
        PrintedNumberTests.grids.flatMap { grid -> [Rational] in
          let near = (value * grid.rate.value).rounded()
          return [-1.0, 0, 1].compactMap { step -> Rational? in
            guard near + step >= 0 else { return nil }
            let point = Rational(Int(near + step) * grid.rate.denominator, grid.rate.numerator).reduced
            return distance(to: point) <= half * (1 + 1e-9) ? point : nil
          }
        })
    }

    private func distance(to point: Rational) -> Double {
      // Exactly, as far as the places allow; doubles would lose the last digits.
      guard places >= 0, places <= 17 else { return abs((Double(text) ?? 0) - point.value) }
      let power = (0..<places).reduce(Int128(1)) { power, _ in power * 10 }
      let numerator = (mantissa * Int128(point.denominator) - Int128(point.numerator) * power).magnitude
      return Double(numerator) / Double(power * Int128(point.denominator))
    }
  }

  private static func printings(_ value: Double) -> [String] {
    var texts = (6...17).map { String(format: "%.\($0)f", value) } + (6...17).map { String(format: "%.\($0)g", value) }
    texts.append("\(value)")
    return texts
  }

  @Test func times_asProgramsPrintThem_areThoseOfTheirFramesAndSamples() throws {
    var random = SeededNumbers(35)
    var rows: [String] = []
    for grid in Self.grids {
      var (printed, determined, wrong) = (0, 0, [String]())
      for _ in 0..<(TableSelection.isWhole ? 910 : 455) {
        let seconds = Double.random(in: 0..<[1, 60, 7200].randomElement(using: &random)!, using: &random)
        let exact = Rational(Int(seconds * grid.rate.value) * grid.rate.denominator, grid.rate.numerator).reduced
        for text in Self.printings(exact.value) {
          printed += 1
          let item = Printed(text)
          guard item.candidates() == [exact] else { continue }
          determined += 1
          let time = try ProjectTime(text + "s").time(atFrameRate: Rational(25, 1))
          if Rational(Int(time.value), Int(time.timescale)).reduced != exact {
            wrong.append("\(text) is \(time), not \(exact)")
          }
        }
      }
      rows.append("\(grid.name): \(determined) of \(printed) printed times determine theirs, \(wrong.count) are others")
      #expect(wrong.isEmpty, "\(wrong.prefix(5))")
      #expect(determined > printed / 3, "\(grid.name)")
    }
    print(rows.joined(separator: "\n"))
  }

  @Test(arguments: [
    ("0.30000000000000004s", 3, 10), ("0.1333333333s", 2, 15), ("1e-3s", 1, 1000), ("33.366700ms", 1001, 30_000),
    ("0.033367s", 1001, 30_000), ("1E+1s", 10, 1), ("99.9999999999986s", 100, 1), ("0.01667s", 1, 60),
    ("2.500000s", 5, 2), ("0.1234s", 617, 5000), ("1234.567s", 1_234_567, 1000), ("0.000000000000000000001s", 0, 1),
    ("0.33333333333333331483s", 1, 3), ("3.3366666666666664e-02s", 1001, 30_000),
  ])
  func time_printed_isTheExactOne(text: String, numerator: Int, denominator: Int) throws {
    let time = try ProjectTime(text).time(atFrameRate: Rational(25, 1))
    #expect(Rational(Int(time.value), Int(time.timescale)).reduced == Rational(numerator, denominator).reduced, "\(time)")
  }

  @Test(arguments: [
    ("29.97", 30_000, 1001), ("23.976023976", 24_000, 1001), ("59.940059", 60_000, 1001), ("59.94005994005994", 60_000, 1001),
    ("23.976", 24_000, 1001), ("23.98", 24_000, 1001), ("29.970", 30_000, 1001), ("29.97003", 30_000, 1001),
    ("119.88011988011988", 120_000, 1001), ("47.952", 48_000, 1001), ("25", 25, 1), ("25.000000", 25, 1), ("12.5", 25, 2),
    ("16.666666666666668", 50, 3), ("33.333333", 100, 3), ("14.985014985", 15_000, 1001), ("24.5", 49, 2), ("1e1", 10, 1),
  ])
  func rate_printed_isTheStandardOne(text: String, numerator: Int, denominator: Int) throws {
    #expect(try FrameRateValue(text).rate == Rational(numerator, denominator), "\(text)")
    let project = try ProjectFile(
      """
      { version: 1, output: { size: "64x36", frameRate: \(text) }, assets: { a: { generate: "bars" } },
        tracks: [{ clips: [{ asset: "a", duration: "1s" }] }] }
      """)
    #expect(project.output.frameRate == Rational(numerator, denominator), "\(text)")
  }

  @Test(arguments: [
    ("1.3333333333333333", 4, 3), ("0.30000000000000004", 3, 10), ("0.333333", 1, 3), ("0.5", 1, 2),
    ("1.0000000000000002", 1, 1),
    ("0.123456", 1929, 15_625), ("1.0594630943592953", 0, 0),
  ])
  func speed_printed_isTheSimpleRatio(text: String, numerator: Int, denominator: Int) throws {
    let project = try ProjectFile(
      """
      { version: 1, output: { size: "64x36", frameRate: 25 }, assets: { a: { generate: "bars", duration: "9s" } },
        tracks: [{ clips: [{ asset: "a", speed: \(text) }] }] }
      """)
    let clip = try project.timeline(catalog: MediaCatalog()).tracks[0].clips[0]
    guard case .constant(let speed) = clip.speed else {
      Issue.record("not constant: \(clip.speed)")
      return
    }
    if denominator > 0 { #expect(speed == Rational(numerator, denominator)) }
    // As far as the digits go.
    let places = text.drop { $0 != "." }.count - 1
    #expect(abs(speed.value - (Double(text) ?? 0)) < max(1e-12, pow(10, -Double(places)) / 2))
  }

  @Test(arguments: [("2,5s", "2.5s"), ("0,04s", "0.04s"), ("1500,5ms", "1500.5ms")])
  func time_withAComma_isAnsweredWithAPoint(text: String, advice: String) {
    let error = #expect(throws: CompositorError.self) { try ProjectTime(text) }
    #expect(error?.recoverySuggestion == "Write \"\(advice)\".", "\(String(describing: error))")
  }

  @Test(arguments: [("29,97", "29.97"), ("23,976", "23.976")])
  func rate_withAComma_isAnsweredWithAPoint(text: String, advice: String) {
    let error = #expect(throws: CompositorError.self) { try FrameRateValue(text) }
    #expect(error?.recoverySuggestion?.contains(advice) == true, "\(String(describing: error))")
  }

  @Test func integers_fromCalculations_areIntegers() throws {
    let project = try ProjectFile(
      """
      { version: 1, output: { size: "64x36", frameRate: 25, video: { quality: 19.999999999999996 } },
        assets: { a: { generate: "bars" } }, tracks: [{ clips: [{ asset: "a", duration: "1s", opacity: 1.0000000000000002 }] }] }
      """)
    #expect(project.output.frameRate == 25)
    #expect(throws: CompositorError.self) {
      try ProjectFile("{ version: 1.5, assets: {}, tracks: [] }")
    }
  }
}

/// Random numbers that are the same in each run.
private struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64
  init(_ seed: UInt64) { state = seed }
  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return mixed ^ mixed >> 31
  }
}
