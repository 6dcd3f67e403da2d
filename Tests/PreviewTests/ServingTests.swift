import CompositorPreview
import CompositorTestSupport
import Foundation
import Testing

/// Who is served, and what it costs to ask.
@Suite(.timeLimit(.minutes(1))) struct ServingTests {
  @Test func aRequest_byItsHostAndItsToken_isServedOrRefused() async throws {
    try await ServedProject.run { served in
      let port = served.port
      let own = "127.0.0.1:\(port)"
      let rows: [(path: String, host: String, headers: [String], status: Int)] = [
        ("/?token=\(served.token)", own, [], 200),
        ("/", own, served.withToken(), 200),
        ("/", "localhost:\(port)", served.withToken(), 200),
        ("/", "[::1]:\(port)", served.withToken(), 200),
        ("/", "LOCALHOST:\(port)", served.withToken(), 200),
        ("/preview.js", own, ["Cookie: other=1; compositor_preview_\(port)=\(served.token)"], 200),
        ("/", own, [], 401),
        ("/preview.js", own, [], 401),
        ("/preview.js?token=\(served.token)", own, [], 401),
        ("/?token=", own, [], 401),
        ("/?token=\(served.token)0", own, [], 401),
        ("/?token=\(served.token.dropLast())", own, [], 401),
        ("/?token=\(served.token.uppercased())", own, [], served.token == served.token.uppercased() ? 200 : 401),
        ("/", own, ["Cookie: compositor_preview_\(port)=wrong"], 401),
        // Another name for this machine is how a page of another site reaches it.
        ("/", "evil.example:\(port)", served.withToken(), 403),
        ("/", "127.0.0.1.evil.example:\(port)", served.withToken(), 403),
        ("/", "127.0.0.1", served.withToken(), 403),
        ("/", "127.0.0.1:\(port &+ 1)", served.withToken(), 403),
        ("/", "preview.localhost:\(port)", served.withToken(), 403),
        ("/", "", served.withToken(), 403),
        ("/?token=\(served.token)", own, ["Origin: https://evil.example"], 403),
        ("/", own, served.withToken(["Origin: null"]), 403),
        ("/", own, served.withToken(["Origin: http://\(own)"]), 200),
      ]
      for row in rows {
        let status = try RawClient.status(served.head(row.path, host: row.host, row.headers), port: port)
        #expect(status == row.status, "\(row)")
      }
    }
  }

  @Test func aWebSocket_byItsOrigin_isOpenedOrRefused() async throws {
    try await ServedProject.run { served in
      let own = "http://127.0.0.1:\(served.port)"
      let rows: [(origin: String?, token: Bool, status: Int)] = [
        (own, true, 101), (own, false, 401), (nil, true, 403), ("http://localhost:\(served.port)", true, 403),
        ("https://evil.example", true, 403), ("null", true, 403), ("http://127.0.0.1:1", true, 403),
        (own + ".evil.example", true, 403),
      ]
      for row in rows {
        let client = try RawClient(port: served.port)
        client.send(served.head("/session", served.upgrade(origin: row.origin, token: row.token)))
        let answer = String(decoding: client.receive(count: 150), as: UTF8.self)
        #expect(answer.hasPrefix("HTTP/1.1 \(row.status) "), "\(row): \(answer)")
        // The sample of RFC 6455 section 1.3.
        if row.status == 101 { #expect(answer.contains("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")) }
      }
      let plain = try RawClient.status(served.head("/session", served.withToken()), port: served.port)
      #expect(plain == 404)
    }
  }

  @Test func aPath_thatIsNotOneOfThePage_isNotFound() async throws {
    try await ServedProject.run { served in
      for path in [
        "/../../etc/passwd", "/..%2f..%2fetc%2fpasswd", "//etc/passwd", "/project.json5", "/preview.js/", "/%70review.js", "/.",
        "/preview.css%00.js", "/Page/index.html", "/index.html",
      ] {
        let status = try RawClient.status(served.head(path, served.withToken()), port: served.port)
        #expect(status == 404, "\(path)")
      }
    }
  }

  @Test func anAnswer_whateverItIs_keepsThePageToItself() async throws {
    try await ServedProject.run { served in
      for (path, headers) in [
        ("/", served.withToken()), ("/preview.js", served.withToken()), ("/", []), ("/nothing", served.withToken()),
      ] {
        let answer = try RawClient.answer(served.head(path, headers), port: served.port)
        for line in [
          "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; ",
          "Cache-Control: no-store",
          "X-Content-Type-Options: nosniff", "Referrer-Policy: no-referrer", "frame-ancestors 'none'", "X-Frame-Options: DENY",
        ] {
          #expect(answer.contains(line), "\(path): \(line)")
        }
        #expect(!answer.lowercased().contains("access-control-allow"))
      }
      let linked = try RawClient.answer(served.head("/?token=\(served.token)"), port: served.port)
      #expect(
        linked.contains("Set-Cookie: compositor_preview_\(served.port)=\(served.token); Path=/; HttpOnly; SameSite=Strict"))
      let refused = try RawClient.answer(served.head("/"), port: served.port)
      #expect(!refused.contains(served.token))
    }
  }

  @Test func thePage_asItIs_loadsNothingFromElsewhere() async throws {
    try await ServedProject.run { served in
      let page = try RawClient.answer(served.head("/", served.withToken()), port: served.port)
      let named = page.matches(of: /(?:src|href)="([^"]*)"/).map { String($0.1) }
      #expect(named.count >= 3)
      var paths = named
      for path in named where path.hasSuffix(".js") {
        let script = try RawClient.answer(served.head(path, served.withToken()), port: served.port)
        paths += script.matches(of: /from '\.(\/[^']*)'/).map { String($0.1) }
      }
      for path in Set(paths) {
        #expect(path.hasPrefix("/") && !path.hasPrefix("//"), "\(path)")
        let answer = try RawClient.answer(served.head(path, served.withToken()), port: served.port)
        #expect(answer.hasPrefix("HTTP/1.1 200 "), "\(path)")
        #expect(!answer.contains("https://"), "\(path)")
      }
    }
  }

  @Test func aRequest_thatIsMalformed_isRefused() async throws {
    try await ServedProject.run { served in
      let host = "Host: 127.0.0.1:\(served.port)"
      let rows: [(head: String, status: Int)] = [
        (served.head("/", method: "POST", served.withToken()), 405),
        (served.head("/", method: "OPTIONS", served.withToken()), 405),
        ("GET / HTTP/1.1\r\n\(host)\r\n\(host)\r\n\r\n", 400), ("GET /\r\n\r\n", 400), ("GET / HTTP/2.0\r\n\r\n", 400),
        ("GET http://evil.example/ HTTP/1.1\r\n\(host)\r\n\r\n", 400), ("GET / HTTP/1.1\r\n folded: yes\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nno colon\r\n\r\n", 400), ("\u{0}\u{1}\r\n\r\n", 400), ("GET / HTTP/1.1\r\n\r\n", 403),
        ("GET /" + String(repeating: "a", count: 20_000) + " HTTP/1.1\r\n", 431),
        (served.head("/", ["X-Long: " + String(repeating: "a", count: 20_000)]), 431),
        (served.head("/", (0..<3000).map { "X-\($0): 1" }), 431),
      ]
      for row in rows {
        let status = try RawClient.status(row.head, port: served.port)
        #expect(status == row.status, "\(row.head.prefix(60))")
      }
    }
  }

  @Test func browsersThatSayNothing_beyondTheirTime_hinderNobodyAndAreClosed() async throws {
    try await ServedProject.run { served in
      let silent = try (0..<40).map { _ in try RawClient(port: served.port) }
      for client in silent { client.send("GET / HTTP/1.1\r\nHost:") }
      let start = ContinuousClock.now
      let status = try RawClient.status(served.head("/", served.withToken()), port: served.port)
      #expect(status == 200)
      #expect(ContinuousClock.now - start < .seconds(2))
      // Each is answered after 5 s at the latest, regardless of how often it sends a byte.
      let answer = String(decoding: silent[0].receive(), as: UTF8.self)
      #expect(answer.hasPrefix("HTTP/1.1 408 "))
    }
  }

  @Test func connections_moreThanThereMayBe_areClosedAndOthersGoOn() async throws {
    try await ServedProject.run { served in
      var many = try (0..<200).map { _ in try RawClient(port: served.port) }
      // The last ones were too many.
      #expect(many.last?.receive() == [])
      many = []
      var status: Int?
      for _ in 0..<100 where status != 200 {
        try await Task.sleep(for: .milliseconds(20))
        status = try? RawClient.status(served.head("/", served.withToken()), port: served.port)
      }
      #expect(status == 200)
    }
  }

  @Test func pages_moreThanThereMayBe_areToldSo() async throws {
    try await ServedProject.run(settings: PreviewSettings(maximumPageCount: 2)) { served in
      let head = served.head("/session", served.upgrade(origin: "http://127.0.0.1:\(served.port)"))
      let clients = try (0..<3).map { _ in try RawClient(port: served.port) }
      var statuses: [String] = []
      for client in clients {
        client.send(head)
        statuses.append(String(decoding: client.receive(count: 12), as: UTF8.self))
      }
      #expect(statuses == ["HTTP/1.1 101", "HTTP/1.1 101", "HTTP/1.1 503"])
    }
  }

  @Test func theServer_whateverTheMachineHas_listensOnLoopbackOnly() async throws {
    try await ServedProject.run { served in
      // The kernel's own tables: local addresses in hexadecimal, with the port.
      let port = String(served.port, radix: 16, uppercase: true)
      var listening: [Substring] = []
      for table in ["/proc/net/tcp", "/proc/net/tcp6"] {
        guard let text = try? String(contentsOfFile: table, encoding: .utf8) else { continue }
        listening += text.split(separator: "\n").compactMap { line in
          let fields = line.split(separator: " ")
          guard fields.count > 3, fields[3] == "0A", fields[1].hasSuffix(":" + port) else { return nil }
          return fields[1].dropLast(port.count + 1)
        }
      }
      #expect(listening.contains("0100007F"))
      #expect(Set(listening).isSubset(of: ["0100007F", "00000000000000000000000001000000"]), "\(listening)")
    }
  }

  @Test func aPort_thatIsTaken_isAnErrorWithARecoverySuggestion() async throws {
    try await ServedProject.run { served in
      let project = try await PreviewProject(served.folder.file("project.json5"))
      let error = await #expect(throws: (any Error).self) {
        _ = try await PreviewServer(project, settings: PreviewSettings(port: served.port))
      }
      #expect("\(error.map { "\($0)" } ?? "")".contains("Choose another port"))
    }
  }

  @Test func tokens_eachTime_areOthers() {
    let tokens = (0..<100).map { _ in AccessToken().text }
    #expect(Set(tokens).count == 100)
    #expect(tokens.allSatisfy { $0.count == 32 && $0.allSatisfy(\.isHexDigit) })
  }
}
