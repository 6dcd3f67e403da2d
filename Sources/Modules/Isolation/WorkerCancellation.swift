import CModuleProcess
import Foundation
import Synchronization

/// The host's word that a frame is not wanted any more: it comes beside the stream of requests.
final class WorkerCancellation: Sendable {
  private let cancel = Mutex<(@Sendable () -> Void)?>(nil)

  /// What is to be done when the word comes; nil between requests.
  func set(_ cancel: (@Sendable () -> Void)?) { self.cancel.withLock { $0 = cancel } }

  /// Listens from now on.
  func start() {
    let thread = Thread { [self] in
      var byte: UInt8 = 0
      while module_receive(Int32(MODULE_CONTROL), &byte, 1, nil, nil, 0, -1) > 0 {
        let cancel = cancel.withLock { $0 }
        cancel?()
      }
    }
    thread.name = "cancellation"
    thread.start()
  }
}
