import CompositorAPI
import Dispatch
import Synchronization

/// The workers of one plugin: started as they are needed, used one call at a time, replaced when they are over.
final class WorkerPool: Sendable {
  private struct State {
    var idle: [WorkerProcess] = []
    /// Workers that are there or being started.
    var count = 0
    /// As many as the system gave when it gave no more.
    var limit: Int
    /// How long requests have waited for their turn since a worker was started last.
    var waited = Duration.zero
    var waiting: [CheckedContinuation<WorkerProcess?, Never>] = []
  }
  private let specification: PluginSpecification
  private let isolation: PluginIsolation
  private let maximum: Int
  /// What starting a worker costs, roughly. One more is started when requests have waited as long: plugins that are done in no
  /// time need no second one, and no more is lost with slow ones than a start.
  private static let patience = Duration.milliseconds(100)
  private let state: Mutex<State>

  /// - Parameter first: A worker that is there already.
  init(_ specification: PluginSpecification, _ isolation: PluginIsolation, maximum: Int, first: WorkerProcess? = nil) {
    self.specification = specification
    self.isolation = isolation
    self.maximum = maximum
    state = Mutex(State(idle: first.map { [$0] } ?? [], count: first == nil ? 0 : 1, limit: maximum))
  }

  /// Runs a call in a worker that is free, or starts one, or waits for one.
  func withWorker<Value: Sendable>(
    _ body: (WorkerProcess) throws(CompositorError) -> Value
  ) async throws(CompositorError) -> Value {
    let worker = try await acquire()
    defer { release(worker) }
    return try body(worker)
  }

  /// A worker for a call that cannot wait in turn; nil where all are busy.
  func tryWithWorker<Value>(_ body: (WorkerProcess) throws(CompositorError) -> Value) throws(CompositorError) -> Value? {
    guard let worker = state.withLock({ $0.idle.popLast() }) else { return nil }
    defer { release(worker) }
    return try body(worker)
  }

  private enum Claim {
    case worker(WorkerProcess)
    case start
    case wait
  }

  private func acquire() async throws(CompositorError) -> WorkerProcess {
    while true {
      let claim = state.withLock { state -> Claim in
        if let worker = state.idle.popLast() { return .worker(worker) }
        guard state.count == 0 else { return .wait }
        (state.count, state.limit) = (1, maximum)
        return .start
      }
      switch claim {
      case .worker(let worker): return worker
      case .start:
        do throws(CompositorError) {
          return try WorkerProcess(specification, isolation)
        } catch {
          giveUpPlace()
          throw error
        }
      case .wait:
        if let worker = await turn() { return worker }
      }
    }
  }

  /// The next worker that is free; nil where it is worth looking again.
  private func turn() async -> WorkerProcess? {
    let start = ContinuousClock.now
    let patience = state.withLock { max(.zero, Self.patience - $0.waited) }
    let growth = DispatchWorkItem { [weak self] in self?.startAnother() }
    DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(Int(patience / .nanoseconds(1))), execute: growth)
    defer {
      growth.cancel()
      state.withLock { $0.waited += ContinuousClock.now - start }
    }
    return await withCheckedContinuation { continuation in
      let isWaiting = state.withLock { state in
        guard state.idle.isEmpty, state.count > 0 else { return false }
        state.waiting.append(continuation)
        return true
      }
      if !isWaiting { continuation.resume(returning: nil) }
    }
  }

  /// Starts one more beside those that work, on a thread that no request runs on: it blocks. Nobody waits for this one, since
  /// theirs may be free long before it is there.
  private func startAnother() {
    let mayStart = state.withLock { state in
      guard state.count > 0, state.count < state.limit else { return false }
      state.count += 1
      state.waited = .zero
      return true
    }
    guard mayStart else { return }
    do throws(CompositorError) {
      release(try WorkerProcess(specification, isolation))
    } catch {
      // There are others, and requests go on with those. When the last is over, starting one says what is wrong.
      state.withLock { $0.limit = max(1, $0.count - 1) }
      giveUpPlace()
    }
  }

  private func release(_ worker: WorkerProcess) {
    guard !worker.isOver else { return giveUpPlace() }
    let next = state.withLock { state -> CheckedContinuation<WorkerProcess?, Never>? in
      guard !state.waiting.isEmpty else {
        state.idle.append(worker)
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.resume(returning: worker)
  }

  /// A worker is over: whoever waits may start another.
  private func giveUpPlace() {
    let next = state.withLock { state -> CheckedContinuation<WorkerProcess?, Never>? in
      state.count -= 1
      return state.waiting.isEmpty ? nil : state.waiting.removeFirst()
    }
    next?.resume(returning: nil)
  }
}
