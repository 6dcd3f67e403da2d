/// The line and the headers of an HTTP/1.1 request (RFC 9112).
///
/// The parser is strict where recipients may choose: lines end with CRLF, and what a lenient recipient would repair is malformed.
/// Browsers send none of it, and no two readings of a request are possible.
package struct RequestHead: Sendable, Equatable {
  package var method: String
  /// The path as sent. It is not decoded, so that only exact names match.
  package var path: String
  /// The query's values by name; the first one if a name is repeated.
  package var query: [String: String]
  /// `HTTP/1.1` or `HTTP/1.0`.
  package var version: String
  /// Values by header name in lower case. Those of a repeated header are separated by commas (RFC 9110 section 5.3).
  package var headers: [String: String]

  /// The reason why bytes are not a request.
  package enum Mistake: Error, Equatable {
    case malformed
    /// Its end did not arrive in time.
    case incomplete
    case tooLarge
  }

  /// The head at the beginning of what a browser sent, and its size in bytes; `nil` if it is incomplete.
  ///
  /// - Parameter searched: Number of bytes known not to contain the head's end.
  /// - Throws: `.tooLarge` for a head above the limit, before its end has arrived; `.malformed` as ``init(_:)``.
  package static func parse(
    _ bytes: [UInt8], limit: Int, searched: Int = 0
  ) throws(Mistake) -> (head: RequestHead, count: Int)? {
    // The empty line may have begun in the bytes of before.
    let end = end(in: bytes, searchingFrom: searched - 3)
    guard (end ?? bytes.count) <= limit else { throw .tooLarge }
    return try end.map { count throws(Mistake) in (try RequestHead(bytes[..<count]), count) }
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
  /// - Throws: `.malformed` if it is not HTTP/1.x, if a line ends otherwise or contains control characters, if a header is
  ///   folded or its name is not a token, or if a significant header is repeated.
  package init(_ bytes: some Sequence<UInt8>) throws(Mistake) {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw .malformed }
    // CRLF is one Character; either of them alone is another one, a control character within a line.
    var lines = text.split(separator: Character("\r\n"), omittingEmptySubsequences: false)
    let request = lines.removeFirst().split(separator: " ", omittingEmptySubsequences: false)
    guard request.count == 3, RequestHead.isToken(request[0]), request[1].hasPrefix("/"),
      !request[1].unicodeScalars.contains(where: RequestHead.isControl), ["HTTP/1.1", "HTTP/1.0"].contains(request[2])
    else { throw .malformed }
    (method, version) = (String(request[0]), String(request[2]))
    let target = request[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    path = String(target[0])
    query = target.count > 1 ? RequestHead.fields(target[1], separator: "&") : [:]
    headers = [:]
    for line in lines where !line.isEmpty { try add(line) }
  }

  /// Adds a header's line.
  private mutating func add(_ line: Substring) throws(Mistake) {
    guard let colon = line.firstIndex(of: ":"), RequestHead.isToken(line[..<colon]) else { throw .malformed }
    let name = line[..<colon].lowercased()
    let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
    guard !value.unicodeScalars.contains(where: { RequestHead.isControl($0) && $0 != "\t" }) else { throw .malformed }
    let trimmed = String(value.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    guard let earlier = headers.updateValue(trimmed, forKey: name) else { return }
    guard !RequestHead.decisive.contains(name) else { throw .malformed }
    headers[name] = "\(earlier), \(trimmed)"
  }

  /// Headers that decide who is served, what a request is, and where it ends.
  private static let decisive: Set<String> = [
    "host", "origin", "cookie", "x-preview-token", "upgrade", "sec-websocket-key", "sec-websocket-version",
    "content-length", "transfer-encoding",
  ]

  /// Whether it is a method or a header's name (RFC 9110 section 5.6.2).
  private static func isToken(_ text: Substring) -> Bool { !text.isEmpty && text.utf8.allSatisfy(tokenBytes.contains) }

  private static let tokenBytes = Set(
    "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool { scalar.value < 0x20 || scalar.value == 0x7F }

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

  /// Whether bytes after it belong to it.
  package var hasBody: Bool { headers["transfer-encoding"] != nil || headers["content-length", default: "0"] != "0" }
}
