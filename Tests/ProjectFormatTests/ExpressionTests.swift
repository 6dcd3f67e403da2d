import CompositorAPI
import CompositorMedia
import CompositorProjectFormat
import CompositorTestSupport
import CompositorTimeline
import Foundation
import Testing

/// Expressions with units in the values of a project, with variables and without.
@Suite struct ExpressionTests {
  private static func timeline(
    clip: String = "", titles: String = "", variables: String = "{}"
  ) throws -> Timeline {
    let text = """
      { version: 1, variables: \(variables), output: { size: "640x360", frameRate: 25 },
        assets: { a: { generate: "bars", size: "640x360", duration: "60s" } },
        tracks: [{ clips: [{ asset: "a", \(clip) }] }], titles: [\(titles)] }
      """
    return try ProjectFile(text, name: "p").timeline(catalog: MediaCatalog())
  }

  private static func clip(_ clip: String, variables: String = "{}") throws -> TimelineClip {
    try #require(try timeline(clip: clip, variables: variables).tracks.first?.clips.first)
  }

  /// The tree of a title with some keys of its layer.
  private static func layer(_ keys: String, variables: String = "{}") throws -> Layer {
    let timeline = try timeline(titles: "{ layer: { bounds: [100, 100], \(keys) } }", variables: variables)
    guard case .layer(let tree)? = timeline.titles.first?.content else { throw CompositorError(.invalidValue, "no tree") }
    return tree
  }

  @Test(arguments: [
    ("4s - 0.5s", 7, 2), ("4s / 2", 2, 1), ("(3 + 1) * 0.25s", 1, 1), ("0.25s * (3 + 1)", 1, 1), ("2s - 12f", 38, 25),
    ("1001/30000 * 3", 1001, 10000), ("00:00:02:12 - 5f", 57, 25), ("1f / 2", 1, 50), ("-1s + 3s", 2, 1), ("-(1s - 3s)", 2, 1),
    // Nothing is rounded on the way.
    ("10s / 3", 10, 3), ("10s / 3 * 3", 10, 1), ("0.1s + 0.2s", 3, 10), ("1s / 3 + 1s / 6", 1, 2),
    ("1s + 2 * 3s", 7, 1), ("12s / 2 / 3", 2, 1), ("10s - 2s - 3s", 5, 1), ("2s - 0", 2, 1), ("500ms * 2", 1, 1),
    ("${d} - 0.5s", 3, 1), ("${d} / 2", 7, 4), ("(${n} + 1) * 0.25s", 1, 1), ("${d}", 7, 2), ("${sum} / 2", 3, 4),
    ("${sum}", 3, 2), ("${d} - ${sum}", 2, 1), ("0.${n}s * 2", 3, 5),
  ])
  func time_ofAnExpression_isExact(text: String, numerator: Int, denominator: Int) throws {
    let clip = try Self.clip(
      "duration: \"\(text)\"", variables: #"{ d: "3.5s", n: 3, sum: "2s - 0.5s" }"#)
    let time = try #require(clip.duration)
    #expect(Int(time.value) * denominator == numerator * Int(time.timescale), "\(text) is \(time)")
    #expect(!time.hasBeenRounded)
  }

  @Test(arguments: [
    ("1 / 4", 0.25), ("1 - 3 / 4", 0.25), ("(1 - 3 / 4) * 2", 0.5), ("1/2 + 1/4", 0.75), ("-0.5 * -1", 0.5),
    ("2 - -3 - 4.5", 0.5),
    ("${n} / 8", 0.375), ("1 - ${m}", 0.75),
  ])
  func number_ofAnExpression_isThatOfItsOperations(text: String, wanted: Double) throws {
    let clip = try Self.clip("opacity: \"\(text)\"", variables: "{ n: 3, m: 0.25 }")
    #expect(clip.opacity == .constant(wanted))
  }

  @Test func integer_speed_andParameters_takeExpressions() throws {
    let clip = try Self.clip(
      #"speed: "1 / 3", loop: "${n} + 1", effects: [{ use: "gaussian-blur", radius: "${n} * 1.5" }]"#, variables: "{ n: 2 }")
    #expect(clip.speed == .constant(Rational(1, 3)))
    #expect(clip.effects.first?.parameters["radius"] == .integer(3))
  }

  @Test(arguments: [
    ("100% - 4vmin", 640 - 14.4), ("100% - 20", 620), ("(100% - 20) / 2", 310), ("50vw + 50vh", 500), ("320 / 2", 160),
    ("2 * 25%", 320), ("${inset} * 2 + 1vmax", 26.4),
  ])
  func length_ofAnExpression_mixesPixelsAndPercent(text: String, wanted: Double) throws {
    let clip = try Self.clip("transform: { x: \"\(text)\" }", variables: "{ inset: 10 }")
    guard case .constant(let placement) = clip.placement else { throw CompositorError(.invalidValue, "animated") }
    #expect(abs((placement.x ?? .nan) - wanted) < 1e-9)
    let layer = try Self.layer("position: [\"\(text)\", 0]", variables: "{ inset: 10 }")
    #expect(abs(layer.position.x - wanted) < 1e-9)
  }

  @Test func layer_expressions_areThoseOfTheirKeys() throws {
    let layer = try Self.layer(
      #"""
      anchorPoint: ["1 / 4", "100% / 4"], opacity: "100% - 25%", zPosition: "3 * 2", cornerRadius: "10% / 2",
      transform: { rotationZ: "360 / 4" }, layout: { left: "50% - 12", bottom: "4 + 2vmin" },
      animations: [{ property: "opacity", from: "1 - 1", to: "50% + 50%", beginTime: "${duration} - 0.5s", duration: "12f + 0.02s" },
        { property: "transform.scale.x", from: "1 / 2", to: 1, duration: "1s" }]
      """#, variables: #"{ duration: "4s" }"#)
    #expect(layer.anchorPoint == Point(x: 0.25, y: 0.25) && layer.opacity == 0.75 && layer.zPosition == 6)
    #expect(abs(layer.transform.rotationZ - .pi / 2) < 1e-12)
    #expect(layer.layout?.left == LayoutLength(pixels: -12, fraction: 0.5))
    #expect(abs((layer.layout?.bottom?.pixels ?? 0) - 11.2) < 1e-9)
    #expect(layer.animations.first?.timing.beginTime == 3.5 && layer.animations.first?.timing.duration == 0.5)
  }

  /// Strings of other keys are taken as they are.
  @Test func string_ofAText_isNoExpression() throws {
    let timeline = try Self.timeline(titles: #"{ text: "2 * 3 = ${n} + 3", start: "1s + 1s" }"#, variables: "{ n: 3 }")
    let title = try #require(timeline.titles.first)
    #expect(title.start == .seconds(2))
    guard case .template(.title(let text), _) = title.content else { throw CompositorError(.invalidValue, "no text") }
    #expect(text == "2 * 3 = 3 + 3")
  }

  /// Each mistake is one error at the value, with what to write instead.
  @Test(arguments: [
    ("duration: $", "4s - 0.5", "0.5 has no unit", "\"0.5s\""), ("duration: $", "4s-0.5s", "no spaces", "4s - 0.5s"),
    ("duration: $", "2s * 3s", "Both factors", "0.5s"), ("duration: $", "4s / 1s", "divided by one with a unit", "4s / 2"),
    ("duration: $", "4s / (2 - 2)", "divided by 0", "another number"),
    ("duration: $", "2 * 3", "is 6, which has no unit", "unit"),
    ("duration: $", "2s + 50%", "\"50%\" is not a time", "2.5s"),
    ("duration: $", "2s + soon", "\"soon\" is not a time", "2.5s"),
    ("duration: $", "(2s + 1s", "is not closed", "\")\""), ("duration: $", "2s +", "no spaces", "4s - 0.5s"),
    ("duration: $", "2s * ", "value is missing", "after the operator"),
    ("duration: $", "2s * * 3", "value is missing before \"* 3\"", "number with its unit"),
    ("duration: $", "1s - 2s", "is -1 s, a negative time", "0 or more"),
    ("duration: $", "1s - 50f", "is -1 s, a negative time", "0 or more"),
    ("duration: $", "calc(2s - 1s)", "\"calc\" is no part", "without calc"),
    ("duration: $", "1s (2s)", "cannot follow", "spaces"),
    ("duration: $", "9999999999999s * 99999999", "too large", "fewer digits"),
    ("opacity: $", "1s / 2", "\"1s\" is a time", "without a unit"), ("opacity: $", "3 * 2", "6 is outside 0 to 1", "0 to 1"),
    ("videoTrack: $", "1 / 2", "is 1/2, not an integer", ""),
    ("transform: { x: $ }", "20px + 3", "\"20px\" has a unit", "without a unit"),
    ("transform: { x: $ }", "50% * 50%", "Both factors", ""), ("transform: { x: $ }", "2s * 2", "\"2s\" is a time", "50%"),
  ])
  func mistake_inAnExpression_isLocatedWithAdvice(key: String, text: String, message: String, advice: String) throws {
    let written = key.replacing("$", with: "\"\(text)\"")
    let error = try #require(throws: CompositorError.self) { _ = try Self.clip(written) }
    #expect(error.code == .invalidProject && error.message.contains(message), "\(error.message)")
    #expect(advice.isEmpty || error.recoverySuggestion?.contains(advice) == true, "\(error.recoverySuggestion ?? "")")
    #expect(error.location.path?.hasPrefix("tracks[0].clips[0].") == true && error.location.documents.first?.line == 3)
  }

  @Test func mistake_ofAVariable_namesIt() throws {
    let error = try #require(throws: CompositorError.self) {
      _ = try Self.clip(#"duration: "${d} - ${n}""#, variables: #"{ d: "4s", n: 2 }"#)
    }
    #expect(error.message == #"2 has no unit, and is added to a time or subtracted. Here "${d} - ${n}" is "4s - 2"."#)
  }

  @Test func expression_nestedTooDeepOrTooLong_isRefused() throws {
    for text in [String(repeating: "(", count: 100) + "1", "1" + String(repeating: " + 1", count: 300)] {
      let error = try #require(throws: CompositorError.self) { _ = try Self.clip("opacity: \"\(text)\"") }
      #expect(error.message.contains("nested too deep") || error.message.contains("longer than 1000"))
    }
  }
}
