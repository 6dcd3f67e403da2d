import CCompositorPluginProcess
import Foundation
import Synchronization

/// The host's word that a frame is not wanted any more: it comes beside the stream of requests.
///
/// The word names the request by its number: it may come when that one has just ended, or when it has not begun.
final class WorkerCancellation: Sendable {
  private struct State {
    var request: UInt64 = 0
    /// The request that the last word was about; 0 before the first.
    var unwanted: UInt64 = 0
    var cancel: (@Sendable () -> Void)?
  }
  private let state = Mutex(State())

  /// The next request begins.
  func begin(_ request: UInt64) {
    state.withLock { ($0.request, $0.cancel) = (request, nil) }
  }

  /// What is to be done when the word comes; nil where the request is over.
  func set(_ cancel: (@Sendable () -> Void)?) {
    let isUnwanted = state.withLock { state in
      state.cancel = cancel
      return state.unwanted == state.request
    }
    if isUnwanted { cancel?() }
  }

  /// Listens from now on.
  func start() {
    let thread = Thread { [self] in
      var bytes: [UInt8] = []
      var byte: UInt8 = 0
      while module_receive(Int32(MODULE_CONTROL), &byte, 1, nil, nil, 0, -1) > 0 {
        bytes.append(byte)
        guard bytes.count == MemoryLayout<UInt64>.size else { continue }
        var reader = WireReader(bytes)
        bytes.removeAll(keepingCapacity: true)
        if let request = try? reader.integer(UInt64.self) { cancel(request) }
      }
    }
    thread.name = "cancellation"
    thread.start()
  }

  private func cancel(_ request: UInt64) {
    let cancel = state.withLock { state in
      state.unwanted = request
      return state.request == request ? state.cancel : nil
    }
    cancel?()
  }
}
