package import CompositorAPI
import CompositorMediaIO
import CompositorTimeline
import CompositorPlatform

/// The source text of a project that the user named, for reading and rewriting.
package struct ProjectText: Sendable {
  /// The text as read.
  package let text: SourceText
  /// The directory that paths in it are relative to: empty, or ending in a slash.
  package let directory: String
  /// The path of the file; `nil` for standard input.
  package let path: String?

  /// Reads the file that the user named.
  ///
  /// - Returns: `nil` for a media file.
  /// - Throws: The errors of reading a project file before parsing it.
  package static func opening(_ path: String) throws(CompositorError) -> ProjectText? {
    if path == "-" {
      return ProjectText(
        text: try ProjectFile.text(reading: STDIN_FILENO, name: ProjectFile.standardInputName), directory: "", path: nil)
    }
    guard ProjectFile.isProject(path) else { return nil }
    let bytes = try RegularFile.bytes(of: path, maximumByteCount: ProjectFile.maximumByteCount)
    return ProjectText(
      text: try SourceText(name: path, bytes: bytes), directory: ProjectFile.directory(of: path), path: path)
  }

  /// The project with another text.
  ///
  /// - Throws: `.invalidProject` if the bytes aren't UTF-8, or are too many.
  package func changed(to bytes: [UInt8]) throws(CompositorError) -> ProjectText {
    ProjectText(text: try SourceText(name: text.name, bytes: bytes), directory: directory, path: path)
  }
}

/// Atomically rewrites text files.
package enum TextFileRewriting {
  /// Replaces a file's contents, keeping its permissions.
  ///
  /// A symbolic link is followed: its target is replaced, and the link is kept.
  ///
  /// - Parameters:
  ///   - original: The expected current contents of the file.
  /// - Returns: The path of the file that was written, which differs from `path` if that is a link.
  /// - Throws: `.mediaChanged` if the file's contents are different; `.writeFailed`.
  package static func replace(_ path: String, holding original: [UInt8], by bytes: [UInt8]) throws(CompositorError) -> String {
    guard let resolved = realpath(path, nil) else { throw failure("The file cannot be found any more.", path) }
    defer { free(resolved) }
    let target = String(cString: resolved)
    var status = stat()
    guard stat(target, &status) == 0 else { throw failure("The file cannot be looked at.", path) }
    let partial = try write(bytes, beside: target, mode: status.st_mode & 0o7777)
    do throws(CompositorError) {
      guard try RegularFile.bytes(of: target, maximumByteCount: ProjectFile.maximumByteCount) == original else {
        throw CompositorError(
          .mediaChanged, "The project was changed while it was checked, and is left as it is now.",
          recoverySuggestion: "Run the command again.", at: ErrorLocation(file: path))
      }
      guard rename(partial, target) == 0 else { throw failure("The project cannot be replaced.", path) }
    } catch {
      unlink(partial)
      throw error
    }
    return target == absolute(path) ? path : target
  }

  /// Writes a new file.
  ///
  /// - Throws: `.outputExists` if the file exists; `.writeFailed`.
  package static func create(_ path: String, _ bytes: [UInt8]) throws(CompositorError) {
    let partial = try write(bytes, beside: path, mode: 0o644)
    defer { unlink(partial) }
    // Unlike a rename, a link doesn't replace an existing file.
    guard link(partial, path) == 0 else {
      guard errno == EEXIST else { throw failure("The file cannot be written.", path) }
      throw CompositorError(
        .outputExists, "The file exists already.", recoverySuggestion: "Choose another name.", at: ErrorLocation(file: path))
    }
  }

  /// - Returns: The path of a complete, synchronized file in the same directory as the target.
  private static func write(_ bytes: [UInt8], beside target: String, mode: mode_t) throws(CompositorError) -> String {
    let slash = target.lastIndex(of: "/").map { target.index(after: $0) } ?? target.startIndex
    let partial = "\(target[..<slash]).\(target[slash...]).\(getpid()).partial"
    let descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
    guard descriptor >= 0 else { throw failure("The file cannot be written.", target) }
    defer { close(descriptor) }
    var rest = bytes[...]
    // The mode is set again without the process's umask.
    var isWritten = fchmod(descriptor, mode) == 0
    while isWritten, !rest.isEmpty {
      let count = rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      isWritten = count > 0
      rest = rest.dropFirst(max(0, count))
    }
    guard isWritten, fsync(descriptor) == 0 else {
      let error = failure("The file cannot be written.", target)
      unlink(partial)
      throw error
    }
    return partial
  }

  private static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    var relative = Substring(path)
    while relative.hasPrefix("./") { relative = relative.dropFirst(2) }
    return "\(String(cString: folder))/\(relative)"
  }

  private static func failure(_ message: String, _ path: String) -> CompositorError {
    let number = errno
    return CompositorError(
      .writeFailed, message, recoverySuggestion: "Check the folder's permissions and the space on its disk.",
      cause: String(cString: strerror(number)), at: ErrorLocation(file: path), systemErrorNumber: number)
  }
}

/// The system's `write`, which the methods above shadow.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
