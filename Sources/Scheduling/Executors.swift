/// One thread at a time for one actor: what the actor does blocks nobody else.
package final class SerialThread: SerialExecutor {
  private let lane: ThreadLane

  /// A thread of its own.
  package init(name: String) { lane = ThreadPool(name: name, threadCount: 1).lane(width: 1) }

  /// The threads of a pool, one at a time.
  package init(sharing pool: ThreadPool) { lane = pool.lane(width: 1) }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    lane.submit { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  package func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
}

/// The threads that compose: as many frames at a time as there are threads.
package final class ComposeThreads: TaskExecutor {
  private let lane: ThreadLane

  /// Threads of their own.
  package init(count: Int, name: String = "compose") { lane = ThreadPool(name: name, threadCount: count).lane(width: count) }

  /// The threads of a pool, at most `width` of them at a time.
  package init(sharing pool: ThreadPool, width: Int) { lane = pool.lane(width: width) }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    lane.submit { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }

  /// Makes up for a thread that a compositor does not give back.
  package func replaceLostThread() { lane.replaceLostThread() }
}
