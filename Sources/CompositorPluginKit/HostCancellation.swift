import CCompositorPlugin
import Synchronization

/// Asks the host during a call whether the frame was canceled.
final class HostCancellation: Sendable {
  /// The host's function. It may be called on any thread until the call ends; `isOver` prevents later calls.
  private let question: (@convention(c) (UnsafeRawPointer?) -> Int32)?
  /// The argument of `question`, never read here. Valid until the call ends.
  nonisolated(unsafe) private let data: UnsafeRawPointer?
  private let isOver = Mutex(false)

  init(_ request: CompositorRequest) {
    question = request.is_cancelled
    data = request.host_data
  }

  /// Polls the host every 20 ms, and calls `cancel` once the frame is canceled. Cancel the returned task when the call ends.
  func watch(_ cancel: @escaping @Sendable () -> Void) -> Task<Void, Never>? {
    guard question != nil else { return nil }
    return Task.detached { [self] in
      while !Task.isCancelled {
        do { try await Task.sleep(for: .milliseconds(20)) } catch { return }
        guard let answer = ask() else { return }
        if answer { return cancel() }
      }
    }
  }

  /// Stops queries to the host, whose data is not valid after the call.
  func end() { isOver.withLock { $0 = true } }

  private func ask() -> Bool? {
    isOver.withLock { isOver in isOver ? nil : question.map { $0(data) != 0 } }
  }
}
