import Synchronization

/// Orders the results of many tasks by their numbers, and limits the number of results in progress to a window.
///
/// One task reserves numbers in order, any number of tasks submit, and one task takes. A failure is delivered at its own
/// position in the order, so the same error is reported regardless of the number of threads.
final class FrameSequencer<Output: Sendable>: Sendable {
  private enum Item {
    case made(Output)
    /// The same as the one before.
    case same
    case failed(any Error)
  }
  private struct State {
    var next: Int
    var end: Int?
    var items: [Int: Item] = [:]
    var last: Output?
    var abortion: (any Error)?
    var producer: (index: Int, continuation: CheckedContinuation<Void, any Error>)?
    var consumer: CheckedContinuation<Void, any Error>?
  }
  private let window: Int
  private let state: Mutex<State>

  /// - Parameters:
  ///   - first: The first number.
  ///   - window: The number of numbers that may be reserved and not yet taken, ≥ 1.
  init(first: Int, window: Int) {
    self.window = max(1, window)
    self.state = Mutex(State(next: first))
  }

  /// Waits until `index` is inside the window.
  func reserve(_ index: Int) async throws {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        let answer: Result<Void, any Error>? = state.withLock { state in
          if let abortion = state.abortion { return .failure(abortion) }
          guard index - state.next >= window else { return .success(()) }
          state.producer = (index, continuation)
          return nil
        }
        if let answer { continuation.resume(with: answer) }
      }
    } onCancel: {
      abort(CancellationError())
    }
  }

  /// Submits the result for a number.
  func submit(_ result: Result<Output, any Error>, at index: Int) {
    switch result {
    case .success(let output): put(.made(output), at: index)
    case .failure(let error): put(.failed(error), at: index)
    }
  }

  /// Marks a number's output as equal to the previous one.
  func submitRepeat(at index: Int) { put(.same, at: index) }

  /// Marks `end` as the end of the numbers.
  func finish(at end: Int) {
    let waiting = state.withLock { state in
      state.end = end
      return state.next == end ? state.consumer.take() : nil
    }
    waiting?.resume()
  }

  /// Resumes all waiting tasks with an error.
  func abort(_ error: any Error) {
    let (producer, consumer) = state.withLock { state in
      state.abortion = state.abortion ?? error
      state.items.removeAll()
      return (state.producer.take()?.continuation, state.consumer.take())
    }
    producer?.resume(throwing: error)
    consumer?.resume(throwing: error)
  }

  /// The next output in order, and whether it is equal to the previous one; `nil` after the last.
  func next() async throws -> (output: Output, isRepeat: Bool)? {
    try await waitForNext()
    let (item, producer) = state.withLock { state in take(&state) }
    producer?.resume()
    switch item {
    case .success(let answer): return answer
    case .failure(let error):
      abort(error)
      throw error
    }
  }

  private typealias Answer = Result<(output: Output, isRepeat: Bool)?, any Error>

  /// The next available item, and the producer that may continue because of it.
  private func take(_ state: inout State) -> (Answer, CheckedContinuation<Void, any Error>?) {
    if let abortion = state.abortion { return (.failure(abortion), nil) }
    guard let item = state.items.removeValue(forKey: state.next) else { return (.success(nil), nil) }
    state.next += 1
    var producer: CheckedContinuation<Void, any Error>?
    if let waiting = state.producer, waiting.index - state.next < window {
      producer = waiting.continuation
      state.producer = nil
    }
    switch item {
    case .made(let output):
      state.last = output
      return (.success((output, false)), producer)
    case .same:
      return (.success(state.last.map { ($0, true) }), producer)
    case .failed(let error):
      return (.failure(error), producer)
    }
  }

  private func waitForNext() async throws {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        let answer: Result<Void, any Error>? = state.withLock { state in
          if let abortion = state.abortion { return .failure(abortion) }
          if state.items[state.next] != nil || state.next == state.end { return .success(()) }
          state.consumer = continuation
          return nil
        }
        if let answer { continuation.resume(with: answer) }
      }
    } onCancel: {
      abort(CancellationError())
    }
  }

  private func put(_ item: Item, at index: Int) {
    let waiting = state.withLock { state -> CheckedContinuation<Void, any Error>? in
      guard state.abortion == nil else { return nil }
      state.items[index] = item
      return index == state.next ? state.consumer.take() : nil
    }
    waiting?.resume()
  }
}
