import CompositorPlatform

/// What changes with the contents of a plugin's file. It is taken before the file is read, so that it never belongs to contents
/// that are newer than what was read.
struct FileStamp: Codable, Hashable {
  private(set) var byteCount: Int64
  private var inode: UInt64
  /// Nanoseconds since 1970.
  private var modified: Int64
  private var changed: Int64

  /// - Returns: The stamp of the file to which the path leads; `nil` if there is none.
  init?(of path: String) {
    var state = stat()
    guard stat(path, &state) == 0 else { return nil }
    byteCount = Int64(state.st_size)
    inode = UInt64(state.st_ino)
    modified = Int64(state.st_mtim.tv_sec) * 1_000_000_000 + Int64(state.st_mtim.tv_nsec)
    changed = Int64(state.st_ctim.tv_sec) * 1_000_000_000 + Int64(state.st_ctim.tv_nsec)
  }

  /// - Returns: The stamp of a plugin's file; `nil` for a collection, and if there is no file.
  init?(of specification: PluginSpecification) {
    guard let path = specification.file else { return nil }
    self.init(of: path)
  }
}
