/// Work that can be canceled from outside the task that waits for it.
///
/// The work is a child of that task, so it runs on the executor that the task prefers. An unstructured task would run on the
/// concurrency pool, which never gets to it while all threads of the pool are blocked by callers that wait for such work.
package final class CancellableCall: Sendable {
  private let cancellations: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  /// Creates a call that has not begun. It can be canceled already.
  package init() {
    (cancellations, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  }

  /// Cancels the work, before it begins or during it; has no effect after its end. Can be called from any thread.
  package func cancel() {
    continuation.yield()
    continuation.finish()
  }

  /// Runs the work once. It is also canceled with the calling task.
  ///
  /// - Returns: What the work returned or threw.
  package func run<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async -> Result<Value, any Error> {
    let cancellations = cancellations
    return await withTaskGroup(of: Result<Value, any Error>?.self) { group in
      group.addTask {
        do { return .success(try await work()) } catch { return .failure(error) }
      }
      group.addTask {
        for await _ in cancellations { break }
        return nil
      }
      var outcome: Result<Value, any Error>?
      while let next = await group.next() {
        outcome = next ?? outcome
        // Either the work is over, and nothing needs to wait for its cancellation, or it was canceled.
        group.cancelAll()
      }
      return outcome ?? .failure(CancellationError())
    }
  }
}
