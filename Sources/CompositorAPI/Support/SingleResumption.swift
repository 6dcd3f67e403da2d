import Synchronization

/// Resumes one waiting task with the first of several results, such as those of a call, of its deadline and of its cancellation.
///
/// ```swift
/// let answer = SingleResumption<Device?, Never>()
/// Thread { answer.give(Device.open()) }.start()
/// DispatchQueue.global().asyncAfter(deadline: .now() + 10) { answer.give(nil) }
/// let device = await answer.wait(ifCanceled: nil)
/// ```
///
/// Results may be given on any thread, before the wait or during it. The failure is `Never`, or `any Error` for a wait that
/// throws.
package final class SingleResumption<Success: Sendable, Failure: Error>: Sendable {
  private enum State {
    case open
    case awaited(CheckedContinuation<Success, Failure>)
    case given(Result<Success, Failure>)
    case taken
  }
  private let state: Mutex<State>

  package init() { state = Mutex(.open) }

  /// Gives a result, which has no effect unless it is the first one.
  ///
  /// - Returns: Whether it is the first one.
  @discardableResult
  package func give(_ result: Result<Success, Failure>) -> Bool {
    let (isFirst, waiting) = state.withLock { state -> (Bool, CheckedContinuation<Success, Failure>?) in
      switch state {
      case .open:
        state = .given(result)
        return (true, nil)
      case .awaited(let continuation):
        state = .taken
        return (true, continuation)
      case .given, .taken: return (false, nil)
      }
    }
    waiting?.resume(with: result)
    return isFirst
  }

  /// Resumes a task now or with the first result.
  fileprivate func resume(_ continuation: CheckedContinuation<Success, Failure>) {
    let result = state.withLock { state -> Result<Success, Failure>? in
      guard case .given(let result) = state else {
        state = .awaited(continuation)
        return nil
      }
      state = .taken
      return result
    }
    if let result { continuation.resume(with: result) }
  }
}

extension SingleResumption where Failure == any Error {
  /// Waits for the first result, even if the task is canceled. May be called once.
  package func wait() async throws -> Success {
    try await withCheckedThrowingContinuation { resume($0) }
  }
}

extension SingleResumption where Failure == Never {
  /// Gives a value, which has no effect unless it is the first one.
  ///
  /// - Returns: Whether it is the first one.
  @discardableResult
  package func give(_ value: Success) -> Bool { give(.success(value)) }

  /// Waits for the first value, even if the task is canceled. May be called once.
  package func wait() async -> Success {
    await withCheckedContinuation { resume($0) }
  }

  /// Waits for the first value. May be called once.
  ///
  /// - Parameter fallback: The value that is given if the task is canceled.
  package func wait(ifCanceled fallback: Success) async -> Success {
    await withTaskCancellationHandler {
      await wait()
    } onCancel: {
      give(fallback)
    }
  }
}
