import Foundation
import Testing

/// A Unix socket that listens under the name of a file, as services do; any user may connect to it.
final class ListeningSocket: Sendable {
  private let descriptor: Int32

  /// - Parameter path: The name of the file; it may be renamed afterward.
  init(at path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    try #require(path.utf8.count < MemoryLayout.size(ofValue: address.sun_path), "\(path) is too long for a socket")
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let status = withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(status == 0 && listen(descriptor, 64) == 0 && chmod(path, 0o666) == 0, "\(path): \(errno)")
  }

  deinit { close(descriptor) }
}
