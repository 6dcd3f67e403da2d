package import CompositorAPI
package import CompositorPlugins

extension Timeline {
  /// Checks that no transition is by an effect, which changes one clip: it would change the old one, and then cut.
  ///
  /// - Throws: `.invalidValue`, located at the transition (`tracks[0].clips[2].transition`).
  package func checkTransitions(in registry: CompositorRegistry) throws(CompositorError) {
    for (track, content) in tracks.enumerated() {
      for (index, clip) in content.clips.enumerated() {
        guard let id = clip.transition?.kind.compositor, registry[id]?.descriptor.role == .effect else { continue }
        throw CompositorError(
          .invalidValue, "\(quoted(id.rawValue)) is an effect, which changes one clip: it is no transition.",
          recoverySuggestion: "Use it as an effect of a clip, and name a transition here.",
          at: ErrorLocation(path: "tracks[\(track)].clips[\(index)].transition"))
      }
    }
  }
}
