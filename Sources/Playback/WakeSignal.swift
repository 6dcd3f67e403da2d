import Synchronization

/// Wakes a task that waits for work. If no task is waiting, the signal is kept for the next one that does.
final class WakeSignal: Sendable {
  private struct State {
    var isSignaled = false
    var waiting: CheckedContinuation<Void, Never>?
  }
  private let state = Mutex(State())

  func signal() {
    let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
      defer { state.waiting = nil }
      if state.waiting == nil { state.isSignaled = true }
      return state.waiting
    }
    waiting?.resume()
  }

  /// Returns after the next signal, or immediately if one was kept. Only one task may wait at a time.
  func wait() async {
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      let isSignaled = state.withLock { state in
        guard !state.isSignaled else {
          state.isSignaled = false
          return true
        }
        state.waiting = continuation
        return false
      }
      if isSignaled { continuation.resume() }
    }
  }

  /// Returns after the next signal, or at `instant` if that comes first.
  func wait(until instant: ContinuousClock.Instant, of clock: any PlayerClock) async {
    let alarm = Task {
      await clock.sleep(until: instant)
      if !Task.isCancelled { signal() }
    }
    await wait()
    alarm.cancel()
  }
}
