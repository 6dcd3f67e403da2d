import CompositorPluginBridge

/// Runs asynchronous work from code that cannot be `async`.
public enum BlockingCall {
  /// Runs work to completion on the calling thread, which is blocked in the meantime. No other thread has to be free, so many
  /// threads, including those of the concurrency pool, can call this method at the same time without starving each other.
  ///
  /// ```swift
  /// let images = try BlockingCall.run { try await edit.stills(at: [.seconds(1)]) }
  /// ```
  ///
  /// - Throws: Any error of the work.
  public static func run<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) throws -> Value {
    try CallerExecutor.run(work) { _ in }
  }
}
