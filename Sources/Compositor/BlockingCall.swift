import CompositorPluginBridge

/// Asynchronous work for code that cannot be `async`.
public enum BlockingCall {
  /// Runs work to its end on the calling thread, which waits meanwhile. The work needs no other thread to be free: many threads may
  /// call at the same time, also those of the concurrency pool, without starving each other.
  ///
  /// ```swift
  /// let images = try BlockingCall.run { try await edit.stills(at: [.seconds(1)]) }
  /// ```
  ///
  /// - Throws: What the work throws.
  public static func run<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) throws -> Value {
    try CallerExecutor.run(work) { _ in }
  }
}
