import CCompositorPluginProcess
import CompositorPlatform

/// One end of the stream between host and worker.
struct WireChannel {
  /// Reasons why no message was received.
  enum Failure: Error {
    /// Nothing arrived within the time limit.
    case timedOut
    /// The other end is gone.
    case ended
    /// The other process is about to crash with this fault.
    case fault(module_fault)
    /// The bytes are not a valid message.
    case nonsense
    /// A reply with descriptors.
    case descriptors
    /// A reply to no request.
    case unasked
    /// A message longer than the limit.
    case tooLong
  }
  struct Message {
    var kind: WireKind
    var number: UInt64
    var payload: [UInt8]
    var descriptors: [Descriptor]
    /// The time until which the message had to arrive, and has to be decoded and checked; `nil` for no limit.
    var expiry: ContinuousClock.Instant?

    /// Checks that there is time left.
    ///
    /// - Throws: `.timedOut`.
    func requireTime() throws(Failure) {
      if let expiry, ContinuousClock.now >= expiry { throw .timedOut }
    }
  }

  let descriptor: Int32

  /// - Parameter expiry: The time until which all must be sent; by default in 10 s.
  func send(
    _ bytes: [UInt8], descriptors: [Int32] = [], until expiry: ContinuousClock.Instant = .now + .seconds(10)
  ) throws(Failure) {
    let timeout = Self.milliseconds(until: expiry)
    let result = module_send(descriptor, bytes, bytes.count, descriptors, Int32(descriptors.count), timeout)
    guard result == 0 else { throw result == -ETIMEDOUT ? .timedOut : .ended }
  }

  /// The next message, which must arrive completely by a point in time; `nil` waits forever.
  ///
  /// - Parameters:
  ///   - maximum: The longest payload, in bytes.
  ///   - takesDescriptors: Whether the message may have descriptors, as requests do. Replies have none: a plugin that sends
  ///     descriptors could fill the host's table of them.
  ///   - meanwhile: Called after each part of the message, and at least every 50 ms until the message is there, if it must
  ///     arrive by a point in time.
  func receive(
    until expiry: ContinuousClock.Instant? = nil, maximum: Int = WireHeader.maximumPayload, takesDescriptors: Bool = false,
    meanwhile: () throws(Failure) -> Void = {}
  ) throws(Failure) -> Message {
    var descriptors: [Descriptor]? = takesDescriptors ? [] : nil
    let head = try read(WireHeader.byteCount, until: expiry, descriptors: &descriptors, meanwhile)
    guard let header = WireReader.header(head) else {
      let fault = head.withUnsafeBytes { $0.loadUnaligned(as: module_fault.self) }
      throw fault.mark == MODULE_FAULT_MARK ? .fault(fault) : .nonsense
    }
    guard header.length <= maximum else { throw .tooLong }
    let payload = try read(header.length, until: expiry, descriptors: &descriptors, meanwhile)
    return Message(
      kind: header.kind, number: header.number, payload: payload, descriptors: descriptors ?? [], expiry: expiry)
  }

  /// - Parameter descriptors: The descriptors received so far; `nil` if none may be sent.
  private func read(
    _ count: Int, until expiry: ContinuousClock.Instant?, descriptors: inout [Descriptor]?,
    _ meanwhile: () throws(Failure) -> Void
  ) throws(Failure) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var position = 0
    var numbers = [Int32](repeating: -1, count: descriptors == nil ? 0 : 4)
    while position < count {
      var found: Int32 = 0
      let result = bytes.withUnsafeMutableBytes { buffer in
        module_receive(
          descriptor, buffer.baseAddress.map { $0 + position }, count - position, &numbers, &found, Int32(numbers.count),
          expiry.map { min(Self.milliseconds(until: $0), Self.longestPause) } ?? -1)
      }
      descriptors?.append(contentsOf: numbers.prefix(Int(found)).map { Descriptor($0) })
      if result != -Int(ETIMEDOUT) { position += try Self.received(result) }
      guard position < count else { break }
      // Whatever came: bytes that come one by one do not prolong the time.
      if let expiry, ContinuousClock.now >= expiry { throw .timedOut }
      try meanwhile()
    }
    return bytes
  }

  /// The number of bytes that were received.
  private static func received(_ result: Int) throws(Failure) -> Int {
    switch result {
    case 1...: return result
    case -Int(EBADMSG): throw .descriptors
    case -Int(EPROTO): throw .nonsense
    default: throw .ended
    }
  }

  /// Milliseconds.
  private static let longestPause: Int32 = 50

  /// Rounded up, so that a short time does not become 0; 0 if the time is over.
  private static func milliseconds(until expiry: ContinuousClock.Instant) -> Int32 {
    let left = expiry - ContinuousClock.now
    return left <= .zero ? 0 : Int32(clamping: Int((left / .milliseconds(1)).rounded(.up)))
  }
}
