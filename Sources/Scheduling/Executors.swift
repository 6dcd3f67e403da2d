/// An executor that runs one actor on a separate thread, so that the actor may block.
package final class SerialThread: SerialExecutor {
  private let lane: ThreadLane

  /// Creates an executor with its own thread.
  package init(name: String) { lane = ThreadPool(name: name, threadCount: 1).lane(width: 1) }

  /// Creates an executor on the threads of a pool, one at a time.
  package init(sharing pool: ThreadPool) { lane = pool.lane(width: 1) }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    lane.submit { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  package func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
}

/// The executor for composing, with as many concurrent frames as threads, and for other work of tasks that may block.
package final class ComposeThreads: TaskExecutor {
  private let lane: ThreadLane

  /// Creates an executor with its own threads.
  package init(count: Int, name: String = "compose") { lane = ThreadPool(name: name, threadCount: count).lane(width: count) }

  /// Creates an executor on the threads of a pool, at most `width` of them at a time.
  package init(sharing pool: ThreadPool, width: Int) { lane = pool.lane(width: width) }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    lane.submit { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }

  /// Replaces a thread that a compositor doesn't return.
  package func replaceLostThread() { lane.replaceLostThread() }

  /// Removes the replacement of a thread that a compositor has returned after all.
  package func lostThreadReturned() { lane.lostThreadReturned() }
}
