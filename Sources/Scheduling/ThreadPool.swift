import Dispatch
import Foundation
import Synchronization

/// Threads shared by lanes of jobs. Lanes with work take turns, one job each, so that no lane waits for the entire queue of
/// another.
///
/// Decoders, encoders and compositors block or compute for a long time. The cooperative pool has only as many threads as there
/// are processors, so a few of them would stop everything else there. Threads start when there is work, and end after being
/// idle for a few seconds.
package final class ThreadPool: Sendable {
  private let core: ThreadPoolCore

  /// - Parameters:
  ///   - threadCount: The maximum number of jobs that run at a time, ≥ 1.
  ///   - mostThreads: The maximum number of jobs that run at a time if lanes would otherwise have none running, so that a few
  ///     jobs that block don't stop the other lanes. By default `threadCount`.
  package init(name: String, threadCount: Int, mostThreads: Int? = nil) {
    core = ThreadPoolCore(name: name, limit: max(1, threadCount), most: max(1, threadCount, mostThreads ?? threadCount))
  }

  deinit { core.close() }

  /// Creates a queue of jobs, of which at most `width` run at a time, in order of submission.
  package func lane(width: Int) -> ThreadLane { ThreadLane(pool: self, core: core, width: max(1, width)) }

  /// The number of existing threads.
  package var threadCount: Int { core.threadCount }

  /// The number of jobs that may run at a time: the pool's own number, and one for each thread that is lost at the moment.
  package var jobLimit: Int { core.jobLimit }
}

/// A queue of jobs on the threads of a pool. Any thread may submit jobs.
package final class ThreadLane: Sendable {
  /// Retained, so that the pool exists as long as any of its lanes.
  private let pool: ThreadPool
  private let core: ThreadPoolCore
  private let id: Int

  fileprivate init(pool: ThreadPool, core: ThreadPoolCore, width: Int) {
    (self.pool, self.core) = (pool, core)
    id = core.addLane(width: width)
  }

  deinit { core.removeLane(id) }

  /// Runs a job on one of the threads.
  package func submit(_ job: @escaping @Sendable () -> Void) { core.submit(job, to: id) }

  /// Replaces a thread that is stuck in a job of this lane, until ``lostThreadReturned()``.
  package func replaceLostThread() { core.replaceLostThread(of: id) }

  /// Removes the replacement of a thread, because the job that it was stuck in has ended. To be called once for each call of
  /// ``replaceLostThread()``, of which it may be slightly ahead.
  package func lostThreadReturned() { core.lostThreadReturned(to: id) }
}

/// The state shared by threads and lanes of a pool.
private final class ThreadPoolCore: Sendable {
  private let name: String
  private let state: Mutex<ThreadPoolState>
  private let available = DispatchSemaphore(value: 0)
  private static let idleSeconds = 5.0

  init(name: String, limit: Int, most: Int) {
    self.name = name
    state = Mutex(ThreadPoolState(limit: limit, most: most))
  }

  var threadCount: Int { state.withLock { $0.idle + $0.busy } }
  var jobLimit: Int { state.withLock { $0.limit } }

  func addLane(width: Int) -> Int { state.withLock { $0.addLane(width: width) } }

  func removeLane(_ id: Int) { state.withLock { $0.removeLane(id) } }

  func submit(_ job: @escaping @Sendable () -> Void, to id: Int) {
    start(
      state.withLock { state in
        state.append(job, to: id)
        return state.claimThread()
      })
  }

  func replaceLostThread(of id: Int) {
    start(
      state.withLock { state in
        state.widen(id, by: 1)
        return state.claimThread()
      })
  }

  /// Threads beyond the limit take no further job, and end when they have been idle for long enough.
  func lostThreadReturned(to id: Int) { state.withLock { $0.widen(id, by: -1) } }

  /// Ends every thread once there is nothing left to do.
  func close() {
    let count = state.withLock { $0.close() }
    for _ in 0..<count { available.signal() }
  }

  private func start(_ claim: ThreadPoolState.Claim) {
    switch claim {
    case .none: break
    case .idleThread: available.signal()
    case .newThread:
      let thread = Thread { [self] in
        // The name for debuggers and profilers. Foundation sets the system's name only for the current thread.
        Thread.current.name = name
        work()
      }
      thread.stackSize = 8 << 20
      thread.start()
    }
  }

  private func work() {
    while true {
      switch state.withLock({ $0.next() }) {
      case .run(let job, let id, let claim):
        start(claim)
        run(job)
        state.withLock { $0.finish(id) }
      case .wait: guard waitForWork() else { return }
      case .end: return
      }
    }
  }

  /// A separate function, so that the job is released when it returns: a job may hold the last reference to its lane or to the
  /// pool.
  private func run(_ job: () -> Void) { job() }

  /// Waits until there may be a job; `false` if the thread should end.
  private func waitForWork() -> Bool {
    guard available.wait(timeout: .now() + Self.idleSeconds) == .timedOut else { return true }
    guard state.withLock({ $0.leave() }) else {
      // This thread has been woken in the meantime.
      available.wait()
      return true
    }
    return false
  }
}

/// The lanes of a pool, and the states of its threads. Protected by the pool's lock.
private struct ThreadPoolState {
  typealias Job = @Sendable () -> Void
  /// The thread that the submitter of a job must start or wake.
  enum Claim { case none, idleThread, newThread }
  /// The next step of a thread. A job comes with a claim for another thread, which takes the next waiting job.
  enum Step {
    case run(Job, lane: Int, Claim)
    case wait, end
  }
  private struct Lane {
    var width: Int
    var jobs: [Job?] = []
    var head = 0
    var running = 0
    var isReady = false
    /// Whether no more jobs can be submitted.
    var isOver = false
    var isEmpty: Bool { head == jobs.count }
  }

  private(set) var limit: Int
  private var most: Int
  private var lanes: [Int: Lane] = [:]
  private var lastID = 0
  /// Lanes with a job that may run, in order.
  private var ready: [Int] = []
  private(set) var idle = 0
  /// The number of threads that have a job or are about to take one.
  private(set) var busy = 0
  /// The number of threads about to take a job.
  private var waking = 0
  private var isClosed = false

  init(limit: Int, most: Int) { (self.limit, self.most) = (limit, most) }

  // MARK: lanes

  mutating func addLane(width: Int) -> Int {
    lastID += 1
    lanes[lastID] = Lane(width: width)
    return lastID
  }

  mutating func removeLane(_ id: Int) {
    lanes[id]?.isOver = true
    removeIfOver(id)
  }

  private mutating func removeIfOver(_ id: Int) {
    guard let lane = lanes[id], lane.isOver, lane.isEmpty, lane.running == 0 else { return }
    lanes[id] = nil
  }

  mutating func append(_ job: @escaping Job, to id: Int) {
    lanes[id]?.jobs.append(job)
    makeReady(id)
  }

  /// Changes the number of jobs that may run, of the pool and of a lane.
  mutating func widen(_ id: Int, by count: Int) {
    limit += count
    most += count
    lanes[id]?.width += count
    makeReady(id)
  }

  private mutating func makeReady(_ id: Int) {
    guard let lane = lanes[id], !lane.isReady, !lane.isEmpty, lane.running < lane.width else { return }
    lanes[id]?.isReady = true
    ready.append(id)
  }

  /// Whether a job of a lane may run in addition to `others` threads: within the limit, or up to the maximum if the lane has
  /// none running.
  private func mayRun(_ id: Int, beside others: Int) -> Bool {
    others < limit || (others < most && lanes[id]?.running == 0)
  }

  // MARK: threads

  /// Claims a thread if there is more work than threads about to take it.
  mutating func claimThread() -> Claim {
    guard ready.count > waking, ready.contains(where: { mayRun($0, beside: busy) }) else { return .none }
    busy += 1
    waking += 1
    guard idle > 0 else { return .newThread }
    idle -= 1
    return .idleThread
  }

  /// The next step of a thread about to take a job.
  mutating func next() -> Step {
    guard let turn = ready.firstIndex(where: { mayRun($0, beside: busy - 1) }), let job = popJob(of: ready[turn]) else {
      waking -= 1
      busy -= 1
      guard !isClosed else { return .end }
      idle += 1
      return .wait
    }
    let id = ready.remove(at: turn)
    waking -= 1
    makeReady(id)
    return .run(job, lane: id, claimThread())
  }

  private mutating func popJob(of id: Int) -> Job? {
    guard var lane = lanes.removeValue(forKey: id) else { return nil }
    defer { lanes[id] = lane }
    lane.isReady = false
    // Moved out, so that nothing is released under the lock.
    let job = lane.jobs[lane.head].take()
    lane.head += 1
    lane.running += 1
    if lane.isEmpty || lane.head > 64 {
      lane.jobs.removeFirst(lane.head)
      lane.head = 0
    }
    return job
  }

  /// Marks a job as finished. Its thread is about to take the next one.
  mutating func finish(_ id: Int) {
    lanes[id]?.running -= 1
    waking += 1
    makeReady(id)
    removeIfOver(id)
  }

  /// Removes a thread that was idle for a long time; `false` if it was woken.
  mutating func leave() -> Bool {
    guard idle > 0 else { return false }
    idle -= 1
    return true
  }

  /// - Returns: The number of threads to wake so that they end.
  mutating func close() -> Int {
    isClosed = true
    defer { (busy, waking, idle) = (busy + idle, waking + idle, 0) }
    return idle
  }
}
