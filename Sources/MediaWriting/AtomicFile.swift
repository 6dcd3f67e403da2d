import CompositorAPI
import CompositorMediaIO

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Gives finished files their names, so that a name is that of a complete file or of none.
package enum AtomicFile {
  /// Writes a file under a hidden name in the folder of `path`, and renames it when it is complete.
  ///
  /// - Parameter write: Writes the file at the hidden path, and makes it durable.
  /// - Throws: `.outputExists` if there is a file and `overwrites` is false; `.writeFailed` for a folder, a device or a pipe, and if
  ///   the file cannot be named; the errors of `write`, located at `path`.
  static func create<R>(
    _ path: String, overwrites: Bool, _ write: (String) throws(CompositorError) -> R
  ) throws(CompositorError) -> R {
    try check(path, overwrites: overwrites)
    let partial = hiddenPath(for: path)
    do throws(CompositorError) {
      let result = try write(partial)
      let number = rename(partial, to: path, overwrites: overwrites)
      guard number == 0 else {
        throw number == EEXIST ? exists(path) : WriteFailure(errno: number).writing(path)
      }
      synchronizeFolder(of: path)
      return result
    } catch {
      unlink(partial)
      var located = error
      located.location.file = path
      throw located
    }
  }

  /// Renames a file within a file system.
  ///
  /// - Parameter overwrites: Whether an existing file is replaced.
  /// - Returns: The system's error number, `EEXIST` if there is a file that is not to be replaced; 0 on success.
  package static func rename(_ partial: String, to path: String, overwrites: Bool) -> Int32 {
    guard !overwrites else { return systemRename(partial, path) }
    // Unlike a rename, a link never replaces a file.
    if link(partial, path) == 0 {
      unlink(partial)
      return 0
    }
    let number = errno
    guard [EPERM, EOPNOTSUPP, ENOSYS, EMLINK].contains(number) else { return number }
    // A file system without hard links: claim the name, then replace the claim.
    let claim = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
    guard claim >= 0 else { return errno }
    close(claim)
    let failure = systemRename(partial, path)
    if failure != 0 { unlink(path) }
    return failure
  }

  private static func check(_ path: String, overwrites: Bool) throws(CompositorError) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT != S_IFDIR else { throw WriteFailure(errno: EISDIR).writing(path) }
    guard overwrites else { throw exists(path) }
    guard stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG else {
      throw CompositorError(
        .writeFailed, "The output is not a regular file.", recoverySuggestion: "Choose another name.",
        at: ErrorLocation(file: path))
    }
  }

  private static func exists(_ path: String) -> CompositorError {
    CompositorError(
      .outputExists, "The output exists already.", recoverySuggestion: "Choose another name, or allow overwriting.",
      at: ErrorLocation(file: path))
  }

  /// Makes the name durable. The file is complete without that, so a file system that cannot is no error.
  private static func synchronizeFolder(of path: String) {
    let descriptor = open(path.lastIndex(of: "/").map { String(path[...$0]) } ?? ".", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  /// A free name in the same folder, with the same extension.
  private static func hiddenPath(for path: String) -> String {
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { String(path[...$0]) } ?? ""
    let name = slash.map { path[path.index(after: $0)...] } ?? path[...]
    let mark = String(UInt64.random(in: .min ... .max), radix: 36)
    let dot = name.lastIndex(of: ".") ?? name.endIndex
    // File names have at most 255 bytes.
    return "\(folder).\(name[..<dot].prefix(32)).\(mark)\(name[dot...].prefix(16))"
  }
}

/// Calls `rename`, whose name the method above hides.
private func systemRename(_ old: String, _ new: String) -> Int32 { rename(old, new) == 0 ? 0 : errno }
