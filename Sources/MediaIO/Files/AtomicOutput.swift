package import CompositorAPI
import CompositorPlatform

/// Files that appear complete under their names, or not at all. All files that the package writes for its users are written this
/// way, except streams.
///
/// - **Hidden until complete.** They are written in a hidden folder inside their future folder, and so on the same file system.
/// - **Durable.** Files are synchronized before they get their names, and their folder afterward.
/// - **Nothing is replaced unasked.** A name that is taken meanwhile is an error, also on file systems without hard links.
/// - **No remains.** Remains of a killed run are removed by the next run with the same folder, of others never. For files that are
///   written one by one, a process looks for them once in each folder.
/// - **Permissions** are those of new files under the process's mask; a replaced file's are not kept.
package struct AtomicOutput: Sendable {
  /// The hidden folder, from which finished files are moved one by one.
  private let folder: PartialFolder
  private let destination: String
  private let overwrites: Bool

  /// Removes the remains of killed processes, then creates a hidden folder.
  ///
  /// - Throws: `.writeFailed` if the folder is not writable.
  package init(in destination: String, overwrites: Bool) throws(CompositorError) {
    try self.init(in: destination, overwrites: overwrites, isOneOfMany: false)
  }

  private init(in destination: String, overwrites: Bool, isOneOfMany: Bool) throws(CompositorError) {
    do throws(SystemFailure) {
      try self.init(hiddenIn: destination, overwrites: overwrites, isOneOfMany: isOneOfMany)
    } catch {
      throw Self.failure(error.number, "The folder cannot be written to.", file: destination)
    }
  }

  /// - Parameter isOneOfMany: Whether a process may write many such outputs into the folder, which is swept once then.
  private init(hiddenIn destination: String, overwrites: Bool, isOneOfMany: Bool) throws(SystemFailure) {
    if isOneOfMany { PartialFolder.sweepOnce(destination) } else { PartialFolder.sweep(destination) }
    folder = try PartialFolder.make(in: destination)
    self.destination = destination
    self.overwrites = overwrites
  }

  /// The path at which the file for a final path is written.
  package func path(for final: String) -> String { "\(folder.path)/\(FileName.name(of: final))" }

  /// The same error with the file's name as the caller knows it, without the hidden folder.
  ///
  /// - Parameter output: Path of the movie, or the pattern of the images.
  package func naming(_ error: CompositorError, output: String) -> CompositorError {
    guard let file = error.location.file, file.hasPrefix(folder.path + "/") else {
      return error.locating(ErrorLocation(file: output))
    }
    var copy = error
    copy.location.file = output.dropLast(FileName.name(of: output).count) + FileName.name(of: file)
    return copy
  }

  /// Gives finished files their final names.
  ///
  /// - Throws: `.outputExists` if a name was taken meanwhile, `.writeFailed`. Files that already got their names are removed
  ///   then.
  package func commit(_ finals: some Sequence<String>) throws(CompositorError) {
    var done: [String] = []
    do throws(CompositorError) {
      for final in finals {
        try publish(path(for: final), as: final)
        done.append(final)
      }
      try synchronize(destination)
    } catch {
      if !overwrites { done.forEach { unlink($0) } }
      throw error
    }
    discard()
  }

  /// Removes everything written. Can be called more than once.
  package func discard() { folder.remove() }

  private func publish(_ partial: String, as final: String) throws(CompositorError) {
    try synchronize(partial)
    let number = FileNaming.rename(partial, to: final, overwrites: overwrites)
    guard number == 0 else { throw Self.failure(number, "The output cannot be named.", file: final) }
  }

  private func synchronize(_ path: String) throws(CompositorError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.failure(errno, "The output cannot be opened again.", file: path) }
    defer { close(descriptor) }
    // Some file systems cannot make a folder durable, which EINVAL tells.
    guard fsync(descriptor) == 0 || errno == EINVAL else {
      throw Self.failure(errno, "The output cannot be made durable.", file: path)
    }
  }

  private static func failure(_ number: Int32, _ what: String, file: String) -> CompositorError {
    if number == EEXIST { return exists(file) }
    let recoverySuggestion = number == ENOSPC || number == EDQUOT ? "Make room on the disk." : "Check the folder's permissions."
    return CompositorError(
      .writeFailed, what, recoverySuggestion: recoverySuggestion, cause: String(cString: strerror(number)),
      at: ErrorLocation(file: file), systemErrorNumber: number)
  }

  private static func exists(_ path: String) -> CompositorError {
    CompositorError(
      .outputExists, "The output exists already.", advice: "Choose another name, or give \(setting: .overwrites).",
      at: ErrorLocation(file: path))
  }
}

/// One file.
extension AtomicOutput {
  /// Writes a file.
  ///
  /// - Throws: `.outputExists`, `.writeFailed`.
  package static func write(_ bytes: [UInt8], to path: String, overwrites: Bool) throws(CompositorError) {
    let output = try AtomicOutput(in: FileName.folder(of: path), overwrites: overwrites, isOneOfMany: true)
    do throws(CompositorError) {
      let number = FileNaming.write(bytes, toNew: output.path(for: path))
      guard number == 0 else { throw failure(number, "The file cannot be written.", file: path) }
      try output.commit([path])
    } catch {
      output.discard()
      throw output.naming(error, output: path)
    }
  }

  /// Writes a file with a function.
  ///
  /// - Parameter write: Writes the file at a hidden path that has the same name.
  /// - Throws: `.outputExists` if there is a file and `overwrites` is false; `.writeFailed` for a folder, a device or a pipe, and if
  ///   the file cannot be named; the errors of `write`, located at `path`.
  package static func create<R>(
    _ path: String, overwrites: Bool, _ write: (String) throws(CompositorError) -> R
  ) throws(CompositorError) -> R {
    try check(path, overwrites: overwrites)
    let output: AtomicOutput
    do throws(SystemFailure) {
      output = try AtomicOutput(hiddenIn: FileName.folder(of: path), overwrites: overwrites, isOneOfMany: true)
    } catch {
      throw WriteFailure(errno: error.number).writing(path)
    }
    do throws(CompositorError) {
      let result = try write(output.path(for: path))
      try output.commit([path])
      return result
    } catch {
      output.discard()
      var located = error
      located.location.file = path
      throw located
    }
  }

  /// Creates a folder unless it exists.
  ///
  /// - Throws: `.writeFailed`.
  package static func makeFolder(_ path: String) throws(CompositorError) {
    guard mkdir(path, 0o777) != 0, errno != EEXIST else { return }
    throw failure(errno, "The file cannot be written.", file: path)
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
}

/// The system's part of writing and naming files. Results are the system's error numbers, 0 for success.
private enum FileNaming {
  /// Renames a file within a file system.
  ///
  /// - Parameter overwrites: Whether an existing file is replaced. `EEXIST` if there is one that is not to be.
  static func rename(_ partial: String, to path: String, overwrites: Bool) -> Int32 {
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

  /// Writes a file that doesn't exist yet.
  static func write(_ bytes: [UInt8], toNew path: String) -> Int32 {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { return errno }
    defer { close(descriptor) }
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return count < 0 ? errno : EIO }
      written += count
    }
    return 0
  }
}

/// Calls `rename`, whose name a method above hides.
private func systemRename(_ old: String, _ new: String) -> Int32 { rename(old, new) == 0 ? 0 : errno }

/// Calls `write`, whose name a method above hides.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
