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

  /// The kind of transition: a compositor, which receives the old clip's track first, then the new one's, and its parameters.
  /// Clips of other tracks may be above and below a built-in one.
  public struct Kind: Hashable, Sendable {
    /// The compositor's identifier.
    public var compositor: CompositorID
    /// The compositor's parameters; absent ones have their defaults.
    public var parameters: ParameterValues

    /// A transition by a compositor.
    public static func compositor(_ id: CompositorID, _ parameters: ParameterValues = [:]) -> Kind {
      Kind(compositor: id, parameters: parameters)
    }

    /// The new frame fades in as the old one fades out: (1 − t) · old + t · new.
    public static let dissolve = Kind(compositor: .dissolve, parameters: [:])

    /// The new frame pushes the old one out of the canvas.
    public static func push(_ direction: Direction) -> Kind {
      Kind(compositor: .push, parameters: ["direction": .string(direction.rawValue)])
    }
  }

  /// The kind of transition.
  public var kind: Kind
  /// The time during which both clips play, > 0.
  public var duration: MediaTime
  /// How the audio is cross-faded. Default equal power.
  public var audio = AudioCrossFade.equalPower
  /// Parameters of the compositor that change over time. Times are relative to the transition's start.
  public var animatedParameters: AnimatedValues = [:]

  /// The easing of the transition's progress: the parameter `easing`, which all built-in transitions have. Default linear.
  public var easing: Easing {
    get {
      guard case .string(let text)? = kind.parameters["easing"] else { return .linear }
      return Easing(text) ?? .linear
    }
    set { kind.parameters["easing"] = newValue == .linear ? nil : .string(newValue.description) }
  }

  /// Creates a transition.
  ///
  /// - Parameter easing: The easing of its progress; `nil` for that of the kind's parameters.
  public init(_ kind: Kind, duration: MediaTime, easing: Easing? = nil) {
    self.kind = kind
    self.duration = duration
    if let easing { self.easing = easing }
  }
}

extension CompositorID {
  fileprivate static let dissolve: CompositorID = "builtin.dissolve"
  fileprivate static let push: CompositorID = "builtin.push"
}

extension Transition.Kind {
  /// A transition whose frames are defined by layers that fade or move, so that it needs no compositor of its own.
  package enum Layers {
    case dissolve(Easing)
    case push(Transition.Direction, Easing)
  }

  /// The kind as layers; `nil` for other compositors, and for parameters that the compositor has to reject.
  package var layers: Layers? {
    guard compositor == .dissolve || compositor == .push else { return nil }
    var easing = Easing.linear
    var direction = Transition.Direction.left
    for (key, value) in parameters {
      guard case .string(let word) = value else { return nil }
      if key == "easing", let read = Easing(word) {
        easing = read
      } else if key == "direction", compositor == .push, let read = Transition.Direction(rawValue: word) {
        direction = read
      } else {
        return nil
      }
    }
    return compositor == .dissolve ? .dissolve(easing) : .push(direction, easing)
  }
}
