import Compositor
import Dispatch
import Foundation
import Synchronization
import Testing

/// The pool of the concurrency runtime with all of its threads blocked. Only one test may use it at a time.
enum BlockedPool {
  /// A meeting of blocked callers, each on its own thread of the pool.
  private final class Meeting: Sendable {
    private let count: Int
    private let arrived = Atomic<Int>(0)
    private let all = DispatchSemaphore(value: 0)
    private let left = DispatchSemaphore(value: 0)

    init(_ count: Int) { self.count = count }

    /// Waits until all callers are here.
    func arrive() {
      if arrived.add(1, ordering: .relaxed).newValue == count { for _ in 0..<count { all.signal() } }
      all.wait()
    }

    func leave() { left.signal() }

    /// Whether all callers leave within a time.
    func isOver(within seconds: Double) -> Bool {
      let end = DispatchTime.now() + seconds
      return (0..<count).allSatisfy { _ in left.wait(timeout: end) == .success }
    }
  }

  /// Makes a call from as many blocked threads as the pool has.
  static func results<Value: Sendable>(
    _ call: @escaping @Sendable () async throws -> Value
  ) async throws -> [Value] {
    let count = ProcessInfo.processInfo.activeProcessorCount
    let meeting = Meeting(count)
    let results = Mutex<[Result<Value, any Error>]>([])
    let block: @Sendable () -> Void = {
      meeting.arrive()
      let result = Result { try BlockingCall.run(call) }
      results.withLock { $0.append(result) }
      meeting.leave()
    }
    for _ in 0..<count { Task.detached(operation: { block() }) }
    let isOver = await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        let isOver = meeting.isOver(within: 120)
        // Threads of the pool that stay blocked would stop every other test without a word.
        precondition(isOver, "a blocked caller waits for a thread of the pool")
        continuation.resume(returning: isOver)
      }
    }
    try #require(isOver)
    return try results.withLock { $0 }.map { try $0.get() }
  }
}
