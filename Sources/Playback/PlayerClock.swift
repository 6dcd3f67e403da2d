/// The host's clock as a player sees it. Tests put one in its place that they move by hand.
package protocol PlayerClock: Sendable {
  var now: ContinuousClock.Instant { get }
  /// Waits until an instant; returns early if the task is canceled.
  func sleep(until instant: ContinuousClock.Instant) async
}

/// The machine's clock.
package struct SystemClock: PlayerClock {
  package init() {}
  package var now: ContinuousClock.Instant { .now }
  package func sleep(until instant: ContinuousClock.Instant) async {
    // A canceled wait is over early, which is all that matters here.
    try? await Task.sleep(until: instant, clock: .continuous)
  }
}
