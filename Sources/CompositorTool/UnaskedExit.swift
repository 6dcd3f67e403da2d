import Compositor
import CompositorPlatform
import Synchronization

/// Notices that something else than the tool ends the process: a trusted plugin that calls `exit(0)` must not look like success.
enum UnaskedExit {
  private static let isExpected = Atomic(false)

  /// Watches from now on. Functions that were given to `atexit` later run first.
  static func watch() {
    _ = isExpected.load(ordering: .relaxed)
    atexit {
      guard !UnaskedExit.isExpected.load(ordering: .sequentiallyConsistent) else { return }
      Terminal.complain(
        "error: A plugin or a library called exit, which ended the tool before its work was done. Run plugins without --trust-plugin: then the error names the one."
      )
      _exit(ProcessStatus.internal.rawValue)
    }
  }

  /// Tells that the tool ends the process itself.
  static func expect() { isExpected.store(true, ordering: .sequentiallyConsistent) }
}
