package import CompositorAPI
import CompositorExport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Writes small files that appear complete or not at all.
package enum AtomicFile {
  /// Writes a file, makes it durable and gives it its final name.
  ///
  /// - Throws: `.outputExists`, `.writeFailed`.
  package static func write(_ bytes: [UInt8], to path: String, overwrites: Bool) throws(CompositorError) {
    let partial = try PartialOutput(in: OutputName.folder(of: path), overwrites: overwrites)
    do throws(CompositorError) {
      try write(bytes, to: partial.path(for: path))
      try partial.commit([path])
    } catch {
      partial.discard()
      throw partial.naming(error, output: path)
    }
  }

  private static func write(_ bytes: [UInt8], to path: String) throws(CompositorError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw failure(errno, path) }
    defer { close(descriptor) }
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw failure(count < 0 ? errno : EIO, path) }
      written += count
    }
  }

  /// Creates a folder unless it exists.
  ///
  /// - Throws: `.writeFailed`.
  package static func makeFolder(_ path: String) throws(CompositorError) {
    guard mkdir(path, 0o777) != 0, errno != EEXIST else { return }
    throw failure(errno, path)
  }

  private static func failure(_ number: Int32, _ path: String) -> CompositorError {
    let isFull = number == ENOSPC || number == EDQUOT
    return CompositorError(
      .writeFailed, "The file cannot be written.",
      recoverySuggestion: isFull ? "Make room on the disk." : "Check the folder's permissions.",
      cause: String(cString: strerror(number)), at: ErrorLocation(file: path), systemErrorNumber: number)
  }
}

/// The system's `write`, which the methods above shadow.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
