import CompositorAPI
import FlyingSocks
import Foundation
import CompositorPlatform

/// Sockets that listen on the loopback interface only.
struct LoopbackListener: Sendable {
  /// 127.0.0.1, and ::1 if there is one.
  let sockets: [AsyncSocket]
  /// The port of all sockets.
  let port: UInt16

  /// Binds the sockets.
  ///
  /// - Parameter port: The port; 0 for a free one.
  /// - Throws: `.resourceExhausted` if the port is in use.
  init(port: UInt16, pool: some AsyncSocketPool) throws(CompositorError) {
    do {
      let first = try LoopbackListener.listen(at: sockaddr_in.inet(ip4: "127.0.0.1", port: port))
      guard case .ip4(_, let taken) = try first.sockname() else { throw SocketError.unsupportedAddress }
      self.port = taken
      // Some systems lack IPv6, or its port may be in use; the URL has 127.0.0.1 anyway.
      let second = try? LoopbackListener.listen(at: sockaddr_in6.inet6(ip6: "::1", port: taken))
      sockets = try [first, second].compactMap { try $0.map { try AsyncSocket(socket: $0, pool: pool) } }
    } catch {
      throw CompositorError(
        .resourceExhausted, "Port \(port) of 127.0.0.1 cannot be listened on.",
        recoverySuggestion: "Choose another port, or leave it out for a free one.", cause: error.localizedDescription)
    }
  }

  private static func listen(at address: some SocketAddress) throws -> Socket {
    let socket = try Socket(domain: Int32(type(of: address).family), type: .stream)
    do {
      try socket.setValue(true, for: .localAddressReuse)
      _ = fcntl(socket.file.rawValue, F_SETFD, FD_CLOEXEC)
      try socket.bind(to: address)
      try socket.listen()
    } catch {
      try? socket.close()
      throw error
    }
    return socket
  }

  /// Stops listening.
  func close() {
    for socket in sockets { try? socket.close() }
  }
}
