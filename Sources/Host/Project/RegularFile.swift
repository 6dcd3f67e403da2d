package import CompositorAPI

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A file on disk that is neither a pipe nor a device nor a directory.
package enum RegularFile {
  /// The file's bytes.
  ///
  /// - Throws: `.fileNotFound`, `.sourceRefused` for anything but a regular file, `.invalidProject` where it is longer than
  ///   `maximumByteCount`. Opening never waits, not even for a pipe.
  package static func bytes(of path: String, maximumByteCount: Int) throws(CompositorError) -> [UInt8] {
    let place = ErrorLocation(file: path)
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(errno, at: place) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure(errno, at: place) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw CompositorError(
        .sourceRefused, "This is not a regular file.", remedy: "Give the path of a regular file on this machine.", at: place)
    }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count <= maximumByteCount {
      let count = read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure(errno, at: place) }
      guard count > 0 else { return bytes }
      bytes += chunk[..<count]
    }
    throw CompositorError(.invalidProject, "The file is longer than \(maximumByteCount >> 20) MiB.", at: place)
  }

  private static func failure(_ number: Int32, at place: ErrorLocation) -> CompositorError {
    let reason = String(cString: strerror(number))
    switch number {
    case ENOENT, ENOTDIR: return CompositorError(.fileNotFound, "There is no such file.", remedy: "Check the path.", at: place)
    case EMFILE, ENFILE, ENOMEM:
      return CompositorError(.resourceExhausted, "The file cannot be opened.", cause: reason, at: place)
    default: return CompositorError(.sourceRefused, "The file cannot be read.", cause: reason, at: place)
    }
  }
}
