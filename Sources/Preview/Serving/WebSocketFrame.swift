package import Foundation

/// A frame of the WebSocket protocol (RFC 6455 section 5).
package struct WebSocketFrame: Sendable, Equatable {
  package enum Kind: UInt8, Sendable {
    case continuation = 0
    case text = 1
    case binary = 2
    case close = 8
    case ping = 9
    case pong = 10

    var isControl: Bool { rawValue >= 8 }
  }

  package var kind: Kind
  package var isFinal: Bool
  package var payload: [UInt8]

  package init(kind: Kind, isFinal: Bool, payload: [UInt8]) {
    (self.kind, self.isFinal, self.payload) = (kind, isFinal, payload)
  }

  /// The reason why a page's bytes end the connection, with the protocol's status code.
  package enum Mistake: UInt16, Error {
    case protocolError = 1002
    /// A binary message; pages send text.
    case unsupportedData = 1003
    /// Text that isn't UTF-8.
    case invalidText = 1007
    case tooLarge = 1009
  }

  /// The first frame in bytes that a page sent, and its size in bytes; `nil` if it is incomplete.
  ///
  /// - Throws: `.protocolError` for frames without a mask, reserved bits or kinds, and fragmented control frames; `.tooLarge`
  ///   for a payload above the limit, before it has arrived.
  package static func parse(_ bytes: [UInt8], limit: Int) throws(Mistake) -> (frame: WebSocketFrame, count: Int)? {
    guard bytes.count >= 2 else { return nil }
    guard bytes[0] & 0x70 == 0, let kind = Kind(rawValue: bytes[0] & 0x0F), bytes[1] & 0x80 != 0 else { throw .protocolError }
    let isFinal = bytes[0] & 0x80 != 0
    let short = Int(bytes[1] & 0x7F)
    guard !kind.isControl || (isFinal && short <= 125) else { throw .protocolError }
    let extra = short == 126 ? 2 : short == 127 ? 8 : 0
    guard bytes.count >= 2 + extra else { return nil }
    let length = extra == 0 ? UInt64(short) : bytes[2..<2 + extra].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard length <= UInt64(limit) else { throw .tooLarge }
    let (start, count) = (2 + extra + 4, Int(length))
    guard bytes.count >= start + count else { return nil }
    let payload = (0..<count).map { bytes[start + $0] ^ bytes[start - 4 + ($0 & 3)] }
    return (WebSocketFrame(kind: kind, isFinal: isFinal, payload: payload), start + count)
  }

  /// The status code that a closing page states, which the server's own close frame repeats; 1000 if there is none (section
  /// 5.5.1).
  ///
  /// - Throws: `.protocolError` for codes that no page may send (section 7.4); `.invalidText` for a reason that isn't UTF-8.
  package func closeCode() throws(Mistake) -> UInt16 {
    guard !payload.isEmpty else { return 1000 }
    guard payload.count >= 2 else { throw .protocolError }
    let code = UInt16(payload[0]) << 8 | UInt16(payload[1])
    switch code {
    case 1000...1003, 1007...1014, 3000...4999: break
    default: throw .protocolError
    }
    guard String(validating: payload[2...], as: UTF8.self) != nil else { throw .invalidText }
    return code
  }

  /// The header of a payload that the server sends: its kind and length, without a mask.
  package static func header(_ kind: Kind, count: Int) -> Data {
    var data = Data([0x80 | kind.rawValue])
    if count <= 125 {
      data.append(UInt8(count))
    } else if count <= 0xFFFF {
      data.append(contentsOf: [126, UInt8(count >> 8), UInt8(count & 0xFF)])
    } else {
      data.append(127)
      data.append(contentsOf: (0..<8).map { UInt8(truncatingIfNeeded: count >> (56 - 8 * $0)) })
    }
    return data
  }
}
