import CompositorAPI

/// How evenly a transition runs.
enum Easing: String, CaseIterable, Sendable {
  /// Evenly.
  case linear
  /// Slowly at first.
  case easeIn = "ease-in"
  /// Slowly at last.
  case easeOut = "ease-out"
  /// Slowly at both ends: the smoothstep t² · (3 − 2t).
  case easeInOut = "ease-in-out"

  /// The eased part of the way; exact at both ends.
  func value(at progress: Double) -> Double {
    switch self {
    case .linear: progress
    case .easeIn: progress * progress
    case .easeOut: progress * (2 - progress)
    case .easeInOut: progress * progress * (3 - 2 * progress)
    }
  }
}
