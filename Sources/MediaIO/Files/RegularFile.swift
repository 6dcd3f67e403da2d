package import CompositorAPI
import CompositorPlatform

/// Opens and reads local regular files. Pipes, devices and directories are never opened, and opening never blocks.
package enum RegularFile {
  /// Maximum size of a still image file, in bytes.
  static let maximumByteCount = 1 << 30

  /// The first bytes of a file, at most `count`; fewer if the file is shorter.
  ///
  /// - Throws: `.fileNotFound`, `.sourceRefused`, `.unreadableMedia`, `.readFailed`.
  package static func beginning(of path: String, count: Int) throws(CompositorError) -> [UInt8] {
    try open(path) { (descriptor, size) throws(CompositorError) in
      try read(descriptor, count: min(count, size), path: path)
    }
  }

  /// A whole file.
  ///
  /// - Parameters:
  ///   - limit: Maximum size in bytes.
  ///   - tooLong: The error code for a longer file.
  /// - Throws: `.fileNotFound`; `.sourceRefused` for anything but a regular file; `.readFailed`, `.unreadableMedia` or
  ///   `.resourceExhausted` if it cannot be read; `tooLong`. Opening never blocks, not even for a pipe.
  package static func bytes(
    of path: String, maximumByteCount limit: Int, tooLong: CompositorError.Code = .invalidProject
  ) throws(CompositorError) -> [UInt8] {
    try open(path) { (descriptor, size) throws(CompositorError) in
      guard size <= limit else {
        throw CompositorError(
          tooLong, "The file has \(size) bytes, more than the \(limit) that are read.",
          recoverySuggestion: "Use a smaller one.",
          at: ErrorLocation(file: path))
      }
      return try read(descriptor, count: size, path: path)
    }
  }

  /// A whole file of at most ``maximumByteCount``.
  static func contents(of path: String) throws(CompositorError) -> [UInt8] {
    try bytes(of: path, maximumByteCount: maximumByteCount, tooLong: .frameTooLarge)
  }

  /// Whether a path names a regular file.
  package static func exists(_ path: String) -> Bool { state(of: path) != nil }

  /// What the file system says of a file.
  package struct State: Sendable {
    /// Numbers of the file system and of the file in it.
    package let device, inode: UInt64
    /// Size in bytes.
    package let byteCount: Int64
    /// The times of the last change of the contents, and of the contents or the state, in seconds and nanoseconds since 1970.
    package let modified, changed: [Int]
  }

  /// The state of a regular file; `nil` if a path names none.
  package static func state(of path: String) -> State? {
    var status = stat()
    guard stat(path, &status) == 0, isRegular(status) else { return nil }
    let (modified, changed) = (status.st_mtim, status.st_ctim)
    return State(
      device: UInt64(status.st_dev), inode: UInt64(status.st_ino), byteCount: Int64(status.st_size),
      modified: [modified.tv_sec, modified.tv_nsec], changed: [changed.tv_sec, changed.tv_nsec])
  }

  private static func isRegular(_ information: stat) -> Bool { information.st_mode & S_IFMT == S_IFREG }

  private static func open<R>(
    _ path: String, _ body: (Int32, Int) throws(CompositorError) -> R
  ) throws(CompositorError) -> R {
    let (descriptor, size) = try opened(path)
    defer { _ = close(descriptor) }
    return try body(descriptor, size)
  }

  /// Opens a file for reading.
  ///
  /// - Returns: A descriptor, which the caller closes, and the file's size in bytes.
  /// - Throws: `.fileNotFound`, `.sourceRefused`, `.readFailed`, `.unreadableMedia`, `.resourceExhausted`.
  static func opened(_ path: String) throws(CompositorError) -> (descriptor: Int32, size: Int) {
    var information = stat()
    guard stat(path, &information) == 0 else { throw failure(path) }
    // Checked before opening, because opening alone can act on a device or wait for a pipe's other end, and again afterward,
    // because the name may refer to something else by then.
    guard isRegular(information) else { throw refusal(path) }
    let descriptor = CompositorPlatform.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw failure(path) }
    guard fstat(descriptor, &information) == 0, isRegular(information) else {
      _ = close(descriptor)
      throw refusal(path)
    }
    return (descriptor, Int(information.st_size))
  }

  private static func read(_ descriptor: Int32, count: Int, path: String) throws(CompositorError) -> [UInt8] {
    var done = 0
    var error: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      while done < count, let base = buffer.baseAddress {
        let got = pread(descriptor, base + done, count - done, off_t(done))
        if got < 0, errno == EINTR { continue }
        if got < 0 { error = errno }
        guard got > 0 else { break }
        done += got
      }
      initialized = done
    }
    guard error == 0 else { throw failure(path, number: error) }
    return bytes
  }

  private static func failure(_ path: String, number: Int32 = errno) -> CompositorError {
    let reason = String(cString: strerror(number))
    if number == ENOENT || number == ENOTDIR {
      guard !looksLikeAddress(path) else {
        return CompositorError(
          .sourceRefused, "The source is an address, not a file.",
          recoverySuggestion: PathAdvice.advice(onAddress: path) ?? "Download it, and give the file's path.",
          at: ErrorLocation(file: path))
      }
      return CompositorError(
        .fileNotFound, "The file cannot be opened.",
        recoverySuggestion: PathAdvice.advice(onMissingFile: path),
        cause: reason, at: ErrorLocation(file: path))
    }
    let code: CompositorError.Code =
      switch number {
      case EIO, ESTALE: .readFailed
      case EMFILE, ENFILE, ENOMEM: .resourceExhausted
      default: .unreadableMedia
      }
    return CompositorError(
      code, "The file cannot be read.", recoverySuggestion: "Check the file's permissions and its disk.", cause: reason,
      at: ErrorLocation(file: path))
  }

  private static func refusal(_ path: String) -> CompositorError {
    CompositorError(
      .sourceRefused, "The source is not a regular file.",
      recoverySuggestion: "Give the path of a regular file on this machine.",
      at: ErrorLocation(file: path))
  }

  /// Whether a path has a scheme of at least two letters, such as `http:`, `concat:` or `pipe:`.
  private static func looksLikeAddress(_ path: String) -> Bool {
    guard let colon = path.firstIndex(of: ":") else { return false }
    let scheme = path[..<colon]
    return scheme.count > 1 && scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+.-_,".contains($0)) }
  }
}
