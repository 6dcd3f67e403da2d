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
    if case .wiggle = kind { return timing.runs(at: time, standardDuration: .infinity) }
    return timing.runs(at: time, standardDuration: Animation.standardDuration)
  }
}

extension LayerTiming {
  /// Whether an animation of this timing is active.
  fileprivate func runs(at time: Double, standardDuration: Double) -> Bool {
    let pass = duration > 0 ? duration : standardDuration
    let cycle = autoreverses ? 2 * pass : pass
    let active = repeatDuration > 0 ? repeatDuration : repeatCount > 0 ? repeatCount * cycle : cycle
    return speed != 0 && !time.isBefore(beginTime) && time.isBefore(beginTime + active / abs(speed))
  }
}
