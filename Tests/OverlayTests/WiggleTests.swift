import CompositorAPI
import CompositorOverlay
import Foundation
import Testing

/// Random swings: bounded, even, smooth, reproducible, and of the frequency that they say.
@Suite struct WiggleTests {
  private static let step = 0.005

  private func samples(_ wiggle: Wiggle, count: Int, number: Int = 0) -> [Double] {
    (0..<count).map { wiggle.value(at: Double($0) * Self.step, number: number) }
  }

  @Test(arguments: [0, 1, 77, UInt64.max], [0.5, 3, 12]) func value_isBoundedSmoothAndOnAverageZero(
    _ seed: UInt64, _ frequency: Double
  ) {
    let values = samples(Wiggle(frequency: frequency, seed: seed), count: 40_000)
    #expect(values.allSatisfy { abs($0) <= 1 })
    #expect((values.max() ?? 0) > 0.9 && (values.min() ?? 0) < -0.9)
    // Each swing is followed by its opposite: only the last one is left.
    #expect(abs(values.reduce(0, +) / Double(values.count)) < 1 / (frequency * 200))
    // The steepest a quintic curve between −1 and 1 gets.
    let steepest = 2 * 1.875 * frequency * 8 / 3 * Self.step
    #expect(zip(values, values.dropFirst()).allSatisfy { abs($1 - $0) <= steepest * (1 + 1e-9) })
  }

  @Test func value_inAnyOrder_isTheSameBitForBit() {
    let wiggle = Wiggle(frequency: 2.7, seed: 5)
    let forward = samples(wiggle, count: 3000)
    let backward = (0..<3000).reversed().map { wiggle.value(at: Double($0) * Self.step) }
    #expect(forward == backward.reversed())
    #expect(samples(Wiggle(frequency: 2.7, seed: 5), count: 3000) == forward)
    // By an implementation in another language: every machine and version gives the same.
    #expect(abs(wiggle.value(at: -3.21) - 0.1801908026715165) < 1e-12)
    #expect(abs(wiggle.value(at: 12.34, number: 1) + 0.8195947904247101) < 1e-12)
  }

  @Test func seedsAndNumbers_swingIndependently() {
    let base = samples(Wiggle(seed: 1), count: 40_000)
    for other in [samples(Wiggle(seed: 2), count: 40_000), samples(Wiggle(seed: 1), count: 40_000, number: 1)] {
      let product = zip(base, other).reduce(0) { $0 + $1.0 * $1.1 }
      let power = base.reduce(0) { $0 + $1 * $1 }
      #expect(base != other && abs(product / power) < 0.15, "\(product / power)")
    }
  }

  /// Zeros, and a plain Fourier transform with a sine window.
  @Test(arguments: [1, 42] as [UInt64]) func spectrum_isAroundTheFrequency(_ seed: UInt64) {
    let frequency = 3.0
    let values = samples(Wiggle(frequency: frequency, seed: seed), count: 30_000)
    let zeros = zip(values, values.dropFirst()).filter { ($0 > 0) != ($1 > 0) }.count
    #expect(abs(Double(zeros) / 2 / (30_000 * Self.step) / frequency - 1) < 0.1)
    var (power, moment, high) = (0.0, 0.0, 0.0)
    for bin in stride(from: 0.2, to: 12, by: 0.4) {
      for block in 0..<10 {
        var (real, imaginary) = (0.0, 0.0)
        for index in 0..<3000 {
          let value = values[block * 3000 + index] * sin(.pi * Double(index) / 3000)
          real += value * cos(2 * .pi * bin * Double(index) * Self.step)
          imaginary += value * sin(2 * .pi * bin * Double(index) * Self.step)
        }
        let squared = real * real + imaginary * imaginary
        (power, moment) = (power + squared, moment + squared * bin)
        if bin > 2 * frequency { high += squared }
      }
    }
    #expect(abs(moment / power / frequency - 1) < 0.25 && high / power < 0.05, "\(moment / power) \(high / power)")
  }

  @Test func animation_addsToTheValueUnderIt() {
    var model = Layer(frame: Rect(x: 0, y: 0, width: 10, height: 10))
    model.position = Point(x: 100, y: 50)
    let wiggle = Wiggle(frequency: 4, seed: 9)
    let timing = LayerTiming(beginTime: 1)
    let swing = Animation(.wiggle(.position, by: .point(x: 6, y: 3), wiggle), timing: timing)
    let width = Animation(.wiggle(.borderWidth, by: .number(5), wiggle), timing: timing)
    for time in stride(from: 0, to: 20, by: 0.37) {
      var layer = model
      for animation in [swing, width] { animation.apply(to: &layer, model: model, at: time) }
      let (x, y) = time < 1 ? (0, 0) : (wiggle.value(at: time - 1), wiggle.value(at: time - 1, number: 1))
      #expect(layer.position == Point(x: 100 + 6 * x, y: 50 + 3 * y))
      #expect(layer.borderWidth == max(5 * x, 0))
    }
  }

  @Test func animation_asJSON_isReadAndWritten() throws {
    let text = #"{ "property": "transform.scale", "by": [0.1, 0.2], "wiggle": { "frequency": 3, "seed": 4 } }"#
    let animation = try JSONDecoder().decode(Animation.self, from: Data(text.utf8))
    #expect(animation.kind == .wiggle(.scale, by: .numbers([0.1, 0.2]), Wiggle(frequency: 3, seed: 4)))
    #expect(try JSONDecoder().decode(Animation.self, from: JSONEncoder().encode(animation)) == animation)
    for wrong in [
      #"{ "property": "opacity", "by": 1, "wiggle": { "frequency": 0 } }"#, #"{ "property": "opacity", "wiggle": {} }"#,
      #"{ "property": "position", "by": 1, "wiggle": {} }"#, #"{ "property": "text.string", "by": "x", "wiggle": {} }"#,
    ] {
      #expect(throws: (any Error).self, "\(wrong)") { try JSONDecoder().decode(Animation.self, from: Data(wrong.utf8)) }
    }
  }
}
