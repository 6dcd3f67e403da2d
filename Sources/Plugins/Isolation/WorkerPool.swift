import CompositorAPI
import Dispatch
import Synchronization

/// The workers of one plugin: started on demand, used for one call at a time, and replaced when they have ended.
final class WorkerPool: Sendable {
  private struct State {
    var idle: [WorkerProcess] = []
    /// The number of workers that are running or being started.
    var count = 0
    /// The maximum number of workers; reduced when the system cannot start more.
    var limit: Int
    /// The total time that requests have waited since a worker was last started.
    var waited = Duration.zero
    var waiting: [CheckedContinuation<WorkerProcess?, Never>] = []
  }
  private let specification: PluginSpecification
  private let image: PluginImage?
  private let isolation: PluginIsolation
  private let messages: WorkerMessages
  /// The restrictions on the plugin's first worker, which all have.
  private let sandbox: SandboxPolicy
  private let maximum: Int
  /// The approximate cost of starting a worker. Another one is started when requests have waited that long: fast plugins need
  /// no second one, and slow ones lose no more than one start.
  private static let patience = Duration.milliseconds(100)
  private let state: Mutex<State>

  /// - Parameters:
  ///   - sandbox: The restrictions on the plugin's first worker.
  ///   - first: A worker that is already running.
  init(
    _ specification: PluginSpecification, _ image: PluginImage?, _ isolation: PluginIsolation, messages: WorkerMessages,
    sandbox: SandboxPolicy, maximum: Int, first: WorkerProcess? = nil
  ) {
    (self.specification, self.image) = (specification, image)
    self.isolation = isolation
    self.messages = messages
    self.sandbox = sandbox
    self.maximum = maximum
    state = Mutex(State(idle: first.map { [$0] } ?? [], count: first == nil ? 0 : 1, limit: maximum))
  }

  /// Runs a call in a free worker, or starts one, or waits for one.
  func withWorker<Value: Sendable>(
    _ body: (WorkerProcess) throws(CompositorError) -> Value
  ) async throws(CompositorError) -> Value {
    let worker = try await acquire()
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
          return try WorkerProcess(specification, .success(image), isolation, messages: messages, like: sandbox)
        } catch {
          giveUpPlace()
          throw error
        }
      case .wait:
        if let worker = await turn() { return worker }
      }
    }
  }

  /// The next free worker; `nil` if the caller should retry.
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

  /// Starts another worker on a separate thread, because starting blocks. No request waits for this one; another worker may
  /// be free long before.
  private func startAnother() {
    let mayStart = state.withLock { state in
      guard state.count > 0, state.count < state.limit else { return false }
      state.count += 1
      state.waited = .zero
      return true
    }
    guard mayStart else { return }
    do throws(CompositorError) {
      release(try WorkerProcess(specification, .success(image), isolation, messages: messages, like: sandbox))
    } catch {
      // Other workers remain, and requests continue with those. If starting the last one fails, its error is reported.
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

  /// Records that a worker has ended, so that a waiting request may start another.
  private func giveUpPlace() {
    let next = state.withLock { state -> CheckedContinuation<WorkerProcess?, Never>? in
      state.count -= 1
      return state.waiting.isEmpty ? nil : state.waiting.removeFirst()
    }
    next?.resume(returning: nil)
  }
}
