import CompositorPreview
import CompositorTestSupport
import Foundation
import Testing

/// Which requests become WebSockets, and how one ends.
@Suite struct WebSocketHandshakeTests {
  private static let key = "dGhlIHNhbXBsZSBub25jZQ=="

  /// The request of a browser, with some headers replaced and those that are `nil` left out.
  private static func head(
    _ line: String = "GET /session HTTP/1.1", replacing replaced: KeyValuePairs<String, String?> = [:]
  ) throws -> RequestHead {
    var headers: [String: String?] = [
      "Host": "127.0.0.1:1", "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Key": key,
      "Sec-WebSocket-Version": "13",
    ]
    for (name, value) in replaced { headers.updateValue(value, forKey: name) }
    let lines = headers.compactMap { name, value in value.map { "\(name): \($0)" } }
    return try RequestHead(([line] + lines + ["", ""]).joined(separator: "\r\n").utf8)
  }

  @Test func aHandshake_ofABrowser_isAccepted() throws {
    // RFC 6455 section 1.3.
    let sample = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
    for connection in ["Upgrade", "upgrade", "keep-alive, Upgrade", "keep-alive,Upgrade ,x"] {
      #expect(try WebSocketHandshake.accept(Self.head(replacing: ["Connection": connection])) == sample)
    }
    #expect(try WebSocketHandshake.accept(Self.head(replacing: ["Upgrade": "WebSocket"])) == sample)
    #expect(try WebSocketHandshake.accept(Self.head(replacing: ["Content-Length": "0"])) == sample)
    let response = String(decoding: WebSocketHandshake.response(accept: sample), as: UTF8.self)
    #expect(
      response == "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n")
  }

  @Test func aHandshake_thatIsNotOne_isRefused() throws {
    let rows: [(line: String, replaced: KeyValuePairs<String, String?>, mistake: WebSocketHandshake.Mistake)] = [
      ("POST /session HTTP/1.1", [:], .malformed), ("HEAD /session HTTP/1.1", [:], .malformed),
      ("GET /session HTTP/1.0", [:], .malformed), ("", ["Upgrade": nil], .malformed), ("", ["Upgrade": "h2c"], .malformed),
      ("", ["Connection": nil], .malformed), ("", ["Connection": "keep-alive"], .malformed),
      ("", ["Connection": "upgraded"], .malformed), ("", ["Connection": "not upgrade"], .malformed),
      ("", ["Sec-WebSocket-Key": nil], .malformed), ("", ["Sec-WebSocket-Key": ""], .malformed),
      ("", ["Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25j"], .malformed), ("", ["Sec-WebSocket-Key": Self.key + "="], .malformed),
      ("", ["Sec-WebSocket-Version": nil], .malformed), ("", ["Sec-WebSocket-Version": "8"], .unsupportedVersion),
      ("", ["Sec-WebSocket-Version": "013"], .unsupportedVersion), ("", ["Content-Length": "1"], .malformed),
      ("", ["Transfer-Encoding": "chunked"], .malformed),
    ]
    for row in rows {
      let head = try Self.head(row.line.isEmpty ? "GET /session HTTP/1.1" : row.line, replacing: row.replaced)
      #expect(throws: row.mistake, "\(row)") { try WebSocketHandshake.accept(head) }
    }
  }

  /// The samples of FIPS 180, and every length around the ends of blocks against another implementation.
  @Test func digests_ofAnyLength_areThoseOfTheStandard() throws {
    func hexadecimal(_ bytes: [UInt8]) -> String { bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
    let rows = [
      "": "da39a3ee5e6b4b0d3255bfef95601890afd80709", "abc": "a9993e364706816aba3e25717850c26c9cd0d89d",
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq": "84983e441c3bd26ebaae4aa1f95129e5e54670f1",
    ]
    for (text, digest) in rows { #expect(hexadecimal(SHA1.digest(of: text.utf8)) == digest, "\(text)") }
    let million = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)
    #expect(hexadecimal(SHA1.digest(of: million)) == "34aa973cd4c4daa4f61eeb2bdbad27316534016f")
    let folder = try TemporaryFolder()
    let files = try (0...130).map { count in
      let path = folder.file("\(count)")
      try Data((0..<count).map { UInt8(truncatingIfNeeded: $0 * 7 + count) }).write(to: URL(filePath: path))
      return path
    }
    let lines = String(decoding: try runProgram("sha1sum", files), as: UTF8.self).split(separator: "\n")
    #expect(lines.count == files.count)
    for (count, line) in lines.enumerated() {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7 + count) }
      #expect(line.hasPrefix(hexadecimal(SHA1.digest(of: bytes)) + " "), "\(count) bytes")
    }
  }

  @Test func aClose_withOrWithoutACode_isAnsweredWithTheSame() throws {
    func close(_ payload: [UInt8]) -> WebSocketFrame { WebSocketFrame(kind: .close, isFinal: true, payload: payload) }
    func close(_ code: UInt16, _ reason: [UInt8] = []) -> WebSocketFrame {
      close([UInt8(code >> 8), UInt8(code & 0xFF)] + reason)
    }
    #expect(try close([]).closeCode() == 1000)
    for code: UInt16 in [1000, 1001, 1003, 1007, 1011, 3000, 4999] {
      #expect(try close(code, Array("bye".utf8)).closeCode() == code)
    }
    for code: UInt16 in [0, 999, 1004, 1005, 1006, 1015, 2000, 2999, 5000, 65_535] {
      #expect(throws: WebSocketFrame.Mistake.protocolError, "\(code)") { try close(code).closeCode() }
    }
    #expect(throws: WebSocketFrame.Mistake.protocolError) { try close([3]).closeCode() }
    #expect(throws: WebSocketFrame.Mistake.invalidText) { try close(1000, [0xFF]).closeCode() }
  }
}
