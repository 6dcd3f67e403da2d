package import Foundation

/// The opening handshake of a WebSocket, as the server sees it (RFC 6455 section 4.2).
package enum WebSocketHandshake {
  /// The reason why a request cannot become a WebSocket.
  package enum Mistake: Error, Equatable {
    /// 400: a header is missing or wrong, or the request has a body.
    case malformed
    /// 426: the version isn't ``version``.
    case unsupportedVersion
  }

  /// The version of the protocol.
  package static let version = "13"

  /// The value of `Sec-WebSocket-Accept`, by which the page knows that its key was read.
  package static func accept(_ head: RequestHead) throws(Mistake) -> String {
    let options = head.headers["connection", default: ""].lowercased().split(separator: ",")
    guard head.method == "GET", head.version == "HTTP/1.1", head.isUpgrade, !head.hasBody,
      options.contains(where: { $0.trimmingCharacters(in: .whitespaces) == "upgrade" }),
      let key = head.headers["sec-websocket-key"], key.utf8.count == 24, Data(base64Encoded: key)?.count == 16,
      let version = head.headers["sec-websocket-version"]
    else { throw .malformed }
    guard version == WebSocketHandshake.version else { throw .unsupportedVersion }
    return Data(SHA1.digest(of: (key + identifier).utf8)).base64EncodedString()
  }

  /// The response after which the connection is a WebSocket.
  package static func response(accept: String) -> Data {
    let lines = [
      "HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Accept: \(accept)",
    ]
    return Data((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }

  /// Appended to every key (section 1.3).
  private static let identifier = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
}
