internal import Compositor
internal import Foundation
internal import Synchronization

/// What several threads know of an export.
final class SessionState: Sendable {
  struct Values {
    var status = AVAssetExportSession.Status.unknown
    var error: (any Error)?
    var fraction: Float = 0
    var cancel: (@Sendable () -> Void)?
    var isCanceled = false
  }

  private let values = Mutex(Values())

  var current: Values { values.withLock { $0 } }

  /// Takes the session for an export; false if it has been taken before.
  func begin() -> Bool {
    values.withLock { values in
      guard values.status == .unknown else { return false }
      values.status = .waiting
      return true
    }
  }

  /// Says how an export can be canceled, and cancels it if that was asked for before.
  func canCancel(_ cancel: @escaping @Sendable () -> Void) {
    let isLate = values.withLock { values in
      values.cancel = cancel
      return values.isCanceled
    }
    if isLate { cancel() }
  }

  func cancel() {
    let cancel = values.withLock { values in
      values.isCanceled = true
      // A session that was canceled before its start ends as soon as it starts.
      return values.cancel
    }
    cancel?()
  }

  /// Notes progress, which never falls.
  func note(_ fraction: Double) {
    values.withLock { values in
      if values.status == .waiting { values.status = .exporting }
      values.fraction = max(values.fraction, Float(min(fraction, 1)))
    }
  }

  func end(_ error: (any Error)?) {
    let isCanceled = (error as? AVError)?.code == .operationCancelled
    values.withLock { values in
      values.error = error
      values.status = error == nil ? .completed : isCanceled ? .cancelled : .failed
      if error == nil { values.fraction = 1 }
      values.cancel = nil
    }
  }
}
