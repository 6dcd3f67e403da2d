import Synchronization

/// Watches calls that may never end. One sleeping task serves all calls, and there is none while nothing is called.
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

  /// How long a call may take.
  package let limit: Duration
  private let interval: Duration
  private let state = Mutex(State())

  package init(limit: Duration) {
    self.limit = limit
    // Late by a quarter at most, and by half a second.
    self.interval = min(max(limit / 4, .milliseconds(1)), .milliseconds(500))
  }

  /// Says that a call begins; `expire` runs once if it is not said to have ended in time.
  ///
  /// - Returns: The number to end it by.
  package func begin(expire: @escaping @Sendable () -> Void) -> Int {
    let (id, mustWatch) = state.withLock { state in
      state.lastID += 1
      state.calls[state.lastID] = Call(expiry: .now + limit, expire: expire)
      defer { state.isWatching = true }
      return (state.lastID, !state.isWatching)
    }
    if mustWatch { Task { await watch() } }
    return id
  }

  /// Says that a call has ended.
  package func end(_ id: Int) { state.withLock { $0.calls[id] = nil } }

  private func watch() async {
    var isWatching = true
    while isWatching {
      do { try await Task.sleep(for: interval) } catch { await Task.yield() }
      let now = ContinuousClock.now
      let expired = state.withLock { state in
        let expired = state.calls.filter { $0.value.expiry <= now }
        for id in expired.keys { state.calls[id] = nil }
        state.isWatching = !state.calls.isEmpty
        isWatching = state.isWatching
        return expired.values
      }
      for call in expired { call.expire() }
    }
  }
}
