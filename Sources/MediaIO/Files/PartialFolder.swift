import CompositorAPI
import CompositorPlatform
import Synchronization

/// A hidden folder for unfinished files, locked as long as this object lives.
///
/// The lock tells every process on this machine that the folder is in use. The kernel releases it when the process ends, however
/// it ends. Other machines that share the file system may not see the lock: NFS keeps locks of folders on each client. So the
/// name has the boot ID of the machine, and a folder of another one is removed only after a week without a change. The process
/// ID in the name is only for people.
final class PartialFolder: Sendable {
  let path: String
  private let descriptor: Int32

  private static let marker = ".compositor-partial"
  private static let counter = Atomic<Int>(0)
  /// How long nothing changes in a folder before other machines consider it abandoned, in seconds.
  private static let abandonment = 7 * 24 * 3600

  /// Identifies the running kernel, with which processes share locks, also from within containers; nil if it has no ID.
  private static let boot: Substring? = {
    guard let file = fopen("/proc/sys/kernel/random/boot_id", "re") else { return nil }
    defer { fclose(file) }
    var text = [CChar](repeating: 0, count: 64)
    guard fgets(&text, Int32(text.count), file) != nil else { return nil }
    let digits = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self).filter(\.isHexDigit)
    return digits.count == 32 ? digits.prefix(16) : nil
  }()

  /// Creates a folder in `destination`.
  ///
  /// - Throws: The system's errno.
  static func make(in destination: String) throws(SystemFailure) -> PartialFolder {
    // A process in another container may use the name, or sweep the new folder before it is locked.
    for _ in 0..<100 {
      let number = counter.add(1, ordering: .relaxed).newValue
      let path = "\(destination)/\(marker)-\(boot.map { "\($0)-" } ?? "")\(getpid())-\(number)"
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
      guard (2...3).contains(parts.count), parts.suffix(2).allSatisfy({ Int($0) != nil }) else { continue }
      let (path, isOwn) = ("\(destination)/\(name)", parts.count == 3 && parts[0] == boot)
      if isOwn || isAbandoned(path) { PartialFolder(locking: path, orUnlocked: false)?.remove() }
    }
  }

  /// Removes remains as ``sweep(_:)`` does, unless this process did so before.
  ///
  /// For files that are written one by one: a sweep lists the whole folder, so that one for each file of it would take a time that
  /// grows with the square of their number.
  static func sweepOnce(_ destination: String) {
    var status = stat()
    guard stat(destination, &status) == 0 else { return }
    let folder = SweptFolder(path: destination, device: UInt64(status.st_dev), number: UInt64(status.st_ino))
    let isNew = swept.withLock { swept in
      if swept.count >= sweptLimit { swept.removeAll() }
      return swept.insert(folder).inserted
    }
    if isNew { sweep(destination) }
  }

  /// A folder that was swept. Its number alone may be that of another one that was removed since.
  private struct SweptFolder: Hashable {
    let path: String
    let device, number: UInt64
  }

  private static let swept = Mutex<Set<SweptFolder>>([])
  /// The number of folders to remember.
  private static let sweptLimit = 1000

  /// Whether nothing changed in a folder for a long time.
  private static func isAbandoned(_ path: String) -> Bool {
    let limit = time(nil) - abandonment
    return ([path] + FolderListing.names(in: path).map { "\(path)/\($0)" }).allSatisfy { path in
      var status = stat()
      return lstat(path, &status) == 0 && status.st_mtim.tv_sec < limit
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
    let name = path.fileName
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
