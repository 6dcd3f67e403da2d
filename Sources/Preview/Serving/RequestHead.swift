/// The line and the headers of an HTTP/1.1 request (RFC 9112).
package struct RequestHead: Sendable, Equatable {
  package var method: String
  /// The path as sent. It is not decoded, so that only exact names match.
  package var path: String
  /// The query's values by name; the first one if a name is repeated.
  package var query: [String: String]
  /// Values by header name in lower case.
  package var headers: [String: String]

  /// The reason why bytes are not a request.
  package enum Mistake: Error, Equatable {
    case malformed
    case tooLarge
  }

  /// The end of the headers in `bytes`, after the empty line; `nil` if it has not arrived yet.
  package static func end(in bytes: [UInt8], searchingFrom start: Int = 0) -> Int? {
    var index = max(0, start)
    while index + 3 < bytes.count {
      if bytes[index] == 13, bytes[index + 1] == 10, bytes[index + 2] == 13, bytes[index + 3] == 10 { return index + 4 }
      index += 1
    }
    return nil
  }

  /// Parses a head, including the empty line at its end.
  ///
  /// - Throws: `.malformed` if it is not HTTP/1.x, if a header is folded or has no name, or if a significant header is
  ///   repeated.
  package init(_ bytes: some Sequence<UInt8>) throws(Mistake) {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw .malformed }
    // "\r\n" is one Character in Swift: unicode scalars, not characters, are split.
    var lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      String(String.UnicodeScalarView(line.last == "\r" ? line.dropLast() : line))
    }
    let request = lines.removeFirst().split(separator: " ", omittingEmptySubsequences: false)
    guard request.count == 3, request[2] == "HTTP/1.1" || request[2] == "HTTP/1.0", request[1].hasPrefix("/") else {
      throw .malformed
    }
    method = String(request[0])
    let target = request[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    path = String(target[0])
    query = target.count > 1 ? RequestHead.fields(target[1], separator: "&") : [:]
    headers = [:]
    for line in lines where !line.isEmpty {
      guard let colon = line.firstIndex(of: ":"), colon > line.startIndex else { throw .malformed }
      let name = line[..<colon].lowercased()
      guard name.allSatisfy({ $0.isASCII && !$0.isWhitespace }) else { throw .malformed }
      let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
      guard headers[name] == nil || !RequestHead.decisive.contains(name) else { throw .malformed }
      headers[name] = String(value.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }
  }

  private static let decisive: Set<String> = ["host", "origin", "cookie", "content-length", "transfer-encoding", "upgrade"]

  /// `name=value` pairs; the first one of a name counts.
  private static func fields(_ text: Substring, separator: Character) -> [String: String] {
    let pairs = text.split(separator: separator).map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (String(parts[0].drop { $0 == " " }), parts.count > 1 ? String(parts[1]) : "")
    }
    return Dictionary(pairs) { first, _ in first }
  }

  /// Cookies by name.
  package var cookies: [String: String] { headers["cookie"].map { RequestHead.fields($0[...], separator: ";") } ?? [:] }

  /// Whether it requests an upgrade to a WebSocket.
  package var isUpgrade: Bool { headers["upgrade"]?.lowercased() == "websocket" }
}
