import CompositorPreview
import CompositorTestSupport
import Foundation

/// A preview that serves while a test runs.
struct ServedProject {
  let server: PreviewServer
  let folder: TemporaryFolder
  var port: UInt16 { server.port }
  var token: String { String(server.url.suffix(32)) }

  /// Makes a project, serves it, and stops when the work is done.
  static func run(
    _ text: String = plain, settings: PreviewSettings = PreviewSettings(watchInterval: .milliseconds(50)),
    prepare: (TemporaryFolder) throws -> Void = { _ in }, _ work: (ServedProject) async throws -> Void
  ) async throws {
    let folder = try TemporaryFolder()
    try prepare(folder)
    try text.write(toFile: folder.file("project.json5"), atomically: true, encoding: .utf8)
    let server = try await PreviewServer(PreviewProject(folder.file("project.json5")), settings: settings)
    let serving = Task { try await server.run() }
    do {
      try await work(ServedProject(server: server, folder: folder))
    } catch {
      serving.cancel()
      _ = try? await serving.value
      throw error
    }
    serving.cancel()
    try await serving.value
  }

  /// Needs no media files.
  static let plain = """
    {
      version: 1,
      assets: { bars: { generate: "bars", size: "320x180", frameRate: 25 } },
      tracks: [{ clips: [{ asset: "bars", duration: "4s" }] }],
    }
    """

  /// The head of a request with the token, or whatever headers are given.
  func head(_ path: String, method: String = "GET", host: String? = nil, _ headers: [String] = []) -> String {
    let lines = ["\(method) \(path) HTTP/1.1", "Host: \(host ?? "127.0.0.1:\(port)")"] + headers
    return lines.joined(separator: "\r\n") + "\r\n\r\n"
  }

  func withToken(_ headers: [String] = []) -> [String] { ["X-Preview-Token: \(token)"] + headers }

  /// The headers of a page's own WebSocket.
  func upgrade(origin: String?, token: Bool = true) -> [String] {
    (token ? withToken() : []) + [
      "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13",
    ] + (origin.map { ["Origin: \($0)"] } ?? [])
  }
}
