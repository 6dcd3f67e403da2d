/// The levels of audio in a tree, which are measured where the movie is known.
extension Layer {
  /// Calls the closure with each level of audio that an animation of the tree follows, with the clock of its layer (`nil` if the layer
  /// shows a time more than once) and its key path, and adds that path to errors thrown. Layers deeper than ``Layer/maximumDepth``
  /// aren't visited.
  package mutating func updateAudioLevels(
    _ body: (inout AudioLevel, LayerClock?, String) throws(CompositorError) -> Void
  ) throws(CompositorError) {
    guard followsAudio else { return }
    try updateAudioLevels(depth: 0, path: "", parent: LayerClock(), body)
  }

  /// Whether an animation of the tree follows audio.
  package var followsAudio: Bool { followsAudio(depth: 0) }

  private func followsAudio(depth: Int) -> Bool {
    guard depth <= Layer.maximumDepth else { return false }
    if animations.contains(where: \.followsAudio) { return true }
    if case .text(let text) = content, text.animators.contains(where: \.followsAudio) { return true }
    return sublayers.contains { $0.followsAudio(depth: depth + 1) } || mask?.followsAudio(depth: depth + 1) == true
      || transitionSource?.followsAudio(depth: depth + 1) == true
  }

  private mutating func updateAudioLevels(
    depth: Int, path: String, parent: LayerClock?,
    _ body: (inout AudioLevel, LayerClock?, String) throws(CompositorError) -> Void
  ) throws(CompositorError) {
    guard followsAudio(depth: depth) else { return }
    let (clock, start) = (parent?.inside(timing), path.isEmpty ? "" : path + ".")
    try animations.updateAudioLevels(clock, "\(start)animations", body)
    try updateAnimators(clock, start, body)
    // The layer of an emitter lives once for each particle.
    let inner: LayerClock? = if case .emitter = content { nil } else { clock }
    for index in sublayers.indices {
      try sublayers[index].updateAudioLevels(
        depth: depth + 1, path: "\(start)sublayers[\(index)]", parent: inner, body)
    }
    try mask?.updateAudioLevels(depth: depth + 1, path: start + "mask", parent: clock, body)
    try transitionSource?.updateAudioLevels(depth: depth + 1, path: start + "transitionSource", parent: clock, body)
  }

  private mutating func updateAnimators(
    _ clock: LayerClock?, _ start: String, _ body: (inout AudioLevel, LayerClock?, String) throws(CompositorError) -> Void
  ) throws(CompositorError) {
    guard case .text(var text) = content, text.animators.contains(where: \.followsAudio) else { return }
    for index in text.animators.indices {
      let place = "\(start)content.text.animators[\(index)]"
      try text.animators[index].animations.updateAudioLevels(clock, "\(place).animations", body)
      try text.animators[index].selector?.animations.updateAudioLevels(clock, "\(place).selector.animations", body)
    }
    content = .text(text)
  }

  /// Checks that no animation follows audio, in a tree that isn't one of a movie's titles.
  ///
  /// - Throws: `.invalidValue`, with the key path from the layer.
  package func requireNoAudioLevels() throws(CompositorError) {
    var layer = self
    try layer.updateAudioLevels { (level, _, _) throws(CompositorError) in
      guard level.curve == nil else { return }
      throw CompositorError(
        .invalidValue, "An animation follows the movie's audio in titles that don't belong to one movie.",
        recoverySuggestion: "Put the title among those of the movie itself.")
    }
  }
}

extension TextAnimator {
  fileprivate var followsAudio: Bool {
    animations.contains(where: \.followsAudio) || selector?.animations.contains(where: \.followsAudio) == true
  }
}

extension Animation {
  /// Whether it, or a member of its group, follows audio.
  package var followsAudio: Bool { leaves.contains { if case .audio = $0.kind { true } else { false } } }
}

extension [Animation] {
  fileprivate mutating func updateAudioLevels(
    _ clock: LayerClock?, _ path: String, _ body: (inout AudioLevel, LayerClock?, String) throws(CompositorError) -> Void
  ) throws(CompositorError) {
    for index in indices {
      guard case .audio(let property, let from, let to, var level) = self[index].kind else { continue }
      let place = "\(path)[\(index)].audio"
      do throws(CompositorError) {
        try body(&level, clock, place)
      } catch {
        throw error.within(place)
      }
      self[index].kind = .audio(property, from: from, to: to, level)
    }
  }
}
