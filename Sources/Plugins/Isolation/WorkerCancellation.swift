import CCompositorPluginProcess
import CCompositorPluginSupervisor
import Foundation
import Synchronization

/// Receives the host's cancellation of frames, which bypasses the stream of requests.
///
/// A cancellation names the request by number: it may arrive just after the request has ended, or before it begins.
final class WorkerCancellation: Sendable {
  private struct State {
    var request: UInt64 = 0
    /// The request of the latest cancellation; 0 before the first.
    var unwanted: UInt64 = 0
    var cancel: (@Sendable () -> Void)?
  }
  private let state = Mutex(State())

  /// Begins the next request.
  func begin(_ request: UInt64) {
    state.withLock { ($0.request, $0.cancel) = (request, nil) }
  }

  /// Sets the action on cancellation; `nil` if the request is over.
  func set(_ cancel: (@Sendable () -> Void)?) {
    let isUnwanted = state.withLock { state in
      state.cancel = cancel
      return state.unwanted == state.request
    }
    if isUnwanted { cancel?() }
  }

  /// Starts listening.
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
