import Synchronization

/// One frame's turn, where frames must be made one after another: whoever comes next waits until it is over.
package final class FrameTicket: Sendable {
  private enum State {
    case open
    case awaited(CheckedContinuation<Void, Never>)
    case over
  }
  private let state = Mutex(State.open)

  package init() {}

  /// Waits until the turn is over. Once.
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

  /// Ends the turn. Must be called whatever became of the frame.
  package func end() {
    let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
      defer { state = .over }
      guard case .awaited(let continuation) = state else { return nil }
      return continuation
    }
    waiting?.resume()
  }
}
