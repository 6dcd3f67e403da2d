import CompositorPreview
import Foundation
import Testing

/// What clients may do to the server, and what the others notice of it: nothing.
@Suite(.timeLimit(.minutes(1))) struct ClientTests {
  /// A client other than a page.
  struct Client: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The status that it receives; 0 if the connection ends without one.
    let status: Int
    /// The bytes that it sends.
    let bytes: @Sendable (ServedProject) -> String
    /// The time between two bytes; at once if `nil`.
    var pause: Duration?

    init(_ name: String, _ status: Int, every pause: Duration? = nil, _ bytes: @escaping @Sendable (ServedProject) -> String) {
      (testDescription, self.status, self.bytes, self.pause) = (name, status, bytes, pause)
    }
  }

  private static func upgrade(_ served: ServedProject, _ change: (inout [String]) -> Void) -> String {
    var headers = served.upgrade(origin: "http://127.0.0.1:\(served.port)")
    change(&headers)
    return served.head("/session", headers)
  }

  private static func replacing(_ name: String, by value: String?, in headers: inout [String]) {
    headers.removeAll { $0.hasPrefix(name + ":") }
    if let value { headers.append("\(name): \(value)") }
  }

  static let clients: [Client] = [
    Client("a malformed request", 400) { _ in "GET /\r\n\r\n" },
    Client("a repeated host", 400) { $0.head("/", ["Host: evil.example"]) },
    Client("a folded header", 400) { $0.head("/", ["X-Folded: a", " b"]) },
    Client("a header that ends with a line feed", 400) { $0.head("/", ["X-Line: a\nX-Other: b"]) },
    Client("a header of 20 KB", 431) { $0.head("/", ["X-Long: " + String(repeating: "a", count: 20_000)]) },
    Client("a header without an end", 431) { _ in "GET / HTTP/1.1\r\nX: " + String(repeating: "a", count: 2_000_000) },
    Client("a slow request", 408, every: .milliseconds(300)) { _ in "GET / HTTP/1.1\r\nHost: 127.0.0.1" },
    Client("an origin elsewhere", 403) { upgrade($0) { replacing("Origin", by: "https://evil.example", in: &$0) } },
    Client("no origin", 403) { upgrade($0) { replacing("Origin", by: nil, in: &$0) } },
    Client("a wrong token", 401) { upgrade($0) { replacing("X-Preview-Token", by: AccessToken().text, in: &$0) } },
    Client("no token", 401) { upgrade($0) { replacing("X-Preview-Token", by: nil, in: &$0) } },
    Client("another version of WebSockets", 426) { upgrade($0) { replacing("Sec-WebSocket-Version", by: "8", in: &$0) } },
    Client("a short key", 400) { upgrade($0) { replacing("Sec-WebSocket-Key", by: "c2hvcnQ=", in: &$0) } },
    Client("a WebSocket with a body", 400) { upgrade($0) { $0.append("Content-Length: 3") } + "abc" },
    Client("a WebSocket of HTTP/1.0", 400) {
      upgrade($0) { _ in }.replacing("HTTP/1.1", with: "HTTP/1.0")
    },
  ]

  @Test(arguments: clients) func aClient_thatIsNotAPage_isRefusedWhilePagesGoOn(_ client: Client) async throws {
    try await ServedProject.run { served in
      let page = try PageClient(served)
      let other = try RawClient(port: served.port)
      if let pause = client.pause {
        for byte in client.bytes(served).utf8.prefix(25) {
          guard other.send([byte]) else { break }
          #expect(page.isAnswered("\(byte)"))
          try await Task.sleep(for: pause)
        }
      } else {
        other.send(client.bytes(served))
      }
      #expect(page.isAnswered("while"))
      let status = String(decoding: other.receive(), as: UTF8.self).split(separator: " ").dropFirst().first
      #expect(status.flatMap { Int($0) } == client.status)
      #expect(page.isAnswered("after"))
      let file = try RawClient.status(served.head("/preview.js", served.withToken()), port: served.port)
      #expect(file == 200)
    }
  }

  @Test func anotherVersion_ofWebSockets_learnsTheSupportedOne() async throws {
    try await ServedProject.run { served in
      let head = Self.upgrade(served) { Self.replacing("Sec-WebSocket-Version", by: "14", in: &$0) }
      let answer = try RawClient.answer(head, port: served.port)
      #expect(answer.hasPrefix("HTTP/1.1 426 Upgrade Required\r\n") && answer.contains("\r\nSec-WebSocket-Version: 13\r\n"))
    }
  }

  @Test func twoPages_atOnce_areBothServed() async throws {
    try await ServedProject.run { served in
      let (one, other) = (try PageClient(served), try PageClient(served))
      for turn in 0..<3 {
        #expect(one.isAnswered("one \(turn)"))
        #expect(other.isAnswered("other \(turn)"))
      }
      // A code of the page's own, 3000.
      one.send(0x88, [0x0B, 0xB8])
      #expect(one.closeCode() == 3000)
      #expect(other.isAnswered("alone"))
    }
  }

  /// Frames of a page, and the status code that ends its session; `nil` if it goes on.
  @Test(
    arguments: [
      ("a text", [(0x81, "{}")], nil), ("a text in pieces", [(0x01, "{"), (0x00, ""), (0x80, "}")], nil),
      ("a ping between the pieces", [(0x01, "{"), (0x89, "ping"), (0x80, "}")], nil), ("a pong", [(0x8A, "unasked")], nil),
      ("a close", [(0x88, "")], 1000), ("a close with an unknown code", [(0x88, "\u{3}\u{0}bye")], 1002),
      ("a piece of nothing", [(0x80, "}")], 1002), ("a text within a text", [(0x01, "{"), (0x81, "{}")], 1002),
      ("a reserved bit", [(0xC1, "{}")], 1002), ("a reserved kind", [(0x83, "")], 1002),
      ("a ping in pieces", [(0x09, "")], 1002),
      ("a long ping", [(0x89, String(repeating: "a", count: 126))], 1002), ("bytes", [(0x82, "{}")], 1003),
      ("a long text", [(0x81, String(repeating: "a", count: 16_385))], 1009),
      (
        "a long text in pieces",
        [(0x01, String(repeating: "a", count: 10_000)), (0x80, String(repeating: "a", count: 10_000))], 1009
      ),
    ] as [(String, [(UInt8, String)], Int?)])
  func frames_ofAPage_goOnOrEndItsSession(_ name: String, _ frames: [(UInt8, String)], _ code: Int?) async throws {
    try await ServedProject.run { served in
      let (page, other) = (try PageClient(served), try PageClient(served))
      for (first, payload) in frames { page.send(first, Array(payload.utf8)) }
      if let code { #expect(page.closeCode() == code) } else { #expect(page.isAnswered("alive")) }
      #expect(other.isAnswered("untouched"))
    }
  }

  @Test func aText_thatIsNotUTF8_endsTheSession() async throws {
    try await ServedProject.run { served in
      let page = try PageClient(served)
      page.send(0x81, [0xC3, 0x28])
      #expect(page.closeCode() == 1007)
    }
  }
}
