package import CompositorAPI

/// Chooses how large frames are composed while a movie plays, so that playing stays in time.
///
/// It gets smaller as soon as frames are late, and larger again when there has been time to spare for a while; a size that was too much is not tried
/// again soon.
package struct ProxyScale: Sendable {
  /// A part of the canvas.
  package enum Level: Int, Sendable, CaseIterable, Comparable {
    case full, threeQuarters, half, quarter

    package static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }

    /// Columns and rows by those of the canvas.
    package var factor: Double { [1, 0.75, 0.5, 0.25][rawValue] }
    /// What the page calls it.
    package var name: String { ["1/1", "3/4", "1/2", "1/4"][rawValue] }
  }

  /// How large frames are composed now.
  package private(set) var level = Level.full
  private var calm = Duration.zero
  private var failures: [Level: ContinuousClock.Instant] = [:]

  /// The part of due frames that may be missed: a hiccup is no reason.
  private static let tolerance = 0.1
  /// How long all has to go well before a larger size is tried.
  private static let patience = Duration.seconds(4)
  /// How long a size that failed is left alone.
  private static let memory = Duration.seconds(30)

  /// Starts with the whole canvas.
  package init() {}

  /// Learns how a stretch of playing went.
  ///
  /// - Parameters:
  ///   - due: Frames that were due in it.
  ///   - dropped: Those of them that were not shown.
  ///   - load: The time that making frames took, by the time there was for it.
  /// - Returns: Whether ``level`` is another one now.
  package mutating func learn(due: Int, dropped: Int, load: Double, over stretch: Duration, now: ContinuousClock.Instant = .now)
    -> Bool
  {
    guard due > 0 else { return false }
    if Double(dropped) > Double(due) * ProxyScale.tolerance {
      calm = .zero
      failures[level] = now
      return move(by: 1)
    }
    calm = dropped == 0 ? calm + stretch : .zero
    guard calm >= ProxyScale.patience, let larger = Level(rawValue: level.rawValue - 1) else { return false }
    let growth = larger.factor * larger.factor / (level.factor * level.factor)
    guard load * growth < 0.8, failures[larger].map({ now - $0 > ProxyScale.memory }) ?? true else { return false }
    calm = .zero
    return move(by: -1)
  }

  private mutating func move(by steps: Int) -> Bool {
    guard let next = Level(rawValue: level.rawValue + steps) else { return false }
    level = next
    return true
  }

  /// The size of frames of a canvas: nothing smaller than 2×2.
  package static func size(of canvas: PixelSize, at level: Level) -> PixelSize {
    guard level != .full else { return canvas }
    func side(_ length: Int) -> Int { max(2, Int((Double(length) * level.factor / 2).rounded()) * 2) }
    return PixelSize(width: side(canvas.width), height: side(canvas.height))
  }
}
