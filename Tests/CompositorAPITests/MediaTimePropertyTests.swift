import CompositorAPI
import Testing

/// Laws that hold for random times, and nothing that traps at the edges of what can be stored.
@Suite struct MediaTimePropertyTests {
  /// Times of every kind, many at the limits of their fields.
  static func anyTime(_ random: inout SplitMix64) -> MediaTime {
    let values: [Int64] = [.min, .min + 1, -1, 0, 1, .max - 1, .max]
    let scales: [Int32] = [.min, -1, 0, 1, 2, 600, 90000, .max - 1, .max]
    let value =
      Bool.random(using: &random) ? values.randomElement(using: &random) : Int64.random(in: .min ... .max, using: &random)
    let scale =
      Bool.random(using: &random) ? scales.randomElement(using: &random) : Int32.random(in: 1 ... .max, using: &random)
    let flags: [MediaTime.Flags] = [
      .valid, .valid, .valid, .valid, [.valid, .hasBeenRounded], [], [.valid, .positiveInfinity], [.valid, .negativeInfinity],
      [.valid, .indefinite], MediaTime.Flags(rawValue: .max),
    ]
    return MediaTime(
      value: value ?? 0, timescale: scale ?? 1, flags: flags.randomElement(using: &random) ?? .valid,
      epoch: Int.random(in: 0..<8, using: &random) == 0 ? .max : 0)
  }

  /// Times as edits have them: exact sums of any three of them fit.
  static func editTime(_ random: inout SplitMix64) -> MediaTime {
    let scales: [Int32] = [1, 24, 25, 30, 600, 1000, 24000, 30000, 48000, 90000]
    let scale = scales.randomElement(using: &random) ?? 1
    return time(.random(in: -1_000_000...1_000_000, using: &random), scale)
  }

  @Test func order_randomTriples_isTotalAndTransitive() {
    var random = SplitMix64(state: 11)
    for _ in 0..<20_000 {
      let times = (0..<3).map { _ in Self.anyTime(&random) }.sorted()
      #expect(times[0] <= times[1] && times[1] <= times[2] && times[0] <= times[2])
      let (a, b) = (times[0], times[1])
      #expect([a < b, a == b, b < a].filter(\.self).count == 1)
      if a == b { #expect(a.hashValue == b.hashValue) }
    }
  }

  @Test func arithmetic_editTimes_isAssociativeAndInvertible() {
    var random = SplitMix64(state: 12)
    for _ in 0..<20_000 {
      let (a, b, c) = (Self.editTime(&random), Self.editTime(&random), Self.editTime(&random))
      #expect((a + b) + c == a + (b + c))
      #expect(a + b == b + a)
      #expect((a + b) - b == a)
      #expect(!(a + b).hasBeenRounded)
      #expect((a < b) == (a + c < b + c))
      #expect(a * 7 == a.multiplied(by: 7, over: 1))
      #expect(a.multiplied(by: 7, over: 3).multiplied(by: 3, over: 7) == a)
      if a.timescale <= 600 { #expect(a * 0.125 == a.multiplied(by: 1, over: 8)) }
    }
  }

  @Test func arithmetic_extremeTimes_neverTrapsAndStaysValidOrPoisons() {
    var random = SplitMix64(state: 13)
    let factors: [Double] = [0, -0.0, 1, -1, 0.1, .pi, 1e300, -1e300, 1e-300, .infinity, .nan, .leastNonzeroMagnitude]
    for _ in 0..<20_000 {
      let (a, b) = (Self.anyTime(&random), Self.anyTime(&random))
      let integer = Int64.random(in: .min ... .max, using: &random)
      for result in [a + b, a - b, -a, a.magnitude, a * Int(integer), a * Int.min, a.multiplied(by: integer, over: .min)] {
        #expect(result.isNumeric == (result.isValid && !result.isInfinite && !result.isIndefinite))
        if !a.isValid { #expect(!result.isValid) }
      }
      for factor in factors where (a * factor).isNumeric { #expect((a * factor).timescale > 0) }
      for method in MediaTime.RoundingMethod.allCases {
        let converted = a.converted(toTimescale: b.timescale, rounding: method)
        #expect(!a.isNumeric || b.timescale > 0 || converted == .invalid)
      }
      let (p, q) = (TimeRange(start: a, duration: b), TimeRange(start: b, duration: a))
      #expect(!p.contains(p.end))
      #expect(!p.fraction(at: b).isNaN)
      #expect(!p.isValid || !q.isValid || a.epoch != b.epoch || p.union(q).isValid, "\(p) \(q) \(p.union(q))")
      #expect(!p.isValid || !q.isValid || p.intersection(q).isValid)
      #expect(!TimeMapping(source: p, target: q).rate.isNaN)
      #expect(
        a.mapped(from: p, to: q).isValid || !a.isValid || !p.isValid || !q.isValid || a.epoch != p.start.epoch || p.isNumeric)
      #expect(MediaTime(a.description) == a)
      if let timing = try? FrameTiming(frameDuration: b) {
        #expect(timing.frameCount(in: a) ?? 0 >= 0)
        if let index = timing.index(at: a), !timing.time(ofFrame: index).hasBeenRounded {
          #expect(timing.time(ofFrame: index) <= a)
        }
      }
    }
  }

  @Test func multiplyDouble_moderateTimes_nearestAtItsTimescale() {
    var random = SplitMix64(state: 14)
    for _ in 0..<20_000 {
      let a = Self.editTime(&random)
      let factor = Double.random(in: -100...100, using: &random)
      let product = a * factor
      #expect(product.timescale >= 65536 && product.timescale < 131072 || product.timescale == 90000)
      #expect(abs(product.seconds - a.seconds * factor) <= 0.5001 / Double(product.timescale) + abs(product.seconds) * 1e-15)
    }
  }

  @Test func convert_everyMethod_withinOneTickOnTheRightSide() {
    var random = SplitMix64(state: 15)
    for _ in 0..<20_000 {
      let a = Self.editTime(&random)
      let scale = Int32.random(in: 1...100_000, using: &random)
      let tick = time(1, scale)
      for method in MediaTime.RoundingMethod.allCases {
        let b = a.converted(toTimescale: scale, rounding: method)
        #expect((b - a).magnitude < tick)
        #expect(b.hasBeenRounded == (b != a))
        switch method {
        case .halfAwayFromZero: #expect((b - a).magnitude * 2 <= tick)
        case .towardZero: #expect(b.magnitude <= a.magnitude)
        case .awayFromZero: #expect(b.magnitude >= a.magnitude)
        case .towardPositiveInfinity: #expect(b >= a)
        case .towardNegativeInfinity: #expect(b <= a)
        case .quickTime: #expect(scale > a.timescale ? b.magnitude >= a.magnitude : a >= .zero ? b <= a : b < .zero)
        }
      }
    }
  }
}
