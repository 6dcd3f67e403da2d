import Synchronization

/// Supervises calls that may never return. One sleeping task serves all calls; while there are no calls, no task is running.
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
    if mustWatch { Task { await watch() } }
    return id
  }

  /// Registers the end of a call.
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
