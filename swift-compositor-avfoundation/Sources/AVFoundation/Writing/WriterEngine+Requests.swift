internal import Dispatch
internal import Foundation

/// Calls of programs that ask for samples.
extension WriterEngine {
  /// How long a block that appended nothing is left alone.
  private static let pause = DispatchTimeInterval.milliseconds(10)

  /// Calls a block whenever an input is ready, until it is finished.
  func request(_ index: Int, _ request: Request) {
    locked {
      guard status != .unknown else { return earlyRequests[index] = request }
      guard inputs.indices.contains(index) else { return }
      precondition(inputs[index].request == nil, "An input asks for media data once.")
      if !inputs[index].isFinished { inputs[index].request = request }
    }
    call(index)
  }

  /// Calls the block of an input, if it has one and is ready.
  func call(_ index: Int, after pause: DispatchTimeInterval? = nil) {
    let request = locked { () -> Request? in
      guard sessionStart != nil || status == .failed, isReadyNow(index), !inputs[index].isCalling,
        let request = inputs[index].request
      else { return nil }
      inputs[index].isCalling = true
      inputs[index].appendedCount = 0
      // After a failure a program is called once more, to learn of it.
      if status == .failed { inputs[index].request = nil }
      return request
    }
    guard let request else { return }
    let work: @Sendable () -> Void = { [self] in
      if isReady(index) { request.block() }
      let hasAppended = locked {
        inputs[index].isCalling = false
        return inputs[index].appendedCount > 0
      }
      call(index, after: hasAppended ? nil : Self.pause)
    }
    if let pause {
      request.queue.asyncAfter(deadline: .now() + pause, execute: work)
    } else {
      request.queue.async(execute: work)
    }
  }
}
