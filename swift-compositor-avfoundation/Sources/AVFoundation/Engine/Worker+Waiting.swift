internal import Dispatch
internal import Synchronization

extension Worker {
  /// The outcome of work that another thread waits for.
  private final class Outcome<Value: Sendable>: Sendable {
    let result = Mutex<Result<Value, any Error>?>(nil)
    let isThere = DispatchSemaphore(value: 0)
  }

  /// Runs work on the threads of this module, and blocks the calling thread until it has ended. Not to be called from those threads.
  ///
  /// - Throws: Any error of the work.
  static func wait<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) throws -> Value {
    let outcome = Outcome<Value>()
    Task(executorPreference: shared) {
      let result: Result<Value, any Error>
      do { result = .success(try await work()) } catch { result = .failure(error) }
      outcome.result.withLock { $0 = result }
      outcome.isThere.signal()
    }
    outcome.isThere.wait()
    guard let result = outcome.result.withLock({ $0 }) else { preconditionFailure("the signal comes after the result") }
    return try result.get()
  }
}
