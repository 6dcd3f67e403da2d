import Synchronization

/// A ticket for one frame when frames must be made in order. The next frame waits until it is done.
package final class FrameTicket: Sendable {
  private enum State {
    case open
    case awaited(CheckedContinuation<Void, Never>)
    case over
  }
  private let state = Mutex(State.open)

  package init() {}

  /// Waits until the frame is done. May be called once.
  package func wait() async {
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      let isOver = state.withLock { state in
        if case .over = state { return true }
        state = .awaited(continuation)
        return false
      }
      if isOver { continuation.resume() }
    }
  }

  /// Marks the frame as done. Must be called in any case, even after errors.
  package func end() {
    let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
      defer { state = .over }
      guard case .awaited(let continuation) = state else { return nil }
      return continuation
    }
    waiting?.resume()
  }
}
