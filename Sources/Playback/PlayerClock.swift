/// The host's clock. Tests replace it with one that they advance manually.
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
    // Only the early return of a canceled wait matters here.
    try? await Task.sleep(until: instant, clock: .continuous)
  }
}
