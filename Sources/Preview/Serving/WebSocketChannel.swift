import Foundation

/// A WebSocket connection: strings in, strings and bytes out.
///
/// One task reads, another writes; outgoing messages wait in a bounded queue.
final class WebSocketChannel: Sendable {
  /// An outgoing message.
  enum Outgoing: Sendable {
    case text(String)
    /// A JSON header, and bytes.
    case binary(header: Data, body: Data)
    case pong([UInt8])
    case close(UInt16)
  }

  private let connection: Connection
  private let rest: [UInt8]
  private let queue: AsyncStream<Outgoing>
  private let entry: AsyncStream<Outgoing>.Continuation

  /// - Parameter rest: Bytes received after the request.
  init(_ connection: Connection, rest: [UInt8]) {
    (self.connection, self.rest) = (connection, rest)
    (queue, entry) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(ServingLimits.queuedMessageCount))
  }

  /// Queues a message; does nothing once the channel is closed. A page that requests more than it reads is disconnected.
  func send(_ outgoing: Outgoing) {
    if case .dropped = entry.yield(outgoing) { entry.finish() }
  }

  /// Writes queued messages until the channel is closed.
  func write() async throws {
    for await outgoing in queue {
      switch outgoing {
      case .text(let text): try await write(.text, Data(text.utf8))
      case .binary(let header, let body):
        var payload = Data(capacity: 4 + header.count + body.count)
        withUnsafeBytes(of: UInt32(header.count).littleEndian) { payload.append(contentsOf: $0) }
        payload.append(header)
        payload.append(body)
        try await write(.binary, payload)
      case .pong(let payload): try await write(.pong, Data(payload))
      case .close(let code):
        try await write(.close, Data([UInt8(code >> 8), UInt8(code & 0xFF)]))
        return
      }
    }
  }

  private func write(_ kind: WebSocketFrame.Kind, _ payload: Data) async throws {
    try await connection.write(WebSocketFrame.header(kind, count: payload.count) + payload)
  }

  /// Passes on every string that the page sends, one after another, until it closes or violates the protocol.
  func read(_ receive: (String) async -> Void) async throws {
    defer { entry.finish() }
    var received = rest
    var message: [UInt8]?
    do {
      while true {
        while let (frame, count) = try WebSocketFrame.parse(received, limit: ServingLimits.messageByteCount) {
          received.removeFirst(count)
          guard try await take(frame, &message, receive) else { return }
        }
        guard let more = try await connection.bytes() else { return }
        received += more
      }
    } catch let mistake as WebSocketFrame.Mistake {
      send(.close(mistake.rawValue))
    }
  }

  /// - Returns: Whether more may come.
  private func take(
    _ frame: WebSocketFrame, _ message: inout [UInt8]?, _ receive: (String) async -> Void
  ) async throws(WebSocketFrame.Mistake) -> Bool {
    switch frame.kind {
    case .ping: send(.pong(frame.payload))
    case .pong: break
    case .close:
      send(.close(try frame.closeCode()))
      return false
    case .binary: throw .unsupportedData
    case .text, .continuation:
      guard (frame.kind == .continuation) == (message != nil) else { throw .protocolError }
      let whole = (message ?? []) + frame.payload
      guard whole.count <= ServingLimits.messageByteCount else { throw .tooLarge }
      message = frame.isFinal ? nil : whole
      guard frame.isFinal else { break }
      guard let text = String(validating: whole, as: UTF8.self) else { throw .invalidText }
      await receive(text)
    }
    return true
  }
}
