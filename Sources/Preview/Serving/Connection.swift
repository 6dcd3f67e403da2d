import FlyingSocks
import Foundation
import CompositorPlatform

/// A browser's connection: a request and its response, or a request and a WebSocket.
struct Connection: Sendable {
  private let socket: AsyncSocket

  init(_ socket: AsyncSocket) {
    self.socket = socket
    // Messages are small and urgent, so they are not coalesced.
    var isOn: Int32 = 1
    _ = setsockopt(
      socket.socket.file.rawValue, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
  }

  /// The next bytes, at least one; `nil` at the end.
  func bytes() async throws -> [UInt8]? {
    do {
      let bytes = try await socket.read(atMost: 4096)
      return bytes.isEmpty ? nil : bytes
    } catch SocketError.disconnected {
      return nil
    }
  }

  /// The head of a request and the bytes after it; `nil` if the browser closes the connection before.
  ///
  /// - Throws: ``RequestHead/Mistake``, `.incomplete` if the browser sends it too slowly.
  func head() async throws -> (head: RequestHead, rest: [UInt8])? {
    do {
      return try await withDeadline(ServingLimits.headDuration) {
        var received: [UInt8] = []
        while let more = try await bytes() {
          let searched = received.count
          received += more
          let parsed = try RequestHead.parse(received, limit: ServingLimits.headByteCount, searched: searched)
          if let (head, count) = parsed { return (head, Array(received[count...])) }
        }
        return nil
      }
    } catch is DeadlineExceeded {
      throw RequestHead.Mistake.incomplete
    }
  }

  /// Writes everything.
  ///
  /// - Throws: ``DeadlineExceeded`` if the browser doesn't receive it.
  func write(_ data: Data) async throws {
    try await withDeadline(ServingLimits.writeDuration) { try await socket.write(data) }
  }

  /// Ends the connection.
  func close() {
    // Unread input would turn the end into a reset, which can overtake the response.
    _ = shutdown(socket.socket.file.rawValue, Int32(SHUT_WR))
    var (rest, taken) = ([UInt8](repeating: 0, count: 4096), 0)
    while taken < 1 << 20, case let count = recv(socket.socket.file.rawValue, &rest, rest.count, Int32(MSG_DONTWAIT)), count > 0
    {
      taken += count
    }
    try? socket.close()
  }
}
