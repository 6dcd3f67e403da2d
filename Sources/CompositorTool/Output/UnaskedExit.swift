import Compositor
import CompositorPlatform
import Synchronization

/// Notices that something else than the tool ends the process: a trusted plugin that calls `exit(0)` must not look like success.
enum UnaskedExit {
  private static let isExpected = Atomic(false)

  private static let isTold = Atomic(false)

  /// As many threads as may call `exit` at the same time: each takes another function of the list, and one that found none left would
  /// end the process with its own status before the first has said why.
  private static let mostThreads = 128

  /// Watches from now on. Functions that were given to `atexit` later run first.
  static func watch() {
    _ = (isExpected.load(ordering: .relaxed), isTold.load(ordering: .relaxed))
    for _ in 0..<mostThreads { atexit { UnaskedExit.end() } }
  }

  private static func end() {
    guard !isExpected.load(ordering: .sequentiallyConsistent) else { return }
    guard !isTold.exchange(true, ordering: .sequentiallyConsistent) else {
      // Another thread is ending the process.
      while true { pause() }
    }
    Terminal.complain(
      "error: A plugin or a library called exit, which ended the tool before its work was done. Run plugins without --trust-plugin: then the error names the one."
    )
    _exit(ProcessStatus.internal.rawValue)
  }

  /// Tells that the tool ends the process itself.
  static func expect() { isExpected.store(true, ordering: .sequentiallyConsistent) }
}
