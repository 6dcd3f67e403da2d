package import CompositorAPI
import CompositorMediaIO
import Foundation
import Synchronization
import CompositorPlatform

/// Caches digests of files on this machine as long as a file is unchanged, so that a part of a long movie doesn't require
/// reading all of its media.
///
/// The cache is `digests.json` in the cache folder. An unreadable cache counts as empty; a failure to write it only costs time.
package final class DigestCache: Sendable {
  /// Identifies a state of a file. Every write sets the time of the last change (ctime), whatever modification time a program
  /// states.
  private struct Identity: Hashable, Codable {
    var device, inode: UInt64
    var byteCount: Int64
    var changed: [Int]

    init?(_ path: String) {
      guard let state = RegularFile.state(of: path) else { return nil }
      (device, inode, byteCount) = (state.device, state.inode, state.byteCount)
      changed = state.modified + state.changed
    }

    /// Whether a write at this moment would be detected: clocks of file systems are coarse.
    var isSettled: Bool { time(nil) - changed[2] > 2 }
  }

  private struct Entry: Codable {
    var identity: Identity
    var sha256: String
    /// The time of the last lookup, in seconds since 1970.
    var used: Int
  }

  private struct State {
    var entries: [String: Entry] = [:]
    var isChanged = false
  }

  private let file: String?
  private let state: Mutex<State>

  /// Maximum number of cached files.
  private static let capacity = 20_000
  /// Smaller files are read as fast as they are looked up.
  private static let smallest: Int64 = 1 << 20

  /// - Parameter folder: The cache's folder; `nil` for no cache.
  package init(folder: String? = CacheFolder.path) {
    file = folder.map { "\($0)/digests.json" }
    var known = State()
    if let file, let data = FileManager.default.contents(atPath: file),
      let entries = try? JSONDecoder().decode([String: Entry].self, from: data)
    {
      known.entries = entries
    }
    state = Mutex(known)
  }

  /// The digest of a file. Blocks; canceling the task stops it.
  ///
  /// - Throws: As ``FileDigest/init(ofFile:)``.
  package func digest(of path: String) throws(CompositorError) -> FileDigest {
    let key = URL(filePath: path).standardizedFileURL.path
    let identity = Identity(path)
    if let identity, let known = state.withLock({ $0.entries[key] }), known.identity == identity {
      state.withLock { $0.entries[key]?.used = time(nil) }
      return FileDigest(sha256: known.sha256, byteCount: identity.byteCount)
    }
    let digest = try FileDigest(ofFile: path)
    if let identity, identity.byteCount >= Self.smallest, identity.isSettled, Identity(path) == identity {
      state.withLock { state in
        state.entries[key] = Entry(identity: identity, sha256: digest.sha256, used: time(nil))
        state.isChanged = true
      }
    }
    return digest
  }

  /// Writes the cache. If several processes write it at once, one of them wins.
  package func save() {
    guard let file else { return }
    let entries: [String: Entry]? = state.withLock { state in
      guard state.isChanged else { return nil }
      state.isChanged = false
      if state.entries.count > Self.capacity {
        let kept = state.entries.sorted { $0.value.used > $1.value.used }.prefix(Self.capacity / 2)
        state.entries = Dictionary(uniqueKeysWithValues: kept.map { ($0.key, $0.value) })
      }
      return state.entries
    }
    guard let entries, let data = try? JSONEncoder().encode(entries) else { return }
    let folder = URL(filePath: file).deletingLastPathComponent()
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try? data.write(to: URL(filePath: file), options: .atomic)
  }
}
