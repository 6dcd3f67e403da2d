public import CompositorAPI

/// A transition from one clip to the next.
public struct Transition: Hashable, Sendable {
  /// The direction in which the frames of a push move.
  public enum Direction: String, Hashable, Sendable, Codable, CaseIterable {
    /// Frames move to the left: the new one comes from the right.
    case left
    /// Frames move to the right.
    case right
    /// Frames move up: the new one comes from below.
    case up
    /// Frames move down.
    case down

    var move: MoveDirection {
      switch self {
      case .left: .left
      case .right: .right
      case .up: .up
      case .down: .down
      }
    }
  }

  /// The kind of transition.
  public enum Kind: Hashable, Sendable {
    /// The new frame fades in as the old one fades out: (1 − t) · old + t · new.
    case dissolve
    /// The new frame pushes the old one out of the canvas.
    case push(Direction)
    /// A built-in transition with its parameters. Clips of other tracks may be above and below it.
    case builtin(CompositorID, ParameterValues)
    /// A custom compositor, which receives the old clip's track first, then the new one's.
    case compositor(CompositorID, ParameterValues)
  }

  /// The kind of transition.
  public var kind: Kind
  /// The time during which both clips play, > 0.
  public var duration: MediaTime
  /// The easing of a dissolve or a push. Default linear. Transitions by compositors have a parameter for it.
  public var easing = Easing.linear
  /// How the audio is cross-faded. Default equal power.
  public var audio = AudioCrossFade.equalPower
  /// Parameters of a compositor that change over time. Times are relative to the transition's start.
  public var animatedParameters: AnimatedValues = [:]

  /// Creates a transition.
  public init(_ kind: Kind, duration: MediaTime, easing: Easing = .linear) {
    self.kind = kind
    self.duration = duration
    self.easing = easing
  }

  /// The equivalent transition as fading or moving layers, if its compositor's frames are defined by those: a dissolve and a
  /// push are the same regardless of how they are specified.
  var layered: Transition {
    switch kind {
    case .builtin(let id, let parameters), .compositor(let id, let parameters):
      var easing = Easing.linear
      var direction = Direction.left
      for (key, value) in parameters {
        // Invalid values are left to the compositor to reject.
        guard case .string(let word) = value else { return self }
        if key == "easing", let read = Easing(word) {
          easing = read
        } else if key == "direction", id == "builtin.push", let read = Direction(rawValue: word) {
          direction = read
        } else {
          return self
        }
      }
      switch id {
      case "builtin.dissolve": return Transition(.dissolve, duration: duration, easing: easing)
      case "builtin.push": return Transition(.push(direction), duration: duration, easing: easing)
      default: return self
      }
    case .dissolve, .push: return self
    }
  }
}
