import Foundation
import Synchronization
import CompositorPlatform

/// Cancels the task on SIGINT, SIGTERM and SIGHUP (a closed terminal), so that work ends cleanly and leaves no partial output.
enum Interruption {
  private struct State {
    var first: Int32?
    var cancel: (@Sendable () -> Void)?
  }
  private static let state = Mutex(State())
  /// The descriptor to which the handler writes the signal's number; -1 before the pipe exists.
  private static let entry = Atomic<Int32>(-1)

  /// Whether the process has received one of the signals.
  static var isRequested: Bool { state.withLock { $0.first != nil } }

  /// The exit status of an interrupted process: 128 plus the signal's number.
  static var status: Int32 { 128 + (state.withLock { $0.first } ?? SIGINT) }

  /// Runs work that a signal cancels. A second signal ends the process immediately.
  static func guarding<Result: Sendable>(_ work: @escaping @Sendable () async throws -> Result) async throws -> Result {
    // Before the work starts, so that no signal is lost.
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

  /// Installs a handler that writes signal numbers to a pipe, and a thread that reads them. The handler never blocks.
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
      // nohup makes the process ignore SIGHUP; keep ignoring it.
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
