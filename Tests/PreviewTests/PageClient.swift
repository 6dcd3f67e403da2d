/// The WebSocket of a page that behaves well, over a ``RawClient``.
final class PageClient {
  let client: RawClient

  struct Refused: Error { let head: String }

  /// Opens a session.
  ///
  /// - Throws: ``Refused`` unless it becomes a WebSocket.
  init(_ served: ServedProject) throws {
    client = try RawClient(port: served.port)
    client.send(served.head("/session", served.upgrade(origin: "http://127.0.0.1:\(served.port)")))
    var received: [UInt8] = []
    while received.suffix(4) != [13, 10, 13, 10], case let byte = client.receive(count: 1), !byte.isEmpty { received += byte }
    let head = String(decoding: received, as: UTF8.self)
    guard head.hasPrefix("HTTP/1.1 101 ") else { throw Refused(head: head) }
  }

  /// A frame as browsers send it, or with another length, or without a mask.
  static func frame(_ first: UInt8, _ payload: [UInt8], length: [UInt8]? = nil, isMasked: Bool = true) -> [UInt8] {
    let size: [UInt8] =
      payload.count < 126 ? [UInt8(payload.count)] : [126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
    var head = length ?? size
    if isMasked { head[0] |= 0x80 }
    let mask: [UInt8] = [0x37, 0xFA, 0x21, 0x3D]
    return [first] + head + (isMasked ? mask + payload.enumerated().map { $1 ^ mask[$0 & 3] } : payload)
  }

  func send(_ first: UInt8, _ payload: [UInt8]) { client.send(PageClient.frame(first, payload)) }

  /// The next frame: its first byte and its payload; `nil` at the end.
  func receive() -> (first: UInt8, payload: [UInt8])? {
    let head = client.receive(count: 2)
    guard head.count == 2 else { return nil }
    let extra = client.receive(count: head[1] == 126 ? 2 : head[1] == 127 ? 8 : 0)
    let count = extra.isEmpty ? Int(head[1]) : extra.reduce(0) { $0 << 8 | Int($1) }
    return (head[0], client.receive(count: count))
  }

  /// Whether a ping is answered, after what the server had to say before.
  func isAnswered(_ word: String) -> Bool {
    send(0x89, Array(word.utf8))
    while let (first, payload) = receive() {
      if first == 0x8A, payload == Array(word.utf8) { return true }
    }
    return false
  }

  /// The status code of the server's close frame; `nil` if the connection ends without one.
  func closeCode() -> Int? {
    while let (first, payload) = receive() {
      if first == 0x88 { return payload.count == 2 ? Int(payload[0]) << 8 | Int(payload[1]) : nil }
    }
    return nil
  }
}
