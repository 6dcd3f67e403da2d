import CompositorAPI
import Synchronization

/// The result of one seek. Only the first result that is given counts.
final class SeekWaiter: Sendable {
  private enum State {
    case open
    case awaited(CheckedContinuation<Result<Bool, CompositorError>, Never>)
    case given(Result<Bool, CompositorError>)
    case taken
  }
  private let state = Mutex(State.open)

  func give(_ result: Result<Bool, CompositorError>) {
    let waiting = state.withLock { state -> CheckedContinuation<Result<Bool, CompositorError>, Never>? in
      switch state {
      case .open: state = .given(result)
      case .awaited(let continuation):
        state = .taken
        return continuation
      case .given, .taken: break
      }
      return nil
    }
    waiting?.resume(returning: result)
  }

  /// Waits for the result. May be called only once. A canceled task gets `.cancelled`.
  func answer() async -> Result<Bool, CompositorError> {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let given = state.withLock { state -> Result<Bool, CompositorError>? in
          guard case .given(let result) = state else {
            state = .awaited(continuation)
            return nil
          }
          state = .taken
          return result
        }
        if let given { continuation.resume(returning: given) }
      }
    } onCancel: {
      give(.failure(CompositorError(.cancelled, "The seek was canceled.")))
    }
  }
}
