import CompositorAPI
import Foundation
import Testing

/// Penner's equations, as easings.net publishes them, each written out.
@Suite struct PennerEasingTests {
  static let formulas: [(name: String, formula: @Sendable (Double) -> Double)] = [
    ("back-in", { x in 2.70158 * x * x * x - 1.70158 * x * x }),
    ("back-out", { x in 1 + 2.70158 * pow(x - 1, 3) + 1.70158 * pow(x - 1, 2) }),
    (
      "back-in-out",
      { x in
        let c = 1.70158 * 1.525
        return x < 0.5
          ? pow(2 * x, 2) * ((c + 1) * 2 * x - c) / 2 : (pow(2 * x - 2, 2) * ((c + 1) * (x * 2 - 2) + c) + 2) / 2
      }
    ),
    ("elastic-in", { x in x == 0 || x == 1 ? x : -pow(2, 10 * x - 10) * sin((x * 10 - 10.75) * (2 * .pi / 3)) }),
    ("elastic-out", { x in x == 0 || x == 1 ? x : pow(2, -10 * x) * sin((x * 10 - 0.75) * (2 * .pi / 3)) + 1 }),
    (
      "elastic-in-out",
      { x in
        if x == 0 || x == 1 { return x }
        let wave = sin((20 * x - 11.125) * (2 * .pi / 4.5))
        return x < 0.5 ? -(pow(2, 20 * x - 10) * wave) / 2 : pow(2, -20 * x + 10) * wave / 2 + 1
      }
    ),
    ("bounce-out", bounceOut), ("bounce-in", { x in 1 - bounceOut(1 - x) }),
    ("bounce-in-out", { x in x < 0.5 ? (1 - bounceOut(1 - 2 * x)) / 2 : (1 + bounceOut(2 * x - 1)) / 2 }),
  ]

  @Sendable private static func bounceOut(_ x: Double) -> Double {
    let (n, d) = (7.5625, 2.75)
    if x < 1 / d { return n * x * x }
    if x < 2 / d { return n * (x - 1.5 / d) * (x - 1.5 / d) + 0.75 }
    if x < 2.5 / d { return n * (x - 2.25 / d) * (x - 2.25 / d) + 0.9375 }
    return n * (x - 2.625 / d) * (x - 2.625 / d) + 0.984375
  }

  @Test func value_ofEveryEquation_isThePublishedFormula() throws {
    #expect(Self.formulas.count == Easing.Equation.allCases.count * Easing.Direction.allCases.count)
    for (name, formula) in Self.formulas {
      let easing = try #require(Easing(name))
      #expect(easing.description == name && Easing.names.contains(name))
      for step in 0...2000 {
        let x = Double(step) / 2000
        #expect(abs(easing.value(at: x) - formula(x)) < 1e-12, "\(name) at \(x)")
      }
      #expect(easing.value(at: -1) == 0 && easing.value(at: 0) == 0 && easing.value(at: 1) == 1 && easing.value(at: 2) == 1)
    }
  }

  @Test(arguments: [
    ("back-in", -0.1, 1.0), ("back-out", 0, 1.1), ("back-in-out", -0.1, 1.1), ("elastic-in", -0.373, 1),
    ("elastic-out", 0, 1.373),
    ("elastic-in-out", -0.118, 1.118), ("bounce-in", 0, 1), ("bounce-out", 0, 1), ("bounce-in-out", 0, 1),
  ]) func range_ofEveryEquation_isThePublishedOne(_ name: String, _ low: Double, _ high: Double) throws {
    let easing = try #require(Easing(name))
    let values = (0...10_000).map { easing.value(at: Double($0) / 10_000) }
    #expect(abs((values.min() ?? 9) - low) < 1e-3 && abs((values.max() ?? 9) - high) < 1e-3)
  }
}
