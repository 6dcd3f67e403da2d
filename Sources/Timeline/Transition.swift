public import CompositorAPI

/// How one clip gives way to the next.
public struct Transition: Hashable, Sendable {
  /// Where a push comes from.
  public enum Direction: String, Hashable, Sendable, Codable, CaseIterable {
    /// Pictures move to the left: the new one comes from the right.
    case left
    /// Pictures move to the right.
    case right
    /// Pictures move up: the new one comes from below.
    case up
    /// Pictures move down.
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

  /// What is seen.
  public enum Kind: Hashable, Sendable {
    /// The new picture is mixed in as the old one goes: (1 − t) · old + t · new.
    case dissolve
    /// The new picture pushes the old one out of the canvas.
    case push(Direction)
    /// A built-in transition with its parameters; clips of other tracks may lie over and under it.
    case builtin(CompositorID, ParameterValues)
    /// A compositor decides: it is given the old clip's track first, then the new one's.
    case compositor(CompositorID, ParameterValues)
  }

  /// What is seen.
  public var kind: Kind
  /// How long both clips play, > 0.
  public var duration: MediaTime
  /// How the progress of a dissolve or a push is eased; linear unless given. Transitions by compositors have a parameter for it.
  public var easing = Easing.linear
  /// How the audio is handed over. Default equal power.
  public var audio = AudioCrossFade.equalPower
  /// Parameters of a compositor that change over time; times count from the transition's start.
  public var animatedParameters: AnimatedValues = [:]

  /// Makes a transition.
  public init(_ kind: Kind, duration: MediaTime, easing: Easing = .linear) {
    self.kind = kind
    self.duration = duration
    self.easing = easing
  }

  /// The same transition as layers that fade or move, if its compositor's frames are defined by those: a dissolve and a push are one
  /// thing however they are written.
  var layered: Transition {
    switch kind {
    case .builtin(let id, let parameters), .compositor(let id, let parameters):
      var easing = Easing.linear
      var direction = Direction.left
      for (key, value) in parameters {
        // What the compositor would refuse is left to it.
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
