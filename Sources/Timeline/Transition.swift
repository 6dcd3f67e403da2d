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
  /// Parameters of a compositor that change over time; times count from the transition's start.
  public var animatedParameters: AnimatedValues = [:]

  /// Makes a transition.
  public init(_ kind: Kind, duration: MediaTime) {
    self.kind = kind
    self.duration = duration
  }
}
