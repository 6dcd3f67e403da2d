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

  /// Keyframes of a layer are those of clips: in its own time and in degrees, held before and after.
  @Test func keyframesOfALayer_areAnAnimation() {
    let layer = Layer(text: "a", size: 10).animated(
      .rotation,
      [
        Keyframe(time: .seconds(1), value: 0, easing: .easeIn), Keyframe(time: .seconds(2), value: 90),
        Keyframe(time: .seconds(5), value: 180),
      ])
    var frames = Keyframes([0, .number(90 * .pi / 180), .number(180 * .pi / 180)], keyTimes: [0, 0.25, 1])
    frames.easings = [.easeIn, .linear]
    #expect(
      layer.animations == [.keyframes(.rotation, frames, timing: LayerTiming(beginTime: 1, duration: 4, fillMode: .both))])
    let still = Layer(text: "a", size: 10).animated(.opacity, [Keyframe(time: .seconds(1), value: 0.5)])
    #expect(
      still.animations == [.basic(.opacity, from: 0.5, to: 0.5, timing: LayerTiming(beginTime: 1, fillMode: .both))])
    #expect(Layer().animated(.opacity, []) == Layer())
  }

  @Test func ramp_hasTwoKeyframes() {
    let ramp = Animated<Double>.ramp(from: 0, to: 1, at: .seconds(1), for: .seconds(2), easing: .easeOut)
    #expect(
      ramp == .keyframes([Keyframe(time: .seconds(1), value: 0, easing: .easeOut), Keyframe(time: .seconds(3), value: 1)]))
  }
}
