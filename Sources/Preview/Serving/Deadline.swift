/// Something took longer than it may.
struct DeadlineExceeded: Error {}

/// Runs work that has to be done after a while at the latest; it is canceled then.
///
/// - Throws: ``DeadlineExceeded``, or what the work throws.
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
