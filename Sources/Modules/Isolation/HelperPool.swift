import CompositorAPI
import Dispatch
import Synchronization

/// The helpers of one module: started as they are needed, used one call at a time, replaced when they are over.
final class HelperPool: Sendable {
  private struct State {
    var idle: [HelperProcess] = []
    /// Helpers that are there or being started.
    var count = 0
    /// As many as the system gave when it gave no more.
    var limit: Int
    /// How long requests have waited for their turn since a helper was started last.
    var waited = Duration.zero
    var waiting: [CheckedContinuation<HelperProcess?, Never>] = []
  }
  private let specification: ModuleSpecification
  private let isolation: ModuleIsolation
  private let maximum: Int
  /// What starting a helper costs, roughly. One more is started when requests have waited as long: modules that are done in no
  /// time need no second one, and no more is lost with slow ones than a start.
  private static let patience = Duration.milliseconds(100)
  private let state: Mutex<State>

  /// - Parameter first: A helper that is there already.
  init(_ specification: ModuleSpecification, _ isolation: ModuleIsolation, maximum: Int, first: HelperProcess? = nil) {
    self.specification = specification
    self.isolation = isolation
    self.maximum = maximum
    state = Mutex(State(idle: first.map { [$0] } ?? [], count: first == nil ? 0 : 1, limit: maximum))
  }

  /// Runs a call in a helper that is free, or starts one, or waits for one.
  func withHelper<Value: Sendable>(
    _ body: (HelperProcess) throws(CompositorError) -> Value
  ) async throws(CompositorError) -> Value {
    let helper = try await acquire()
    defer { release(helper) }
    return try body(helper)
  }

  /// A helper for a call that cannot wait in turn; nil where all are busy.
  func tryWithHelper<Value>(_ body: (HelperProcess) throws(CompositorError) -> Value) throws(CompositorError) -> Value? {
    guard let helper = state.withLock({ $0.idle.popLast() }) else { return nil }
    defer { release(helper) }
    return try body(helper)
  }

  private enum Claim {
    case helper(HelperProcess)
    case start
    case wait
  }

  private func acquire() async throws(CompositorError) -> HelperProcess {
    while true {
      let claim = state.withLock { state -> Claim in
        if let helper = state.idle.popLast() { return .helper(helper) }
        guard state.count == 0 else { return .wait }
        (state.count, state.limit) = (1, maximum)
        return .start
      }
      switch claim {
      case .helper(let helper): return helper
      case .start:
        do throws(CompositorError) {
          return try HelperProcess(specification, isolation)
        } catch {
          giveUpPlace()
          throw error
        }
      case .wait:
        if let helper = await turn() { return helper }
      }
    }
  }

  /// The next helper that is free; nil where it is worth looking again.
  private func turn() async -> HelperProcess? {
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
      release(try HelperProcess(specification, isolation))
    } catch {
      // There are others, and requests go on with those. When the last is over, starting one says what is wrong.
      state.withLock { $0.limit = max(1, $0.count - 1) }
      giveUpPlace()
    }
  }

  private func release(_ helper: HelperProcess) {
    guard !helper.isOver else { return giveUpPlace() }
    let next = state.withLock { state -> CheckedContinuation<HelperProcess?, Never>? in
      guard !state.waiting.isEmpty else {
        state.idle.append(helper)
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.resume(returning: helper)
  }

  /// A helper is over: whoever waits may start another.
  private func giveUpPlace() {
    let next = state.withLock { state -> CheckedContinuation<HelperProcess?, Never>? in
      state.count -= 1
      return state.waiting.isEmpty ? nil : state.waiting.removeFirst()
    }
    next?.resume(returning: nil)
  }
}
