import Dispatch
import Synchronization

/// Supervises calls that may never return. One timer serves all calls; while there are no calls, there is none.
///
/// The timer's queue has a thread of its own, so that deadlines also pass while callers block every thread of the concurrency
/// pool.
package final class CallDeadlines: Sendable {
  private struct Call {
    let expiry: ContinuousClock.Instant
    let expire: @Sendable () -> Void
  }
  private struct State {
    var calls: [Int: Call] = [:]
    var lastID = 0
    var isWatching = false
  }

  /// The maximum duration of a call.
  package let limit: Duration
  private let interval: Duration
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "compositor.deadlines")

  package init(limit: Duration) {
    self.limit = limit
    // A call expires late by at most a quarter of the limit, and by at most half a second.
    self.interval = min(max(limit / 4, .milliseconds(1)), .milliseconds(500))
  }

  /// Registers the start of a call. `expire` is called once if the call doesn't end in time.
  ///
  /// - Returns: The ID of the call for ``end(_:)``.
  package func begin(expire: @escaping @Sendable () -> Void) -> Int {
    let (id, mustWatch) = state.withLock { state in
      state.lastID += 1
      state.calls[state.lastID] = Call(expiry: .now + limit, expire: expire)
      defer { state.isWatching = true }
      return (state.lastID, !state.isWatching)
    }
    if mustWatch { watch() }
    return id
  }

  /// Registers the end of a call.
  package func end(_ id: Int) { state.withLock { $0.calls[id] = nil } }

  private func watch() { after(interval) { [self] in expireCalls() } }

  private func expireCalls() {
    let now = ContinuousClock.now
    let (expired, isWatching) = state.withLock { state in
      let expired = state.calls.filter { $0.value.expiry <= now }
      for id in expired.keys { state.calls[id] = nil }
      state.isWatching = !state.calls.isEmpty
      return (expired.values, state.isWatching)
    }
    for call in expired { call.expire() }
    if isWatching { watch() }
  }

  /// Performs short work after a delay.
  package func after(_ delay: Duration, _ work: @escaping @Sendable () -> Void) {
    queue.asyncAfter(deadline: .now() + .nanoseconds(Int(max(delay, .zero) / .nanoseconds(1))), execute: work)
  }
}
