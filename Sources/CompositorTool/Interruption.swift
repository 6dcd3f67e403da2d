import Dispatch
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Turns SIGINT and SIGTERM into a cancelled task, so that work ends cleanly and leaves nothing half done.
enum Interruption {
  private static let received = Mutex<Int32?>(nil)

  /// The exit status of an interrupted process: 128 and the signal's number.
  static var status: Int32 { 128 + (received.withLock { $0 } ?? SIGINT) }

  /// Runs work that a signal cancels. A second signal ends the process at once.
  static func guarding<Result: Sendable>(_ work: @escaping @Sendable () async throws -> Result) async throws -> Result {
    let task = Task { try await work() }
    let sources = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        let isSecond = received.withLock { first in
          defer { first = first ?? number }
          return first != nil
        }
        if isSecond { _exit(128 + number) }
        task.cancel()
      }
      source.resume()
      return source
    }
    defer {
      for source in sources { source.cancel() }
    }
    return try await task.value
  }
}
