import CompositorAPI
import CompositorTimeline
import Testing

/// Short forms of what timelines are made of.
@Suite struct TimelineBuilderTests {
  @Test func effect_byItsName_isThatOfItsCompositor() throws {
    let blur = try TimelineEffectUse.named("gaussian-blur", ["radius": .number(8)])
    #expect(blur == TimelineEffectUse("builtin.gaussian-blur", parameters: ["radius": .number(8)]))
    #expect(try .named("builtin.gaussian-blur") == TimelineEffectUse("builtin.gaussian-blur"))
    #expect(try .named("org.example.glow") == TimelineEffectUse("org.example.glow"))
    let error = try #require(throws: CompositorError.self) { _ = try TimelineEffectUse.named("gausian-blur") }
    #expect(error.code == .invalidValue && error.recoverySuggestion?.contains("gaussian-blur") == true)
  }

  @Test func ramp_hasTwoKeyframes() {
    let ramp = Animated<Double>.ramp(from: 0, to: 1, at: .seconds(1), for: .seconds(2), easing: .easeOut)
    #expect(
      ramp == .keyframes([Keyframe(time: .seconds(1), value: 0, easing: .easeOut), Keyframe(time: .seconds(3), value: 1)]))
  }
}
