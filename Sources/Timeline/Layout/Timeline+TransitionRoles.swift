package import CompositorAPI
package import CompositorPlugins

extension Timeline {
  /// Checks that no transition is by an effect, which changes one clip: it would change the old one, and then cut.
  ///
  /// - Throws: `.invalidValue`, located at the transition (`tracks[0].clips[2].transition`).
  package func checkTransitions(in registry: CompositorRegistry) throws(CompositorError) {
    if let error = transitionErrors(in: registry).first { throw error }
  }

  /// The error for each transition by an effect. O(n) in clips.
  package func transitionErrors(in registry: CompositorRegistry) -> [CompositorError] {
    var errors: [CompositorError] = []
    for (track, content) in tracks.enumerated() {
      for (index, clip) in content.clips.enumerated() {
        guard let id = clip.transition?.kind.compositor, registry[id]?.descriptor.role == .effect else { continue }
        errors.append(
          CompositorError(
            .invalidValue, "\(quoted(id.rawValue)) is an effect, which changes one clip: it is no transition.",
            recoverySuggestion: "Use it as an effect of a clip, and name a transition here.",
            at: ErrorLocation(path: "tracks[\(track)].clips[\(index)].transition")))
      }
    }
    return errors
  }
}
