internal import Compositor
internal import Dispatch
internal import Foundation
internal import Synchronization

/// Threads of this module, on which everything runs that a call without `await` starts.
///
/// A program may block every thread of the concurrency pool with calls such as `exportAsynchronously` and a semaphore. What they wait for
/// must not need one of those threads.
final class Worker: TaskExecutor {
  static let shared = Worker(threadCount: 4)

  private struct State {
    var jobs: [UnownedJob] = []
  }

  private let state = Mutex(State())
  private let available = DispatchSemaphore(value: 0)

  private init(threadCount: Int) {
    for number in 1...threadCount {
      let thread = Thread { [unowned self] in self.run() }
      thread.name = "AVFoundation \(number)"
      thread.stackSize = 8 << 20
      thread.start()
    }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.withLock { $0.jobs.append(job) }
    available.signal()
  }

  private func run() {
    while true {
      available.wait()
      let job = state.withLock { $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }
      job?.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
