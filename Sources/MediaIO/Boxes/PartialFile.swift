import CompositorPlatform

/// A regular file that is open to read parts of it. Opening never blocks.
struct PartialFile: ~Copyable {
  /// Size in bytes when it was opened.
  let size: Int
  private let descriptor: CInt

  /// - Returns: `nil` if there is no such file, it is not a regular one, or it cannot be opened.
  init?(path: String) {
    guard let opened = try? RegularFile.opened(path) else { return nil }
    (descriptor, size) = opened
  }

  deinit { close(descriptor) }

  /// The bytes at a position, fewer at the end of the file; `nil` if there are none, or they cannot be read.
  func bytes(_ count: Int, at position: Int) -> [UInt8]? {
    var done = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
      while done < count, let base = buffer.baseAddress {
        let got = pread(descriptor, base + done, count - done, off_t(position + done))
        guard got > 0 else { break }
        done += got
      }
      initializedCount = done
    }
    return bytes.isEmpty ? nil : bytes
  }
}
