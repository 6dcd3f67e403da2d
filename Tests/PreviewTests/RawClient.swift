import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A connection that sends exactly the given bytes, as no well-behaved client would.
final class RawClient {
  private let descriptor: Int32

  struct Failure: Error { let number: Int32 }

  /// Connects to an address of this machine.
  init(port: UInt16, address: String = "127.0.0.1") throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_port = port.bigEndian
    inet_pton(AF_INET, address, &place.sin_addr)
    // Nothing in a test waits for ever.
    var limit = timeval(tv_sec: 15, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    let status = withUnsafePointer(to: &place) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0 else {
      let number = errno
      close(descriptor)
      throw Failure(number: number)
    }
  }

  deinit { close(descriptor) }

  /// Makes the end of the connection a reset instead of what a program sends when it closes.
  func endByReset() {
    var immediately = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &immediately, socklen_t(MemoryLayout<linger>.size))
  }

  /// Sends bytes, as far as the other end takes them.
  @discardableResult
  func send(_ bytes: some Collection<UInt8>) -> Bool {
    let bytes = Array(bytes)
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        Glibc.send(descriptor, buffer.baseAddress.map { $0 + sent }, bytes.count - sent, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  func send(_ text: String) { send(Array(text.utf8)) }

  /// What comes until the other end closes, or until there are `count` bytes.
  func receive(count: Int = .max) -> [UInt8] {
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while all.count < count {
      let got = recv(descriptor, &buffer, min(buffer.count, count - all.count), 0)
      guard got > 0 else { break }
      all += buffer[..<got]
    }
    return all
  }

  /// One request and everything that is answered.
  static func answer(_ head: String, port: UInt16) throws -> String {
    let client = try RawClient(port: port)
    client.send(head)
    return String(decoding: client.receive(), as: UTF8.self)
  }

  /// The status of an answer; nil if there is none.
  static func status(_ head: String, port: UInt16) throws -> Int? {
    try answer(head, port: port).split(separator: " ").dropFirst().first.flatMap { Int($0) }
  }
}
