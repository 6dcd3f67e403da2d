/// Begin times relative to an end, which are resolved where a tree's length is known.
extension Layer {
  /// The tree with all begin times counted from starts. It is evaluated like this only.
  ///
  /// - Parameter end: The end of the parent in its own seconds; infinite if it has none.
  /// - Throws: `.invalidValue`, with the key path from the layer, if a begin time is relative to an end that there isn't.
  package func anchored(until end: Double) throws(CompositorError) -> Layer {
    guard usesEnds(depth: 0) else { return self }
    var layer = self
    try layer.resolve(until: end, depth: 0)
    return layer
  }

  private func usesEnds(depth: Int) -> Bool {
    guard depth <= Layer.maximumDepth else { return false }
    if timing.relativeTo == .end || animations.contains(where: \.usesEnds) { return true }
    if case .text(let text) = content, text.animators.contains(where: \.usesEnds) { return true }
    return sublayers.contains { $0.usesEnds(depth: depth + 1) } || mask?.usesEnds(depth: depth + 1) ?? false
      || transitionSource?.usesEnds(depth: depth + 1) ?? false
  }

  private mutating func resolve(until end: Double, depth: Int) throws(CompositorError) {
    guard depth <= Layer.maximumDepth else { return }
    timing = try timing.anchored(until: end, "A layer begins relative to the end of its parent", at: "timing")
    let own = timing.localEnd(until: end)
    for index in animations.indices {
      animations[index] = try animations[index].anchored(until: own, groupLength: nil, at: "animations[\(index)]")
    }
    try resolveAnimators(until: own)
    var inner = own
    // The layer of an emitter lives once for each particle.
    if case .emitter = content { inner = .infinity }
    for index in sublayers.indices {
      try sublayers[index].resolve(until: inner, depth: depth + 1, at: "sublayers[\(index)]")
    }
    try mask?.resolve(until: own, depth: depth + 1, at: "mask")
    try transitionSource?.resolve(until: own, depth: depth + 1, at: "transitionSource")
  }

  private mutating func resolve(until end: Double, depth: Int, at key: String) throws(CompositorError) {
    do throws(CompositorError) {
      try resolve(until: end, depth: depth)
    } catch {
      throw error.within(key)
    }
  }

  /// Resolves the members of groups, since other animations of parts of text have no end, and the animations of selectors.
  private mutating func resolveAnimators(until end: Double) throws(CompositorError) {
    guard case .text(var text) = content, !text.animators.isEmpty else { return }
    for (index, animator) in text.animators.enumerated() {
      let key = "content.text.animators[\(index)]"
      for (place, animation) in animator.animations.enumerated() {
        text.animators[index].animations[place] = try animation.anchored(
          until: .infinity, groupLength: nil, at: "\(key).animations[\(place)]")
      }
      for (place, animation) in (animator.selector?.animations ?? []).enumerated() {
        text.animators[index].selector?.animations[place] = try animation.anchored(
          until: end, groupLength: nil, at: "\(key).selector.animations[\(place)]")
      }
    }
    content = .text(text)
  }
}

extension TextAnimator {
  fileprivate var usesEnds: Bool {
    animations.contains(where: \.usesEnds) || selector?.animations.contains(where: \.usesEnds) ?? false
  }
}

extension Animation {
  fileprivate var usesEnds: Bool {
    if case .group(let members) = kind, members.contains(where: \.usesEnds) { return true }
    return timing.relativeTo == .end
  }

  /// - Parameters:
  ///   - end: The end of the layer, or of the group that contains the animation.
  ///   - groupLength: The length of that group.
  fileprivate func anchored(until end: Double, groupLength: Double?, at key: String) throws(CompositorError) -> Animation {
    var animation = self
    animation.timing = try timing.anchored(until: end, "An animation begins relative to the end of its layer", at: key)
    guard case .group(let members) = kind else { return animation }
    let length = timing.duration > 0 ? timing.duration : groupLength ?? Animation.standardDuration
    var anchored: [Animation] = []
    for (index, member) in members.enumerated() {
      anchored.append(try member.anchored(until: length, groupLength: length, at: "\(key).group[\(index)]"))
    }
    animation.kind = .group(anchored)
    return animation
  }
}

extension LayerTiming {
  fileprivate func anchored(until end: Double, _ what: String, at key: String) throws(CompositorError) -> LayerTiming {
    guard relativeTo == .end else { return self }
    guard end.isFinite else {
      throw CompositorError(
        .invalidValue, "\(what), which never ends.",
        recoverySuggestion: "Give the title or the layer a duration, or count from the start.", at: ErrorLocation(path: key))
    }
    var timing = self
    (timing.beginTime, timing.relativeTo) = (end + beginTime, .start)
    return timing
  }

  /// The end of a layer of this timing in its own seconds; infinite if it has none.
  ///
  /// - Parameter end: The end of the parent, in the parent's seconds.
  fileprivate func localEnd(until end: Double) -> Double {
    let reach = speed > 0 && end.isFinite ? max(end - beginTime, 0) * speed : .infinity
    guard duration > 0, duration.isFinite else {
      return min(reach, repeatDuration > 0 ? repeatDuration : .infinity) + timeOffset
    }
    let isOnce = repeatCount <= 1 && repeatDuration <= 0 && !autoreverses && timeOffset == 0
    // Its time ends with each pass, or within the first one.
    guard isOnce else { return min(duration, min(reach, repeatDuration > 0 ? repeatDuration : .infinity) + timeOffset) }
    return min(reach, duration * (repeatCount > 0 ? repeatCount : 1))
  }
}
