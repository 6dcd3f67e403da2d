import CompositorAPI

/// A request to a worker: the messages that precede it and its reply have one deadline together, so that a plugin which reads each of
/// them late gains nothing.
struct WorkerCall {
  let worker: WorkerProcess
  private let expiry: ContinuousClock.Instant

  /// Begins the request.
  init(_ worker: WorkerProcess) {
    self.worker = worker
    expiry = worker.expiry
  }

  /// Sends messages without replies, with descriptors attached to the first.
  func send(_ bytes: [UInt8], descriptors: [Int32] = []) throws(CompositorError) {
    try worker.send(bytes, descriptors: descriptors, until: expiry)
  }

  /// Sends messages, the last of which has a reply, and reads the reply.
  func ask<Value>(_ bytes: [UInt8], _ read: (inout WireReader) throws -> Value) throws(CompositorError) -> Value {
    try worker.ask(bytes, until: expiry, read)
  }
}
