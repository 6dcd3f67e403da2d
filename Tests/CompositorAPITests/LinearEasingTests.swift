import CompositorAPI
import Testing

/// CSS's `linear(…)`, by the examples of CSS Easing Functions Level 2 and a plain reading of its algorithm.
@Suite struct LinearEasingTests {
  /// What the specification and the tests of browsers (web-platform-tests, css-easing) say that a function serializes as.
  @Test(arguments: [
    ("linear(0, 0.25, 1)", "linear(0 0%, 0.25 50%, 1 100%)"),
    ("linear(0 20%, 0.5 10%, 1)", "linear(0 20%, 0.5 20%, 1 100%)"),
    ("linear(0, 0.25 25% 75%, 1)", "linear(0 0%, 0.25 25%, 0.25 75%, 1 100%)"),
    ("linear(0 0% 50%, 1 50% 100%)", "linear(0 0%, 0 50%, 1 50%, 1 100%)"),
    ("linear(0, 0.5 25% 75%, 1 100% 100%)", "linear(0 0%, 0.5 25%, 0.5 75%, 1 100%, 1 100%)"),
    ("linear(1 100%, 0 0%)", "linear(1 100%, 0 100%)"), ("linear(0, 1, 0)", "linear(0 0%, 1 50%, 0 100%)"),
    ("linear(0, 0.2 60% 10%, 1)", "linear(0 0%, 0.2 60%, 0.2 60%, 1 100%)"),
    ("linear(0, 0.1 -10%, 1)", "linear(0 0%, 0.1 0%, 1 100%)"), ("linear(1, -0.5, 0)", "linear(1 0%, -0.5 50%, 0 100%)"),
    ("linear(0, 1 120%, 2, 3)", "linear(0 0%, 1 120%, 2 120%, 3 120%)"),
    ("linear(0 -50%, 1 150%)", "linear(0 -50%, 1 150%)"), ("linear(.5)", "linear(0.5 0%)"),
    ("linear(25% 75% .25, 50% 1)", "linear(0.25 25%, 0.25 75%, 1 75%)"),
    (" linear( 0 ,1  50%,  1 ) ", "linear(0 0%, 1 50%, 1 100%)"),
  ]) func text_ofEveryForm_isWrittenWithAllPositions(_ text: String, _ written: String) throws {
    let easing = try #require(Easing(text))
    #expect(easing.description == written)
    #expect(Easing(written) == easing)
  }

  @Test(
    arguments: [
      (
        "linear(0, 0.25 25% 75%, 1)", [(0, 0), (0.125, 0.125), (0.25, 0.25), (0.5, 0.25), (0.75, 0.25), (0.875, 0.625), (1, 1)]
      ),
      ("linear(0, .8 50%, 1)", [(0.25, 0.4), (0.5, 0.8), (0.75, 0.9)]),
      // At a jump the last stop counts.
      ("linear(0 50%, 1 50%)", [(0, 0), (0.49, 0), (0.5, 1), (1, 1)]),
      ("linear(0 0% 50%, 1 50% 100%)", [(0, 0), (0.499, 0), (0.5, 1), (1, 1)]),
      ("linear(1 0% 50%, 0 50% 100%)", [(0, 1), (0.499, 1), (0.5, 0), (1, 0)]),
      ("linear(.5)", [(0, 0.5), (0.3, 0.5), (1, 0.5)]),
      // Beyond its stops the nearest line continues.
      ("linear(0 25%, 1 75%)", [(0, -0.5), (0.25, 0), (0.5, 0.5), (1, 1.5)]),
      ("linear(0, 1 50% 50%)", [(0.25, 0.5), (0.75, 1)]),
      ("linear(0 -50%, 1 150%)", [(0, 0.25), (0.5, 0.5), (1, 0.75)]),
      ("linear(1, -0.5, 0)", [(0.25, 0.25), (0.5, -0.5), (0.75, -0.25)]),
      ("linear(0, 1.5, 1)", [(0.25, 0.75), (0.5, 1.5), (0.75, 1.25)]),
    ] as [(String, [(Double, Double)])]) func value_atAProgress_isThatOfTheSpecification(
      _ text: String, _ table: [(Double, Double)]
    ) throws
  {
    let easing = try #require(Easing(text))
    for (progress, value) in table { #expect(abs(easing.value(at: progress) - value) < 1e-12, "\(text) at \(progress)") }
  }

  /// The specification's algorithm, step by step, over many random lists.
  @Test func value_ofRandomStops_isThatOfAPlainReading() throws {
    var generator = SplitMix(state: 38)
    for _ in 0..<300 {
      let stops = (0..<Int(generator.next() % 7 + 1)).map { _ in
        (
          value: Double(generator.next() % 300) / 100 - 1,
          percents: (0..<generator.next() % 3).map { _ in Double(generator.next() % 130) - 10 }
        )
      }
      let text = stops.map { stop in ([stop.value.description] + stop.percents.map { "\($0)%" }).joined(separator: " ") }
      let easing = try #require(Easing("linear(\(text.joined(separator: ", ")))"))
      let points = Self.points(stops)
      for step in 0...101 {
        let progress = min(Double(step) / 100 + 0.0003, 1)
        let (found, wanted) = (easing.value(at: progress), Self.value(points, at: progress))
        #expect(abs(found - wanted) < 1e-6 * max(1, abs(wanted)), "\(easing) at \(progress)")
      }
    }
  }

  private static func points(_ stops: [(value: Double, percents: [Double])]) -> [(input: Double, output: Double)] {
    var inputs: [Double?] = []
    var outputs: [Double] = []
    for stop in stops {
      inputs += stop.percents.isEmpty ? [nil] : stop.percents.map { $0 / 100 }
      outputs += Array(repeating: stop.value, count: max(stop.percents.count, 1))
    }
    inputs[0] = inputs[0] ?? 0
    inputs[inputs.count - 1] = inputs[inputs.count - 1] ?? 1
    for index in inputs.indices {
      guard let input = inputs[index] else { continue }
      inputs[index] = max(input, inputs[..<index].compactMap { $0 }.max() ?? input)
    }
    return inputs.indices.map { index in
      if let input = inputs[index] { return (input, outputs[index]) }
      let before = inputs[..<index].lastIndex { $0 != nil } ?? 0
      let after = inputs[index...].firstIndex { $0 != nil } ?? 0
      let (start, end) = (inputs[before] ?? 0, inputs[after] ?? 0)
      return (start + (end - start) * Double(index - before) / Double(after - before), outputs[index])
    }
  }

  private static func value(_ points: [(input: Double, output: Double)], at progress: Double) -> Double {
    guard points.count > 1 else { return points[0].output }
    if let last = points.last(where: { $0.input == progress }) { return last.output }
    var (a, b) = (points[0], points[1])
    if progress < points[0].input {
      if a.input == b.input { return a.output }
    } else if progress > points[points.count - 1].input {
      (a, b) = (points[points.count - 2], points[points.count - 1])
      if a.input == b.input { return b.output }
    } else {
      a = points.last { $0.input < progress } ?? a
      b = points.first { $0.input > progress } ?? b
    }
    return a.output + (b.output - a.output) * (progress - a.input) / (b.input - a.input)
  }

  @Test func stops_outOfOrder_areRefused() {
    for stops in [[], [Easing.Stop(0, percent: 50), Easing.Stop(1, percent: 40)], [Easing.Stop(.infinity, percent: 0)]] {
      #expect(throws: CompositorError.self) { try Easing.linearStops(stops).requireUsable() }
    }
  }
}
