package import CompositorAPI
import CompositorPlatform

/// Writes a string to a file.
package enum TextFile {
  /// - Throws: `.writeFailed`. Bytes written until then stay.
  package static func write(_ text: String, to path: String) throws(CompositorError) {
    let descriptor = creat(path, 0o666)
    guard descriptor >= 0 else { throw WriteFailure(errno: errno).writing(path) }
    var (text, done, failure): (String, Int, Int32) = (text, 0, 0)
    text.withUTF8 { bytes in
      while done < bytes.count, failure == 0 {
        let step = systemWrite(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done)
        if step > 0 { done += step } else if errno != EINTR { failure = errno }
      }
    }
    if failure == 0, fsync(descriptor) != 0, errno != EINVAL { failure = errno }
    if close(descriptor) != 0, failure == 0 { failure = errno }
    guard failure == 0 else { throw WriteFailure(errno: failure).writing(path) }
  }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
