import CompositorAPI
import CompositorPlugins

/// Checks for transitions by compositors that aren't told how far a transition is, and whose parameters don't change: one frame is made of
/// both clips in the same way all the time.
package enum StandingTransitions {
  /// Warnings about such transitions of a timeline whose instructions follow from its clips.
  static func diagnostics(of timeline: Timeline, tracks: TimelineTracks) -> [ValidationDiagnostic] {
    guard timeline.instructions == nil else { return [] }
    return tracks.clips.joined().compactMap { placed in
      guard let transition = placed.clip.transition, mayStand(transition), placed.transitionInEnd > placed.range.start
      else { return nil }
      return diagnostic(of: transition, placed)
    }
  }

  /// Whether a transition is by a plugin of frei0r, whose only inputs are frames and parameters, or by a built-in compositor for layers, and
  /// has the same parameters all the time.
  package static func mayStand(_ transition: Transition) -> Bool {
    let id = transition.kind.compositor
    guard transition.animatedParameters.isEmpty, transition.kind.layers == nil else { return false }
    return id.rawValue.hasPrefix("frei0r.") || CompositorRegistry.builtIn[id]?.descriptor.role == .compositor
  }

  private static func diagnostic(of transition: Transition, _ placed: PlacedClip) -> ValidationDiagnostic {
    let length = transition.duration.readable.replacing(" ", with: "")
    let keyframes = "[{ at: 0, value: 0 }, { at: \(quoted(length.contains("/") ? "1s" : length)), value: 1 }]"
    return ValidationDiagnostic(
      .effectUnchanging, severity: .warning,
      "\(quoted(transition.kind.compositor.rawValue)) isn't told how far the transition is, and its parameters don't change: it shows both clips "
        + "in the same way until it ends.",
      cause: "It mixes two layers, and goes from one to the other only as a parameter does.",
      recoverySuggestion: transition.kind.compositor == "frei0r.xfade0r"
        ? "Write parameters: { fader: \(keyframes) }."
        : "Give one of its parameters keyframes, such as \(keyframes), or use a transition, such as dissolve.",
      path: "\(placed.path).transition", timeRange: try? ExactRange(placed.range.start, placed.transitionInEnd).timeRange())
  }
}
