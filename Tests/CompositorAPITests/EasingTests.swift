import CompositorAPI
import Foundation
import Testing

struct EasingTests {
  /// Control points of CSS's own curves, of ones that overshoot, and of the steepest and flattest there are.
  static let curves: [[Double]] = [
    [0.25, 0.1, 0.25, 1], [0.42, 0, 1, 1], [0, 0, 0.58, 1], [0.42, 0, 0.58, 1], [0.34, 1.56, 0.64, 1], [0.36, 0, 0.66, -0.56],
    [0.25, 0, 0.75, 1], [0.9, 0.1, 0.1, 0.9], [0, 1, 1, 0], [1, 0, 0, 1], [0, 0, 0, 1], [1, 2, 1, -1], [0, 0, 1, 1],
  ]

  /// A coordinate in Bernstein's form, which the implementation does not use.
  private static func bernstein(_ p: Double, _ q: Double, _ s: Double) -> Double {
    3 * s * (1 - s) * (1 - s) * p + 3 * s * s * (1 - s) * q + s * s * s
  }

  /// y for an x by halving alone.
  private static func bisected(_ p: [Double], _ x: Double) -> (y: Double, slope: Double) {
    var (low, high) = (0.0, 1.0)
    for _ in 0..<200 {
      let middle = (low + high) / 2
      if bernstein(p[0], p[2], middle) < x { low = middle } else { high = middle }
    }
    let s = (low + high) / 2
    return (bernstein(p[1], p[3], s), 3 * (1 - s) * (1 - s) * p[0] + 6 * s * (1 - s) * (p[2] - p[0]) + 3 * s * s * (1 - p[2]))
  }

  @Test(arguments: curves) func bezier_atEveryProgress_isWhatHalvingFinds(points: [Double]) {
    let easing = Easing.cubicBezier(x1: points[0], y1: points[1], x2: points[2], y2: points[3])
    for step in 0...1000 {
      let x = Double(step) / 1000
      let (y, slope) = Self.bisected(points, x)
      // Where x is constant, y cannot be derived from x more precisely than this.
      guard slope > 0.01 else { continue }
      #expect(abs(easing.value(at: x) - y) <= 1e-12 * max(1, 1 / slope), "\(easing) \(x)")
    }
    #expect(easing.value(at: 0) == 0 && easing.value(at: 1) == 1)
    #expect(easing.value(at: -3) == 0 && easing.value(at: 7) == 1)
  }

  /// Published points of cubic-bezier(.25, 0, .75, 1) (Chromium, cc/timing_function_unittest.cc, tolerance 1.5e-4 there).
  @Test func bezier_atThePublishedPoints_agrees() {
    let table: [(Double, Double)] = [
      (0, 0), (0.05, 0.01136), (0.1, 0.03978), (0.15, 0.079780), (0.2, 0.12803), (0.25, 0.18235), (0.3, 0.24115),
      (0.35, 0.30323), (0.4, 0.36761), (0.45, 0.43345), (0.5, 0.5), (0.6, 0.63238), (0.65, 0.69676), (0.7, 0.75884),
      (0.75, 0.81764), (0.8, 0.87196), (0.85, 0.92021), (0.9, 0.96021), (0.95, 0.98863), (1, 1),
    ]
    let easing = Easing.cubicBezier(x1: 0.25, y1: 0, x2: 0.75, y2: 1)
    for (x, y) in table { #expect(abs(easing.value(at: x) - y) < 1.5e-4) }
  }

  /// CSS Easing Level 1, section 2.3, in integers: progress k/m is exact there.
  @Test(arguments: Easing.Jump.allCases) func steps_atEveryFraction_jumpAsTheSpecificationSays(jump: Easing.Jump) {
    for count in (jump == .none ? 2 : 1)...49 {
      for whole in [1, 2, 7, count, 3 * count, 97] {
        for part in 0...whole {
          var step = part * count / whole
          if jump == .start || jump == .both { step += 1 }
          let jumps = jump == .both ? count + 1 : jump == .none ? count - 1 : count
          let expected = Double(min(step, jumps)) / Double(jumps)
          #expect(Easing.steps(count, jump).value(at: Double(part) / Double(whole)) == expected, "\(part)/\(whole) of \(count)")
        }
      }
    }
  }

  @Test func text_ofEveryForm_isReadAndWritten() {
    let texts: [(String, Easing, String)] = [
      ("linear", .linear, "linear"), ("ease", .ease, "ease"), ("ease-in", .easeIn, "ease-in"),
      ("ease-out", .easeOut, "ease-out"),
      ("ease-in-out", .easeInOut, "ease-in-out"), (" ease ", .ease, "ease"),
      ("cubic-bezier(0.25,.1,0.25,1)", .ease, "ease"),
      (
        "cubic-bezier( 0.1 , -2 , 1e-1 , 3.5 )", .cubicBezier(x1: 0.1, y1: -2, x2: 0.1, y2: 3.5),
        "cubic-bezier(0.1, -2, 0.1, 3.5)"
      ),
      ("steps(4)", .steps(4, .end), "steps(4, jump-end)"), ("steps(4, end)", .steps(4, .end), "steps(4, jump-end)"),
      ("steps(3, start)", .steps(3, .start), "steps(3, jump-start)"),
      ("steps(2, jump-none)", .steps(2, .none), "steps(2, jump-none)"),
      ("steps(5,jump-both)", .steps(5, .both), "steps(5, jump-both)"), ("step-start", .steps(1, .start), "step-start"),
      ("steps(1)", .steps(1), "step-end"),
    ]
    for (text, easing, written) in texts {
      #expect(Easing(text) == easing, "\(text)")
      #expect(easing.description == written && Easing(written) == easing, "\(text)")
    }
    for points in Self.curves {
      let easing = Easing.cubicBezier(x1: points[0], y1: points[1], x2: points[2], y2: points[3])
      #expect(Easing(easing.description) == easing)
    }
  }

  @Test(arguments: [
    "", "Linear", "easein", "ease -in", "easeIn", "cubic-bezier", "cubic-bezier()", "cubic-bezier(1, 2, 3)",
    "cubic-bezier(0,0,1,1,0)",
    "cubic-bezier(-0.1, 0, 1, 1)", "cubic-bezier(0, 0, 1.1, 1)", "cubic-bezier(nan, 0, 1, 1)", "cubic-bezier(0, inf, 1, 1)",
    "cubic-bezier(0x0, 0, 1, 1)", "cubic-bezier(0 0 1 1)", "steps()", "steps(0)", "steps(-1)", "steps(1.5)",
    "steps(1, jump-none)",
    "steps(2, middle)", "steps(2, jump-end, 3)", "steps(99999999999999999999)", "linear()", "linear(0,)", "linear(0 1)",
    "linear(0, 1px)",
    "linear(10% 0 20%)", "linear(0 10% 20% 30%)", "linear(0 %, 1)", "linear(0, nan)", "linear(0%, 100%)", "linear 0, 1",
    "bounce", "out-bounce", "elasticIn", "back-in-", "quad-in",
  ]) func text_thatIsNoEasing_isRefused(text: String) {
    #expect(Easing(text) == nil)
  }

  @Test func easing_asJSON_isItsText() throws {
    let texts = [
      "linear", "ease-in", "step-start", "cubic-bezier(0.1, 0.2, 0.3, 0.4)", "steps(4, jump-end)", "bounce-in-out", "back-in",
      "linear(0 0%, 1.25 33.3%, 1 100%)",
    ]
    for text in texts {
      let easing = try JSONDecoder().decode(Easing.self, from: Data("\"\(text)\"".utf8))
      #expect(easing.description == text)
      #expect(try JSONEncoder().encode(easing) == Data("\"\(text)\"".utf8))
    }
    for wrong in [#""jerk""#, #""easeIn""#, #""default""#, "[0, 0, 1, 1]", #"{"steps":4}"#, "7", "null"] {
      #expect(throws: (any Error).self, "\(wrong)") { try JSONDecoder().decode(Easing.self, from: Data(wrong.utf8)) }
    }
  }

  @Test func overshooting_extrapolatesNumbers() {
    let easing = Easing.cubicBezier(x1: 0.34, y1: 1.56, x2: 0.64, y2: 1)
    let high = easing.value(at: 0.5)
    #expect(high > 1.05)
    #expect(10.0.interpolated(to: 20, fraction: high) == 10 + 10 * high)
    #expect(AffineMatrix.identity.interpolated(to: .translation(x: 8, y: 0), fraction: high).tx == 8 * high)
    #expect(ParameterValue.number(0).interpolated(to: .number(2), fraction: high) == .number(2 * high))
    #expect(ParameterValue.string("a").interpolated(to: .string("b"), fraction: high) == .string("b"))
    #expect(ParameterValue.string("a").interpolated(to: .string("b"), fraction: -0.5) == .string("a"))
  }

  @Test func blendModes_areReadAndWrittenInKebabCase() throws {
    func read(_ name: String) throws -> BlendMode { try JSONDecoder().decode(BlendMode.self, from: Data("\"\(name)\"".utf8)) }
    for mode in BlendMode.allCases {
      #expect(try read(mode.rawValue) == mode)
      #expect(String(decoding: try JSONEncoder().encode(mode), as: UTF8.self) == "\"\(mode.rawValue)\"")
      #expect(!mode.rawValue.contains { $0.isUppercase })
    }
    for wrong in ["colorDodge", "color_dodge"] { #expect(throws: DecodingError.self) { try read(wrong) } }
  }
}
