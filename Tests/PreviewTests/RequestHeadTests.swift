import CompositorPreview
import Testing

/// What the parser takes for a request, and what it refuses.
@Suite struct RequestHeadTests {
  /// A request by its lines, each ended with CRLF, and the empty line.
  private static func bytes(_ lines: String...) -> [UInt8] { Array((lines + ["", ""]).joined(separator: "\r\n").utf8) }

  private static func parsed(_ bytes: [UInt8], limit: Int = 1000) -> Result<RequestHead?, RequestHead.Mistake> {
    Result { () throws(RequestHead.Mistake) in try RequestHead.parse(bytes, limit: limit)?.head }
  }

  @Test(arguments: [
    ("no version", bytes("GET /")), ("no method", bytes(" / HTTP/1.1")), ("no target", bytes("GET  HTTP/1.1")),
    ("nothing", bytes("")), ("spaces", bytes("GET  / HTTP/1.1")), ("a space at the end", bytes("GET / HTTP/1.1 ")),
    ("a space in the target", bytes("GET /a b HTTP/1.1")), ("a tab in the line", bytes("GET\t/ HTTP/1.1")),
    ("HTTP/0.9", bytes("GET / HTTP/0.9")), ("HTTP/2.0", bytes("GET / HTTP/2.0")), ("HTTP/1.10", bytes("GET / HTTP/1.10")),
    ("a version in lower case", bytes("GET / http/1.1")), ("another protocol", bytes("SSH-2.0-OpenSSH_9.2")),
    ("a target with a host", bytes("GET http://evil.example/ HTTP/1.1")), ("an asterisk", bytes("OPTIONS * HTTP/1.1")),
    ("a tunnel", bytes("CONNECT evil.example:443 HTTP/1.1")), ("a method with a colon", bytes("GE:T / HTTP/1.1")),
    ("a null in the target", bytes("GET /\0 HTTP/1.1")), ("a delete in the target", bytes("GET /\u{7F} HTTP/1.1")),
    ("no colon", bytes("GET / HTTP/1.1", "Host")), ("no name", bytes("GET / HTTP/1.1", ": a")),
    ("a space before the colon", bytes("GET / HTTP/1.1", "Host : a")),
    ("a folded header", bytes("GET / HTTP/1.1", "A: b", " c")),
    ("a folded first header", bytes("GET / HTTP/1.1", "\tA: b")), ("a name with a slash", bytes("GET / HTTP/1.1", "A/B: c")),
    ("a name beyond ASCII", bytes("GET / HTTP/1.1", "Höst: a")), ("a null in a name", bytes("GET / HTTP/1.1", "Ho\0st: a")),
    ("a null in a value", bytes("GET / HTTP/1.1", "Host: a\0b")),
    ("an escape in a value", bytes("GET / HTTP/1.1", "A: \u{1B}[0m")),
    ("a line feed alone", bytes("GET / HTTP/1.1\nHost: a")), ("a carriage return alone", bytes("GET / HTTP/1.1\rHost: a")),
    ("two carriage returns", bytes("GET / HTTP/1.1\r", "Host: a")),
    ("a line feed in a value", bytes("GET / HTTP/1.1", "A: b\nC: d")),
    ("bytes that aren't UTF-8", Array("GET / HTTP/1.1\r\nA: ".utf8) + [0xFF, 13, 10, 13, 10]),
    ("a surrogate", Array("GET / HTTP/1.1\r\nA: ".utf8) + [0xED, 0xA0, 0x80, 13, 10, 13, 10]),
    ("two hosts", bytes("GET / HTTP/1.1", "Host: a", "Host: b")),
    ("the same host twice", bytes("GET / HTTP/1.1", "Host: a", "host: a")),
    ("two origins", bytes("GET / HTTP/1.1", "Origin: a", "Origin: b")),
    ("two cookies", bytes("GET / HTTP/1.1", "Cookie: a", "Cookie: b")),
    ("two tokens", bytes("GET / HTTP/1.1", "X-Preview-Token: a", "X-Preview-Token: b")),
    ("two upgrades", bytes("GET / HTTP/1.1", "Upgrade: websocket", "Upgrade: h2c")),
    ("two keys", bytes("GET / HTTP/1.1", "Sec-WebSocket-Key: a", "Sec-WebSocket-Key: b")),
    ("two lengths", bytes("GET / HTTP/1.1", "Content-Length: 1", "Content-Length: 2")),
  ]) func aRequest_thatIsMalformed_isRefused(_ name: String, _ bytes: [UInt8]) {
    #expect(Self.parsed(bytes) == .failure(.malformed), "\(name)")
    // What follows belongs to something else, and changes nothing.
    #expect(Self.parsed(bytes + Array("GET / HTTP/1.1\r\n\r\n".utf8)) == .failure(.malformed), "\(name)")
  }

  @Test func aRequest_thatIsWellFormed_isReadAsItWasSent() throws {
    let bytes = Self.bytes(
      "GET /a%20b?c=d&c=e&f&=g HTTP/1.1", "HOST:127.0.0.1:1", "Cookie: \t x=1; y=2=3;z \t", "Connection: keep-alive",
      "connection: Upgrade", "Upgrade: WebSocket", "Empty:", "Word: caf\u{E9}", "!#$%&'*+-.^_`|~09: a\tb")
    let (head, count) = try #require(try RequestHead.parse(bytes + [1, 2, 3], limit: bytes.count))
    #expect(count == bytes.count)
    #expect(head.method == "GET" && head.path == "/a%20b" && head.version == "HTTP/1.1")
    #expect(head.query == ["c": "d", "f": "", "": "g"])
    #expect(head.headers["host"] == "127.0.0.1:1" && head.headers["empty"] == "" && head.headers["word"] == "caf\u{E9}")
    #expect(head.headers["connection"] == "keep-alive, Upgrade" && head.headers["!#$%&'*+-.^_`|~09"] == "a\tb")
    #expect(head.cookies == ["x": "1", "y": "2=3", "z": ""])
    #expect(head.isUpgrade && !head.hasBody)
  }

  @Test func aRequest_inAnyPieces_isParsedOnceItIsWhole() throws {
    let bytes = Self.bytes("GET /a HTTP/1.1", "Host: b")
    for size in 1...bytes.count {
      var received: [UInt8] = []
      var head: RequestHead?
      for start in stride(from: 0, to: bytes.count, by: size) {
        #expect(head == nil)
        let searched = received.count
        received += bytes[start..<min(start + size, bytes.count)]
        head = try RequestHead.parse(received, limit: bytes.count, searched: searched)?.head
      }
      #expect(head?.headers == ["host": "b"], "in pieces of \(size) bytes")
    }
  }

  @Test func aRequest_aboveTheLimit_isRefusedBeforeItsEnd() {
    let line = Array("GET / HTTP/1.1\r\nA: ".utf8)
    let rest = [UInt8](repeating: UInt8(ascii: "a"), count: 100 - line.count)
    let end = Array("\r\n\r\n".utf8)
    #expect(Self.parsed(line + rest, limit: 100) == .success(nil))
    #expect(Self.parsed(line + rest + [97], limit: 100) == .failure(.tooLarge))
    #expect(Self.parsed(line + rest + end, limit: 103) == .failure(.tooLarge))
    #expect((try? Self.parsed(line + rest + end, limit: 104).get())?.headers["a"] == String(repeating: "a", count: rest.count))
    // The bytes after the end don't count.
    #expect((try? Self.parsed(line + rest + end + rest, limit: 104).get()) != nil)
  }

  @Test(arguments: [
    ([], false), (["Content-Length: 0"], false), (["Content-Length: 5"], true), (["Content-Length: -1"], true),
    (["Transfer-Encoding: chunked"], true), (["Transfer-Encoding: identity", "Content-Length: 0"], true),
  ]) func aBody_byTheHeaders_isKnown(_ headers: [String], _ hasBody: Bool) throws {
    let lines = ["GET / HTTP/1.1"] + headers + ["", ""]
    let head = try RequestHead(lines.joined(separator: "\r\n").utf8)
    #expect(head.hasBody == hasBody, "\(headers)")
  }
}
