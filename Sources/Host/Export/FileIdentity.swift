import CompositorAPI

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Which file a path leads to, whatever the path looks like: symbolic and hard links of one file are equal.
struct FileIdentity: Hashable {
  let device: UInt64
  let inode: UInt64

  /// Nil where nothing is there.
  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
  }
}

/// What a name in a folder is.
enum FileKind {
  case missing
  case regular
  case folder
  case other

  /// - Parameter followsLinks: Whether a symbolic link counts as what it leads to.
  init(path: String, followsLinks: Bool) {
    var status = stat()
    guard (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0 else {
      self = .missing
      return
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: self = .regular
    case S_IFDIR: self = .folder
    default: self = .other
    }
  }
}

/// What the system said about a failed call, in words.
func systemMessage(_ number: Int32) -> String { String(cString: strerror(number)) }
