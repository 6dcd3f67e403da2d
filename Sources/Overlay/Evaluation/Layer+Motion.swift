package import CompositorAPI

extension Layer {
  /// Whether anything about it depends on the time.
  package var isAnimated: Bool {
    if !animations.isEmpty { return true }
    switch content {
    case .text(let text): return text.generator != nil || !text.animators.isEmpty
    case .movie: return true
    default: return false
    }
  }

  /// How its position changes over all times.
  package var motion: PresentationNode.Motion {
    var motion = PresentationNode.Motion.still
    for leaf in animations.lazy.flatMap(\.leaves) {
      if case .keyframes(_, let frames) = leaf.kind, frames.rotation != .none { return .transforms }
      motion = max(motion, leaf.property?.effect.motion ?? .still)
    }
    return motion
  }

  /// Whether an animation moves all its sublayers together.
  var movesSublayers: Bool { animations.lazy.flatMap(\.leaves).contains { $0.property?.effect == .sublayers } }
}

extension LayerContent {
  /// Whether its content changes by itself.
  var isEmitter: Bool { if case .emitter = self { true } else { false } }
}

extension LayerProperty.Effect {
  fileprivate var motion: PresentationNode.Motion {
    switch self {
    case .movement: .moves
    case .transform: .transforms
    case .opacity, .sublayers, .content: .still
    }
  }
}

extension Layer {
  /// Whether an animation runs at a given time of the layer, or its content changes by itself; movies excluded.
  func isChanging(at time: Double) -> Bool {
    if animations.contains(where: { $0.runs(at: time) }) { return true }
    switch content {
    case .text(let text): return text.generator != nil || !text.animators.isEmpty
    case .emitter: return true
    default: return false
    }
  }
}

extension Animation {
  fileprivate func runs(at time: Double) -> Bool {
    timing.runs(at: time, standardDuration: lastsAsLongAsItsLayer ? .infinity : Animation.standardDuration)
  }

  /// Whether it has no end of its own if its duration is 0.
  var lastsAsLongAsItsLayer: Bool {
    switch kind {
    case .wiggle, .audio: true
    case .basic, .keyframes, .spring, .group, .transition: false
    }
  }
}

extension LayerTiming {
  /// Whether an animation of this timing is active.
  fileprivate func runs(at time: Double, standardDuration: Double) -> Bool {
    speed != 0 && !time.isBefore(beginTime) && time.isBefore(end(standardDuration: standardDuration))
  }

  /// The nearest time of the parent at which it is active: what it shows before it begins and after it has ended.
  func within(_ time: Double, standardDuration: Double) -> Double {
    speed == 0 ? time : min(max(time, beginTime), end(standardDuration: standardDuration))
  }

  /// The parent's time at which it ends, unless its speed is 0.
  private func end(standardDuration: Double) -> Double {
    let pass = duration > 0 ? duration : standardDuration
    let cycle = autoreverses ? 2 * pass : pass
    let active = repeatDuration > 0 ? repeatDuration : repeatCount > 0 ? repeatCount * cycle : cycle
    return beginTime + active / abs(speed)
  }
}
