import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Turns SIGINT, SIGTERM and SIGHUP (a terminal that was closed) into a cancelled task, so that work ends cleanly and leaves nothing half done.
enum Interruption {
  private struct State {
    var first: Int32?
    var cancel: (@Sendable () -> Void)?
  }
  private static let state = Mutex(State())
  /// Where the handler writes the signal's number; -1 until it is there.
  private static let entry = Atomic<Int32>(-1)

  /// Whether a signal has asked the process to end.
  static var isRequested: Bool { state.withLock { $0.first != nil } }

  /// The exit status of an interrupted process: 128 and the signal's number.
  static var status: Int32 { 128 + (state.withLock { $0.first } ?? SIGINT) }

  /// Runs work that a signal cancels. A second signal ends the process at once.
  static func guarding<Result: Sendable>(_ work: @escaping @Sendable () async throws -> Result) async throws -> Result {
    // First of all: no signal that comes while work goes on may be lost.
    listen()
    let task = Task { try await work() }
    let isLate = state.withLock { state in
      state.cancel = { task.cancel() }
      return state.first != nil
    }
    if isLate { task.cancel() }
    defer { state.withLock { $0.cancel = nil } }
    return try await task.value
  }

  /// A handler that passes numbers on through a pipe, and a thread of its own that reads them: it waits for nobody.
  private static func listen() {
    var ends: [Int32] = [-1, -1]
    guard entry.load(ordering: .relaxed) < 0, pipe(&ends) == 0 else { return }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    entry.store(ends[1], ordering: .sequentiallyConsistent)
    let exit = ends[0]
    Thread.detachNewThread {
      var number: UInt8 = 0
      while true {
        let count = read(exit, &number, 1)
        if count == 1 { receive(Int32(number)) }
        if count == 0 || (count < 0 && errno != EINTR) { return }
      }
    }
    for number in [SIGINT, SIGTERM, SIGHUP] {
      // nohup has the process ignore SIGHUP: that stays.
      let isIgnored = number == SIGHUP && isIgnored(number)
      guard !isIgnored else { continue }
      signal(number) { number in
        let saved = errno
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(Interruption.entry.load(ordering: .relaxed), &byte, 1)
        errno = saved
      }
    }
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  private static func receive(_ number: Int32) {
    let (isSecond, cancel) = state.withLock { state in
      defer { state.first = state.first ?? number }
      return (state.first != nil, state.cancel)
    }
    if isSecond { _exit(128 + number) }
    cancel?()
  }
}
