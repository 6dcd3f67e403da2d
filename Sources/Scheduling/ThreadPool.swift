import Dispatch
import Foundation
import Synchronization

/// Threads that lanes of jobs share: lanes that have work take turns, one job each, so that none waits for the length of another's queue.
///
/// Decoders, encoders and compositors block or compute for long; on the shared cooperative threads, of which there are as
/// many as processors, two of them would stop everything else. Threads start when there is work and end when they were idle for a while.
package final class ThreadPool: Sendable {
  private let core: ThreadPoolCore

  /// - Parameters:
  ///   - threadCount: Jobs that run at a time, ≥ 1.
  ///   - mostThreads: Jobs that run at a time where lanes would else have none running: a few that block do not stop the others. By
  ///     default `threadCount`.
  package init(name: String, threadCount: Int, mostThreads: Int? = nil) {
    core = ThreadPoolCore(name: name, limit: max(1, threadCount), most: max(1, threadCount, mostThreads ?? threadCount))
  }

  deinit { core.close() }

  /// A queue of jobs of which at most `width` run at a time, in the order they come.
  package func lane(width: Int) -> ThreadLane { ThreadLane(pool: self, core: core, width: max(1, width)) }

  /// Threads that exist now.
  package var threadCount: Int { core.threadCount }
}

/// A queue of jobs on the threads of a pool. Any thread may submit.
package final class ThreadLane: Sendable {
  /// The pool's threads end with its last lane.
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

  /// Makes up for a thread that is lost in a job of this lane that does not end.
  package func replaceLostThread() { core.replaceLostThread(of: id) }
}

/// What threads and lanes of a pool share.
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
        state.widen(id)
        return state.claimThread()
      })
  }

  /// Lets every thread end once nothing is to do.
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
        // What debuggers and profilers show; Foundation tells the system a name of the current thread only.
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

  /// The job is gone when this returns: it may hold the last reference to its lane, or to the pool.
  private func run(_ job: () -> Void) { job() }

  /// Waits until there may be a job; false where the thread is to end.
  private func waitForWork() -> Bool {
    guard available.wait(timeout: .now() + Self.idleSeconds) == .timedOut else { return true }
    guard state.withLock({ $0.leave() }) else {
      // Somebody has woken this thread in the meantime.
      available.wait()
      return true
    }
    return false
  }
}

/// The lanes of a pool, and what its threads do; under the pool's lock.
private struct ThreadPoolState {
  typealias Job = @Sendable () -> Void
  /// The thread that somebody who brought work has to set going.
  enum Claim { case none, idleThread, newThread }
  /// What a thread does next; with a job comes the thread to set going for what else waits.
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
    /// Nobody can submit any more.
    var isOver = false
    var isEmpty: Bool { head == jobs.count }
  }

  private var limit: Int
  private var most: Int
  private var lanes: [Int: Lane] = [:]
  private var lastID = 0
  /// Lanes with a job that may run, in the order of their turns.
  private var ready: [Int] = []
  private(set) var idle = 0
  /// Threads with a job, and those on their way to one.
  private(set) var busy = 0
  /// Threads on their way to a job.
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

  mutating func widen(_ id: Int) {
    limit += 1
    most += 1
    lanes[id]?.width += 1
    makeReady(id)
  }

  private mutating func makeReady(_ id: Int) {
    guard let lane = lanes[id], !lane.isReady, !lane.isEmpty, lane.running < lane.width else { return }
    lanes[id]?.isReady = true
    ready.append(id)
  }

  /// Whether a job of a lane may run beside `others` threads: within the limit, and a lane of which none runs up to the most.
  private func mayRun(_ id: Int, beside others: Int) -> Bool {
    others < limit || (others < most && lanes[id]?.running == 0)
  }

  // MARK: threads

  /// The thread that is to come for work, if there is more of it than threads on their way.
  mutating func claimThread() -> Claim {
    guard ready.count > waking, ready.contains(where: { mayRun($0, beside: busy) }) else { return .none }
    busy += 1
    waking += 1
    guard idle > 0 else { return .newThread }
    idle -= 1
    return .idleThread
  }

  /// What a thread on its way does.
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
    // Taken out, so that nothing is let go of under the lock.
    let job = lane.jobs[lane.head].take()
    lane.head += 1
    lane.running += 1
    if lane.isEmpty || lane.head > 64 {
      lane.jobs.removeFirst(lane.head)
      lane.head = 0
    }
    return job
  }

  /// A job has ended; its thread is on its way to the next.
  mutating func finish(_ id: Int) {
    lanes[id]?.running -= 1
    waking += 1
    makeReady(id)
    removeIfOver(id)
  }

  /// A thread was idle for long; false where it has been woken.
  mutating func leave() -> Bool {
    guard idle > 0 else { return false }
    idle -= 1
    return true
  }

  /// - Returns: How many threads are to be woken so that they end.
  mutating func close() -> Int {
    isClosed = true
    defer { (busy, waking, idle) = (busy + idle, waking + idle, 0) }
    return idle
  }
}
