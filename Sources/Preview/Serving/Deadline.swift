/// The error of work that exceeded its time limit.
struct DeadlineExceeded: Error {}

/// Runs work with a time limit, after which it is canceled.
///
/// - Throws: ``DeadlineExceeded``, or the errors of the work.
func withDeadline<Result: Sendable>(
  _ duration: Duration, _ work: @escaping @Sendable () async throws -> Result
) async throws -> Result {
  try await withThrowingTaskGroup(of: Result?.self) { group in
    group.addTask { try await work() }
    group.addTask {
      try await Task.sleep(for: duration)
      return nil
    }
    defer { group.cancelAll() }
    guard let first = try await group.next(), let result = first else { throw DeadlineExceeded() }
    return result
  }
}
