import CCompositorPlugin
import Synchronization

/// The host's word on whether a frame is still wanted, asked while a call lasts.
final class HostCancellation: Sendable {
  private struct State: ~Copyable {
    var question: (@convention(c) (UnsafeRawPointer?) -> Int32)?
    var data: UnsafeRawPointer?
  }
  private let state: Mutex<State>
  private let canAsk: Bool

  init(_ request: CompositorRequest) {
    canAsk = request.is_cancelled != nil
    state = Mutex(State(question: request.is_cancelled, data: request.host_data))
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
