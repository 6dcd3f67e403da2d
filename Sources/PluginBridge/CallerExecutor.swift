import Dispatch
import Synchronization

/// Runs a task's jobs on the thread that waits for it, so that a blocking call can run an `async` method without a second
/// thread.
package final class CallerExecutor: TaskExecutor {
  private let jobs = Mutex<[UnownedJob]>([])
  private let available = DispatchSemaphore(value: 0)

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    available.signal()
  }

  /// Runs work to completion on this thread.
  ///
  /// - Parameter started: Receives, before the work starts, a closure that cancels it.
  /// - Throws: Any error of the work.
  package static func run<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value, started: (_ cancel: @escaping @Sendable () -> Void) -> Void
  ) throws -> Value {
    let executor = CallerExecutor()
    let result = Mutex<Result<Value, any Error>?>(nil)
    let task = Task(executorPreference: executor) {
      let outcome: Result<Value, any Error>
      do { outcome = .success(try await work()) } catch { outcome = .failure(error) }
      result.withLock { $0 = outcome }
      executor.available.signal()
    }
    started { task.cancel() }
    while true {
      executor.available.wait()
      let job = executor.jobs.withLock { $0.isEmpty ? nil : $0.removeFirst() }
      job?.runSynchronously(on: executor.asUnownedTaskExecutor())
      if let outcome = result.withLock({ $0 }) { return try outcome.get() }
    }
  }
}
