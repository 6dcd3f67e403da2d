/// One thread for one actor: what the actor does blocks nobody else.
final class SerialThread: SerialExecutor {
  private let threads: WorkerThreads

  init(name: String) { threads = WorkerThreads(count: 1, name: name) }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    threads.submit { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
}

/// The threads that compose: as many frames at a time as there are threads.
final class ComposeThreads: TaskExecutor {
  private let threads: WorkerThreads

  init(count: Int) { threads = WorkerThreads(count: count, name: "compose") }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    threads.submit { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }

  /// Makes up for a thread that a compositor does not give back.
  func replaceLostThread() { threads.addThread() }
}
