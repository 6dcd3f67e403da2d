import CCompositorPlugin
import CompositorAPI
import Dispatch
import Synchronization

/// Runs a task's jobs on the thread that waits for it: a blocking call from C meets an `async` method without a second thread
/// in between.
final class CallerExecutor: TaskExecutor {
  private let jobs = Mutex<[UnownedJob]>([])
  private let available = DispatchSemaphore(value: 0)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    available.signal()
  }

  /// Composes, and returns when the frame is there.
  static func run(
    _ request: CompositionRequest, on composer: any FrameComposer, cancellation: HostCancellation
  ) throws -> Frame {
    let executor = CallerExecutor()
    let result = Mutex<Result<Frame, any Error>?>(nil)
    let task = Task(executorPreference: executor) {
      let outcome: Result<Frame, any Error>
      do { outcome = .success(try await composer.compose(request)) } catch { outcome = .failure(error) }
      result.withLock { $0 = outcome }
      executor.available.signal()
    }
    let watch = cancellation.watch { task.cancel() }
    defer {
      watch?.cancel()
      cancellation.end()
    }
    while true {
      executor.available.wait()
      let job = executor.jobs.withLock { $0.isEmpty ? nil : $0.removeFirst() }
      job?.runSynchronously(on: executor.asUnownedTaskExecutor())
      if let outcome = result.withLock({ $0 }) { return try outcome.get() }
    }
  }
}

/// The host's word on whether a frame is still wanted, asked while a call lasts.
final class HostCancellation: Sendable {
  private typealias Question = @convention(c) (UnsafeRawPointer?) -> Int32
  private struct State: ~Copyable {
    var question: Question?
    nonisolated(unsafe) var data: UnsafeRawPointer?
  }
  private let state: Mutex<State>
  private let canAsk: Bool

  init(_ request: CompositorRequest) {
    state = Mutex(State(question: request.is_cancelled, data: request.host_data))
    canAsk = request.is_cancelled != nil
  }

  /// Asks now and then; cancel what it returns when the call ends.
  func watch(_ cancel: @escaping @Sendable () -> Void) -> Task<Void, Never>? {
    guard canAsk else { return nil }
    return Task.detached { [self] in
      while !Task.isCancelled {
        do { try await Task.sleep(for: .milliseconds(20)) } catch { return }
        guard let answer = ask() else { return }
        if answer { return cancel() }
      }
    }
  }

  /// After this the host is not asked any more: its data are gone.
  func end() { state.withLock { $0.question = nil } }

  private func ask() -> Bool? {
    state.withLock { state in state.question.map { $0(state.data) != 0 } }
  }
}
