import CompositorPreview
import Foundation
import Testing

/// Clients that go without a word, or stay without reading one: their place is free again.
@Suite(.timeLimit(.minutes(1))) struct VanishingClientTests {
  /// How far a client gets.
  struct Progress: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Connects, and returns what ends the connection when it is released.
    let run: @Sendable (ServedProject) async throws -> RawClient

    init(_ name: String, _ run: @escaping @Sendable (ServedProject) async throws -> RawClient) {
      (testDescription, self.run) = (name, run)
    }
  }

  /// A connection that has sent bytes.
  private static func sent(_ text: String, _ served: ServedProject) throws -> RawClient {
    let client = try RawClient(port: served.port)
    client.send(text)
    return client
  }

  static let places: [Progress] = [
    Progress("before a request") { try RawClient(port: $0.port) },
    Progress("within a request") { try sent("GET / HTTP/1.1\r\nHost: 127", $0) },
    Progress("before a response") { try sent($0.head("/preview.js", $0.withToken()), $0) },
    Progress("before the response to a handshake") {
      try sent($0.head("/session", $0.upgrade(origin: "http://127.0.0.1:\($0.port)")), $0)
    },
    Progress("after a handshake") { try await page($0, within: 5).client },
    Progress("within a frame") {
      let page = try await page($0, within: 5)
      page.client.send(PageClient.frame(0x81, Array("{}".utf8)).dropLast())
      return page.client
    },
    Progress("within a message") {
      let page = try await page($0, within: 5)
      page.send(0x01, Array("{".utf8))
      return page.client
    },
    Progress("before many pongs") {
      let page = try await page($0, within: 5)
      for _ in 0..<100 { page.send(0x89, [UInt8](repeating: 0, count: 125)) }
      return page.client
    },
    Progress("after its own close frame") {
      let page = try await page($0, within: 5)
      page.send(0x88, [])
      return page.client
    },
  ]

  /// Opens a page once there is a place for one, within some seconds.
  private static func page(_ served: ServedProject, within seconds: Int) async throws -> PageClient {
    let end = ContinuousClock.now + .seconds(seconds)
    while true {
      do { return try PageClient(served) } catch let refused as PageClient.Refused {
        guard refused.head.hasPrefix("HTTP/1.1 503"), ContinuousClock.now < end else { throw refused }
      }
      try await Task.sleep(for: .milliseconds(50))
    }
  }

  @Test(arguments: places, [false, true])
  func aClient_thatVanishes_leavesItsPlaceToAnother(_ place: Progress, byReset: Bool) async throws {
    try await ServedProject.run(settings: PreviewSettings(maximumPageCount: 2)) { served in
      let stays = try PageClient(served)
      for turn in 0..<3 {
        let client = try await place.run(served)
        if byReset { client.endByReset() }
        _ = consume client
        let next = try await Self.page(served, within: 5)
        #expect(next.isAnswered("next \(turn)") && stays.isAnswered("stays \(turn)"))
      }
    }
  }

  @Test func aPage_thatReadsNothing_losesItsPlace() async throws {
    try await ServedProject.run(settings: PreviewSettings(maximumPageCount: 1)) { served in
      let deaf = try PageClient(served)
      let ping = PageClient.frame(0x89, [UInt8](repeating: 0, count: 125))
      // More pongs than the queue and the sockets hold.
      let many = Array(repeatElement(ping, count: 1000).joined())
      for _ in 0..<80 where !deaf.client.send(many) { break }
      let next = try await Self.page(served, within: 20)
      #expect(next.isAnswered("next"))
      #expect(deaf.closeCode() == nil)
    }
  }

  @Test func theServer_canceledAmongClients_endsWithinASecondAndClosesAll() async throws {
    let clock = ContinuousClock()
    var canceled = clock.now
    var clients: [RawClient] = []
    try await ServedProject.run { served in
      let (page, deaf) = (try PageClient(served), try PageClient(served))
      for _ in 0..<1000 { deaf.send(0x89, [UInt8](repeating: 0, count: 125)) }
      clients = [page.client, deaf.client] + (try Self.silent.map { try Self.sent($0, served) })
      #expect(page.isAnswered("before"))
      canceled = clock.now
    }
    #expect(clock.now - canceled < .seconds(1))
    // All that was sent before comes to an end.
    for client in clients { _ = client.receive() }
    #expect(clock.now - canceled < .seconds(5))
  }

  private static let silent = ["", "GET / HTTP/1.1", "GET /session HTTP/1.1\r\nUpgrade: websocket\r\n"]
}
