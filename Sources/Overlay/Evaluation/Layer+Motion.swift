package import CompositorAPI

extension Layer {
  /// Whether anything about it follows the time.
  package var isAnimated: Bool {
    if !animations.isEmpty { return true }
    switch content {
    case .text(let text): return text.generator != nil || !text.animators.isEmpty
    case .movie: return true
    default: return false
    }
  }

  /// How its place changes over all times.
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
  /// Whether what it shows follows the time by itself.
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
