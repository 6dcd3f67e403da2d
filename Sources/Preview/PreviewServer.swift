public import CompositorAPI
import FlyingSocks
import Foundation
import Synchronization

/// Shows a project in browsers on this machine and follows its changes.
///
/// ```swift
/// let server = try await PreviewServer(PreviewProject("holiday.json5"))
/// print(server.url)
/// try await server.run()
/// ```
///
/// The server listens on the loopback interface only. Every request needs a random 128-bit token, which is part of ``url``.
/// Requests for other host names and WebSockets of other sites are rejected. Any number of browsers may connect, and each page
/// has its own player.
public final class PreviewServer: Sendable {
  /// The server's address and limits.
  public let settings: PreviewSettings
  /// The port that the server listens on.
  public var port: UInt16 { listener.port }
  /// The address to open, with the token.
  public var url: String { "http://127.0.0.1:\(port)/?token=\(admission.token.text)" }

  let admission: Admission
  private let project: PreviewProject
  private let pool: any AsyncSocketPool
  private let listener: LoopbackListener
  private let counts = Mutex((connections: 0, pages: 0))

  /// Binds the port. Nothing is served before ``run()``.
  ///
  /// - Throws: `.resourceExhausted` if the port is in use.
  public init(
    _ project: PreviewProject, settings: PreviewSettings = PreviewSettings()
  ) async throws(CompositorError) {
    let pool = SocketPool<ePoll>.ePoll()
    do { try await pool.prepare() } catch {
      throw CompositorError(.resourceExhausted, "Sockets cannot be waited for.", cause: error.localizedDescription)
    }
    self.pool = pool
    self.project = project
    self.settings = settings
    listener = try LoopbackListener(port: settings.port, pool: pool)
    admission = Admission(token: AccessToken(), port: listener.port)
  }

  /// Serves until the task is canceled, then closes every connection and returns.
  ///
  /// - Throws: `.readFailed` if waiting for sockets fails.
  public func run() async throws(CompositorError) {
    defer { listener.close() }
    do {
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await self.pool.run() }
        group.addTask { try await self.project.watch(every: self.settings.watchInterval) }
        for socket in listener.sockets { group.addTask { try await self.accept(on: socket) } }
        defer { group.cancelAll() }
        try await group.next()
      }
    } catch {
      guard !Task.isCancelled else { return }
      throw CompositorError(.readFailed, "The preview's server stopped.", cause: error.localizedDescription)
    }
  }

  private func accept(on socket: AsyncSocket) async throws {
    try await withThrowingDiscardingTaskGroup { group in
      while !Task.isCancelled {
        do {
          let accepted = Connection(try await socket.accept())
          let isFull = counts.withLock { counts in
            counts.connections += 1
            return counts.connections > ServingLimits.connectionCount
          }
          group.addTask {
            defer { self.counts.withLock { $0.connections -= 1 } }
            defer { accepted.close() }
            guard !isFull else { return }
            await self.serve(accepted)
          }
        } catch is CancellationError {
          return
        } catch {
          // Out of file descriptors, or the browser closed the connection; keep accepting others.
          try await Task.sleep(for: .milliseconds(50))
        }
      }
    }
  }

  /// Responds to one request, which may become a WebSocket.
  private func serve(_ connection: Connection) async {
    do {
      guard let (head, rest) = try await connection.head() else { return }
      let verdict = admission.verdict(on: head)
      let host = verdict == .forbidden ? nil : head.headers["host"]
      if case .admitted = verdict, head.path == "/session", head.isUpgrade {
        try await serveSession(connection, head, rest)
      } else {
        try await connection.write(response(to: head, verdict).bytes(host: host, isHead: head.method == "HEAD"))
      }
    } catch {
      // Otherwise the browser has closed the connection or reads nothing, or the server is shutting down.
      guard let refusal = PageResponse(refusing: error) else { return }
      try? await connection.write(refusal.bytes(host: nil, isHead: false))
    }
  }

  func response(to head: RequestHead, _ verdict: Admission.Verdict) -> PageResponse {
    switch verdict {
    case .forbidden: return PageResponse(403, "This preview is for pages of its own on this machine.")
    case .unauthorized:
      return PageResponse(401, "Open the address that was printed at the start: it has the token that this page needs.")
    case .admitted(let isByLink):
      guard head.method == "GET" || head.method == "HEAD" else {
        return PageResponse(405, "Only GET is answered.", headers: ["Allow": "GET, HEAD"])
      }
      guard var file = PageFiles.response(for: head.path) else { return PageResponse(404, "There is no such page.") }
      if isByLink { file.headers["Set-Cookie"] = admission.cookie }
      return file
    }
  }

  private func serveSession(_ connection: Connection, _ head: RequestHead, _ rest: [UInt8]) async throws {
    let accept = try WebSocketHandshake.accept(head)
    let hasRoom = counts.withLock { counts in
      guard counts.pages < settings.maximumPageCount else { return false }
      counts.pages += 1
      return true
    }
    guard hasRoom else {
      return try await connection.write(
        PageResponse(503, "There are \(settings.maximumPageCount) pages already: close one.")
          .bytes(host: head.headers["host"], isHead: false))
    }
    defer { counts.withLock { $0.pages -= 1 } }
    try await connection.write(WebSocketHandshake.response(accept: accept))
    await PreviewSession.run(on: WebSocketChannel(connection, rest: rest), showing: project)
  }
}
