package import CompositorAPI

/// Chooses the size of composed frames during playback, so that playback stays in time.
///
/// The size decreases as soon as frames are late, and increases again after a while with time to spare. A size that was too
/// large is not retried soon.
package struct ProxyScale: Sendable {
  /// A fraction of the canvas.
  package enum Level: Int, Sendable, CaseIterable, Comparable {
    case full, threeQuarters, half, quarter

    package static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }

    /// The scale relative to the canvas.
    package var factor: Double { [1, 0.75, 0.5, 0.25][rawValue] }
    /// The name on the page.
    package var name: String { ["1/1", "3/4", "1/2", "1/4"][rawValue] }
  }

  /// The current scale.
  package private(set) var level = Level.full
  private var calm = Duration.zero
  private var failures: [Level: ContinuousClock.Instant] = [:]

  /// The fraction of due frames that may be missed, to ignore hiccups.
  private static let tolerance = 0.1
  /// How long playback has to go well before a larger size is tried.
  private static let patience = Duration.seconds(4)
  /// How long a failed size is not retried.
  private static let memory = Duration.seconds(30)

  /// Starts with the full canvas.
  package init() {}

  /// Adjusts the scale to a stretch of playback.
  ///
  /// - Parameters:
  ///   - due: Number of frames due in it.
  ///   - dropped: Number of those that were not shown.
  ///   - load: The rendering time of frames divided by the available time.
  /// - Returns: Whether ``level`` changed.
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

  /// The frame size for a canvas, at least 2×2.
  package static func size(of canvas: PixelSize, at level: Level) -> PixelSize {
    guard level != .full else { return canvas }
    func side(_ length: Int) -> Int { max(2, Int((Double(length) * level.factor / 2).rounded()) * 2) }
    return PixelSize(width: side(canvas.width), height: side(canvas.height))
  }
}
