#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

import Synchronization

/// A hidden folder for unfinished files, locked as long as this object lives.
///
/// The lock tells every process that sees the file system that the folder is in use. The kernel releases it when the process
/// ends, however it ends. The process ID in the name is only for people.
final class PartialFolder: Sendable {
  let path: String
  private let descriptor: Int32

  private static let marker = ".compositor-partial"
  private static let counter = Atomic<Int>(0)

  /// Creates a folder in `destination`.
  ///
  /// - Throws: The system's errno.
  static func make(in destination: String) throws(SystemFailure) -> PartialFolder {
    // A process in another container may use the name, or sweep the new folder before it is locked.
    for _ in 0..<100 {
      let number = counter.add(1, ordering: .relaxed).newValue
      let path = "\(destination)/\(marker)-\(getpid())-\(number)"
      guard mkdir(path, 0o700) == 0 else {
        if errno == EEXIST { continue }
        throw SystemFailure(number: errno)
      }
      if let folder = PartialFolder(locking: path, orUnlocked: true) { return folder }
    }
    throw SystemFailure(number: EBUSY)
  }

  /// Removes this user's hidden folders whose process has ended.
  static func sweep(_ destination: String) {
    for name in FolderListing.names(in: destination) where name.hasPrefix(marker + "-") {
      let parts = name.dropFirst(marker.count + 1).split(separator: "-", omittingEmptySubsequences: false)
      guard parts.count == 2, parts.allSatisfy({ Int($0) != nil }) else { continue }
      PartialFolder(locking: "\(destination)/\(name)", orUnlocked: false)?.remove()
    }
  }

  /// Removes the folder and its files, as far as possible.
  func remove() {
    // Through the open folder and never its path, which may now be a link to somebody else's folder.
    for name in FolderListing.names(inDescriptor: descriptor) { unlinkat(descriptor, name, 0) }
    removeItself()
  }

  /// Removes the empty folder from its current parent, in which its name may have changed.
  private func removeItself() {
    let parent = openat(descriptor, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard parent >= 0 else { return }
    defer { close(parent) }
    let name = String(path.split(separator: "/").last ?? "")
    var (held, named) = (stat(), stat())
    guard fstat(descriptor, &held) == 0, fstatat(parent, name, &named, AT_SYMLINK_NOFOLLOW) == 0,
      named.st_dev == held.st_dev, named.st_ino == held.st_ino
    else { return }
    unlinkat(parent, name, AT_REMOVEDIR)
  }

  /// `nil` if the path isn't a real folder of this user, or another process holds the lock.
  ///
  /// - Parameter orUnlocked: Whether to accept a file system without locks.
  private init?(locking path: String, orUnlocked: Bool) {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    self.path = path
    self.descriptor = descriptor
    var (held, named) = (stat(), stat())
    guard fstat(descriptor, &held) == 0, held.st_uid == geteuid() else { return nil }
    if flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard orUnlocked, errno != EWOULDBLOCK else { return nil }
    }
    guard lstat(path, &named) == 0, named.st_dev == held.st_dev, named.st_ino == held.st_ino else { return nil }
  }

  deinit { close(descriptor) }
}

/// The errno of a failed call.
struct SystemFailure: Error {
  let number: Int32
}

/// The names in a folder, without `.` and `..`.
enum FolderListing {
  /// Empty if there is no such folder.
  static func names(in folder: String) -> [String] {
    opendir(folder).map(read) ?? []
  }

  static func names(inDescriptor descriptor: Int32) -> [String] {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { return [] }
    guard let stream = fdopendir(copy) else {
      close(copy)
      return []
    }
    // The duplicate descriptor shares its position with the original.
    rewinddir(stream)
    return read(stream)
  }

  private static func read(_ stream: OpaquePointer) -> [String] {
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names
  }
}
