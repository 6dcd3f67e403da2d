import CompositorPlatform

/// Detects changes of files by polling.
///
/// Unlike the kernel's notifications, polling works on network and overlay file systems, for files that are replaced by
/// renaming (as editors do), and for files that don't exist yet.
package struct FileWatcher: Sendable {
  /// Identifies a state of a file.
  package struct Signature: Hashable, Sendable {
    var device: UInt64
    var file: UInt64
    var byteCount: Int64
    var seconds: Int
    var nanoseconds: Int
    var statusSeconds: Int
    var statusNanoseconds: Int

    /// - Returns: `nil` if there is no such file.
    init?(_ path: String) {
      var facts = stat()
      guard stat(path, &facts) == 0 else { return nil }
      (device, file, byteCount) = (UInt64(facts.st_dev), UInt64(facts.st_ino), Int64(facts.st_size))
      (seconds, nanoseconds) = (facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec)
      (statusSeconds, statusNanoseconds) = (facts.st_ctim.tv_sec, facts.st_ctim.tv_nsec)
    }
  }

  /// The files, whether or not they exist.
  package let paths: Set<String>
  private var known: [String: Signature?] = [:]

  /// Records the current state of the files.
  ///
  /// - Parameter earlier: A watcher whose recorded states take precedence, so that a change since then is not missed.
  package init(_ paths: Set<String>, continuing earlier: FileWatcher? = nil) {
    self.paths = paths
    known = FileWatcher.look(at: paths)
    for (path, signature) in earlier?.known ?? [:] where paths.contains(path) { known[path] = signature }
  }

  /// Returns the files that changed since the last recorded state, and records the current one.
  package mutating func changes() -> Set<String> {
    let now = FileWatcher.look(at: paths)
    let changed = paths.filter { now[$0] != known[$0] }
    known = now
    return changed
  }

  private static func look(at paths: Set<String>) -> [String: Signature?] {
    Dictionary(uniqueKeysWithValues: paths.map { ($0, Signature($0)) })
  }

  /// Returns once some files have changed and are stable, so that a file is not read while it is written.
  ///
  /// - Parameter patience: Maximum time to wait for a file that changes continuously.
  /// - Throws: `CancellationError`.
  package mutating func change(every interval: Duration, patience: Duration = .seconds(2)) async throws -> Set<String> {
    while true {
      try await Task.sleep(for: interval)
      var changed = changes()
      guard !changed.isEmpty else { continue }
      let deadline = ContinuousClock.now + patience
      while ContinuousClock.now < deadline {
        try await Task.sleep(for: .milliseconds(40))
        let more = changes()
        guard !more.isEmpty else { break }
        changed.formUnion(more)
      }
      return changed
    }
  }
}
