import CompositorPreview
import CompositorTestSupport
import Foundation
import Testing

/// A Python that has the package `websockets`.
private let python: String? = ["/usr/bin/python3", "python3"].first {
  (try? runProgram($0, ["-c", "import websockets"])) != nil
}
private let hasCurl = (try? runProgram("curl", ["--version"])) != nil

/// The server's protocols as other people's programs understand them.
@Suite(.timeLimit(.minutes(1))) struct PeerTests {
  @Test(.enabled(if: python != nil, "needs python3-websockets"))
  func theWebSocket_ofAnotherImplementation_isUnderstood() async throws {
    struct Seen: Decodable, Equatable {
      var first: String
      var closed, own, bytes, long, origin, token: Int
    }
    try await ServedProject.run { served in
      let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/peer.py").path
      let data = try runProgram(try #require(python), [script, "\(served.port)", served.token])
      let seen = try JSONDecoder().decode(Seen.self, from: data)
      #expect(
        seen
          == Seen(first: "project", closed: 1000, own: 4001, bytes: 1003, long: 1009, origin: 403, token: 401))
    }
  }

  @Test(.enabled(if: hasCurl, "needs curl")) func thePage_toAnotherImplementation_isServed() async throws {
    try await ServedProject.run { served in
      let jar = served.folder.file("cookies")
      let format = "%{http_code} %{http_version} %{content_type} %{num_redirects} %{size_download}"
      func curl(_ arguments: String...) throws -> [Substring] {
        let data = try runProgram("curl", ["-sS", "-o", "/dev/null", "-w", format, "--max-time", "10"] + arguments)
        return String(decoding: data, as: UTF8.self).split(separator: " ")
      }
      let origin = "http://127.0.0.1:\(served.port)"
      let page = try curl("-c", jar, served.server.url)
      #expect(page.prefix(4) == ["200", "1.1", "text/html;", "charset=utf-8"])
      // The cookie is enough from there on.
      #expect(try curl("-b", jar, origin + "/preview.js").first == "200")
      #expect(try curl(origin + "/preview.js").first == "401")
      #expect(try curl("-b", jar, "-I", origin + "/preview.css").last == "0")
      #expect(try curl("-b", jar, "-d", "a=b", origin + "/").first == "405")
      #expect(try curl("-b", jar, "-H", "Host: evil.example", origin + "/").first == "403")
      #expect(try curl("-b", jar, "--http1.0", origin + "/preview.css").first == "200")
      #expect(try curl("-b", jar, "-H", "Origin: https://evil.example", origin + "/").first == "403")
    }
  }
}
