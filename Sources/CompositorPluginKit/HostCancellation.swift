import CCompositorPlugin
import Synchronization

/// The host's word on whether a frame is still wanted, asked while a call lasts.
final class HostCancellation: Sendable {
  /// The host's, to be asked on any thread until the call ends; `isOver` sees to that.
  private let question: (@convention(c) (UnsafeRawPointer?) -> Int32)?
  nonisolated(unsafe) private let data: UnsafeRawPointer?
  private let isOver = Mutex(false)

  init(_ request: CompositorRequest) {
    question = request.is_cancelled
    data = request.host_data
  }

  /// Asks now and then; cancel what it returns when the call ends.
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

  /// After this the host is not asked any more: its data are gone.
  func end() { isOver.withLock { $0 = true } }

  private func ask() -> Bool? {
    isOver.withLock { isOver in isOver ? nil : question.map { $0(data) != 0 } }
  }
}
