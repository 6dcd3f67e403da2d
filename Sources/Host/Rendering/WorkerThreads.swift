import Dispatch
import Foundation
import Synchronization

/// Threads of our own that run jobs in the order they come.
///
/// Decoders, encoders and compositors block or compute for long; on the shared cooperative threads, of which there are as
/// many as processors, two of them would stop everything else.
final class WorkerThreads: Sendable {
  private let queue: JobQueue
  private let name: String

  /// Starts `count` threads; they end when the last reference is gone and the jobs are done.
  init(count: Int, name: String) {
    queue = JobQueue()
    self.name = name
    for _ in 0..<count { addThread() }
  }

  deinit { queue.close() }

  /// Runs a job on one of the threads.
  func submit(_ job: @escaping @Sendable () -> Void) { queue.push(job) }

  /// Starts one more thread, in the place of one that is lost in a job that does not end.
  func addThread() {
    let thread = Thread { [queue] in
      while let job = queue.pop() { job() }
    }
    thread.name = name
    thread.stackSize = 8 << 20
    queue.countThread()
    thread.start()
  }
}

/// Jobs on their way to threads.
private final class JobQueue: Sendable {
  private struct State {
    var jobs: [@Sendable () -> Void] = []
    var head = 0
    var threadCount = 0
  }
  private let state = Mutex(State())
  private let available = DispatchSemaphore(value: 0)

  func push(_ job: @escaping @Sendable () -> Void) {
    state.withLock { $0.jobs.append(job) }
    available.signal()
  }

  /// The next job; nil once the queue is closed and empty. Waits.
  func pop() -> (@Sendable () -> Void)? {
    available.wait()
    return state.withLock { state in
      guard state.head < state.jobs.count else { return nil }
      let job = state.jobs[state.head]
      state.head += 1
      if state.head == state.jobs.count {
        state.jobs.removeAll(keepingCapacity: true)
        state.head = 0
      }
      return job
    }
  }

  func countThread() { state.withLock { $0.threadCount += 1 } }

  /// Lets every thread find the queue empty once.
  func close() {
    let count = state.withLock { $0.threadCount }
    for _ in 0..<count { available.signal() }
  }
}

/// One thread for one actor: what the actor does blocks nobody else.
package final class SerialThread: SerialExecutor {
  private let threads: WorkerThreads

  package init(name: String) { threads = WorkerThreads(count: 1, name: name) }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    threads.submit { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  package func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
}

/// The threads that compose: as many frames at a time as there are threads.
package final class ComposeThreads: TaskExecutor {
  private let threads: WorkerThreads

  package init(count: Int, name: String = "compose") { threads = WorkerThreads(count: count, name: name) }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    threads.submit { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }

  /// Makes up for a thread that a compositor does not give back.
  func replaceLostThread() { threads.addThread() }
}
