package import CompositorAPI
import CompositorMediaIO
import CompositorTimeline

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The text of a project that a person named, and how it is written back.
package struct ProjectText: Sendable {
  /// The text as it was read.
  package let text: SourceText
  /// What paths in it are relative to: empty, or ending in a slash.
  package let directory: String
  /// The file; `nil` for the standard input.
  package let path: String?

  /// Reads what a person named.
  ///
  /// - Returns: `nil` for a media file.
  /// - Throws: What reading a project throws before its text is looked at.
  package static func opening(_ path: String) throws(CompositorError) -> ProjectText? {
    if path == "-" {
      return ProjectText(
        text: try ProjectFile.text(reading: STDIN_FILENO, name: ProjectFile.standardInputName), directory: "", path: nil)
    }
    guard [".json5", ".json"].contains(where: path.lowercased().hasSuffix) else { return nil }
    let bytes = try RegularFile.bytes(of: path, maximumByteCount: ProjectFile.maximumByteCount)
    return ProjectText(
      text: try SourceText(name: path, bytes: bytes), directory: ProjectFile.directory(of: path), path: path)
  }

  /// The same project with another text.
  ///
  /// - Throws: `.invalidProject` for bytes that are not UTF-8, or too many.
  package func changed(to bytes: [UInt8]) throws(CompositorError) -> ProjectText {
    ProjectText(text: try SourceText(name: text.name, bytes: bytes), directory: directory, path: path)
  }
}

/// Writes a text over the file that it came from, whole or not at all.
package enum TextFileRewriting {
  /// Replaces a file's content at once; its permissions stay.
  ///
  /// A link is followed: the file that it leads to is replaced, and the link stays.
  ///
  /// - Parameters:
  ///   - original: What the file must hold still.
  /// - Returns: The file that was written: another than `path` if that is a link.
  /// - Throws: `.mediaChanged` if the file holds something else now; `.writeFailed`.
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
  /// - Throws: `.outputExists` if there is one; `.writeFailed`.
  package static func create(_ path: String, _ bytes: [UInt8]) throws(CompositorError) {
    let partial = try write(bytes, beside: path, mode: 0o644)
    defer { unlink(partial) }
    // Unlike a rename, a link does not replace what is there.
    guard link(partial, path) == 0 else {
      guard errno == EEXIST else { throw failure("The file cannot be written.", path) }
      throw CompositorError(
        .outputExists, "The file exists already.", recoverySuggestion: "Choose another name.", at: ErrorLocation(file: path))
    }
  }

  /// - Returns: The path of a complete file beside another, on the disk.
  private static func write(_ bytes: [UInt8], beside target: String, mode: mode_t) throws(CompositorError) -> String {
    let slash = target.lastIndex(of: "/").map { target.index(after: $0) } ?? target.startIndex
    let partial = "\(target[..<slash]).\(target[slash...]).\(getpid()).partial"
    let descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
    guard descriptor >= 0 else { throw failure("The file cannot be written.", target) }
    defer { close(descriptor) }
    var rest = bytes[...]
    // The mode is given again without the process's mask.
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

/// `write` by its own name, which the methods above hide.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
