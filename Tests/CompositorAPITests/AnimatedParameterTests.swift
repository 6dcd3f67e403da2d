import CompositorAPI
import Foundation
import Testing

/// Values of parameters between keyframes.
@Suite struct AnimatedParameterTests {
  private static func list(_ numbers: Double...) -> ParameterValue { .list(numbers.map { .number($0) }) }

  private static let quarters: [(ParameterValue, ParameterValue, ParameterValue)] = [
    (ParameterValue.number(2), ParameterValue.number(4), ParameterValue.number(2.5)),
    (.integer(2), .integer(4), .number(2.5)),
    (.point(Point(x: 0, y: 100)), .point(Point(x: 40, y: 0)), list(10, 75)),
    (
      .color(Color(red: 1, green: 0, blue: 0)), .color(Color(red: 0, green: 0.5, blue: 1, alpha: 0)),
      list(0.75, 0.125, 0.25, 0.75)
    ),
    // Three numbers are an opaque color, on either side.
    (list(0, 0, 0), list(1, 1, 1, 0), list(0.25, 0.25, 0.25, 0.75)),
    (list(0, 0, 0, 0), list(1, 1, 1), list(0.25, 0.25, 0.25, 0.25)),
    // What has nothing between holds.
    (.string("a"), .string("b"), .string("a")), (.bool(false), .bool(true), .bool(false)), (list(1, 2), .number(3), list(1, 2)),
  ]

  @Test(arguments: quarters)
  func valueAQuarterOfTheWay_isLinearInEachComponent(_ from: ParameterValue, _ to: ParameterValue, _ expected: ParameterValue) {
    #expect(from.interpolated(to: to, fraction: 0.25) == expected)
    #expect(from.interpolated(to: to, fraction: 0) == from)
    #expect(from.interpolated(to: to, fraction: 1) == to)
  }

  @Test func setting_takesValuesAtATime_roundsIntegersAndKnowsOtherNames() throws {
    var steps = PropertyTimeline(default: ParameterValue.integer(1))
    try steps.setRamp(
      from: .integer(1), to: .integer(4), timeRange: TimeRange(start: .zero, duration: MediaTime(value: 3, timescale: 1)))
    var count = ParameterDescription(
      "count", .integer(minimum: 1, maximum: 9), default: .integer(1), isAnimatable: true, summary: "")
    count.aliases = ["n"]
    let fixed: ParameterValues = ["count": .integer(1), "mode": .string("round")]
    for (time, expected) in [(0.0, 1), (0.49, 1), (0.51, 2), (2.6, 4), (9, 4)] {
      let values = fixed.setting(["n": steps], at: MediaTime(seconds: time, preferredTimescale: 600), schema: [count])
      guard case .integer(let number)? = values["count"] else {
        Issue.record("\(values)")
        continue
      }
      #expect(number == expected && values["n"] == nil && values["mode"] == .string("round"), "\(time)")
    }
  }

  /// What was written before points and colors could change is read as it was.
  @Test func timelines_ofNumbers_areReadAndWritten() throws {
    let text = #"{ "amount": { "defaultValue": 1.5, "ramps": [] }, "at": { "defaultValue": [3, 4], "ramps": [] } }"#
    let read = try JSONDecoder().decode(AnimatedParameters.self, from: Data(text.utf8))
    #expect(read["amount"]?.defaultValue == .number(1.5) && read["at"]?.defaultValue.point == Point(x: 3, y: 4))
    #expect(try JSONDecoder().decode(AnimatedParameters.self, from: JSONEncoder().encode(read)) == read)
  }

  @Test func kinds_sayWhichCanChange() {
    let kinds: [(ParameterDescription.Kind, Bool)] = [
      (.bool, false), (.integer(minimum: 0, maximum: 1), true), (.number(minimum: 0, maximum: 1, unit: ""), true),
      (.string, false),
      (.expression, true), (.choice(["a"]), false), (.color, true), (.point, true), (.textFile(maximumByteCount: 1), false),
    ]
    for (kind, canChange) in kinds {
      #expect(ParameterDescription("x", kind, isAnimatable: true, summary: "").canChange == canChange, "\(kind)")
      #expect(!ParameterDescription("x", kind, summary: "").canChange)
    }
  }
}
