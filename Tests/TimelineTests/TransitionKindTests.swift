import CompositorAPI
import CompositorTimeline
import Testing

/// A transition is a compositor with its parameters, however it is made.
@Suite struct TransitionKindTests {
  /// A built-in transition is one thing, by its name and by its compositor: clips of other tracks may be above it.
  @Test func builtinTransition_byItsCompositor_isTheNamedOne() throws {
    #expect(
      Transition.push(.up, ProjectTimelineTests.seconds(1), easing: .easeInOut).kind
        == .compositor("builtin.push", ["direction": .string("up"), "easing": .string("ease-in-out")]))
    let named = try Transition.named("wipe", ProjectTimelineTests.seconds(1))
    #expect(named == .compositor("builtin.wipe", ProjectTimelineTests.seconds(1)))
    let lower = TimelineTrack(clips: [ProjectTimelineTests.clip("a"), ProjectTimelineTests.clip("b", transition: named)])
    let edit = try ProjectTimelineTests.timeline([lower, TimelineTrack(clips: [ProjectTimelineTests.clip("c")])]).edit { _ in
      ProjectTimelineTests.media()
    }
    let wipe = try #require(edit.videoComposition.instructions.first { $0.compositor == "builtin.wipe" })
    #expect(wipe.additionalTrackIDs.count == 2 && wipe.layers.count == 3)
  }

  @Test func easing_ofATransition_isAParameterOfItsCompositor() {
    var transition = Transition(.dissolve, duration: ProjectTimelineTests.seconds(1))
    #expect(transition.easing == .linear && transition.kind == .dissolve)
    for easing in [Easing.easeIn, .cubicBezier(x1: 0.1, y1: 1.0 / 3, x2: 0.7, y2: -0.2), .steps(3, .both), .linear] {
      transition.easing = easing
      #expect(transition.easing == easing)
    }
    #expect(transition.kind == .dissolve)
  }
}
