import CCompositorDigest
package import CompositorAPI

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The SHA-256 and the number of bytes of a file.
package struct FileDigest: Hashable, Sendable, Codable {
  /// 64 lower-case hexadecimal digits.
  package var sha256: String
  package var byteCount: Int64

  package init(sha256: String, byteCount: Int64) { (self.sha256, self.byteCount) = (sha256, byteCount) }

  /// The digest of bytes in memory.
  package init(of bytes: some Collection<UInt8>) {
    var digest = cdg_sha256()
    cdg_begin(&digest)
    let isContiguous: Void? = bytes.withContiguousStorageIfAvailable { cdg_add(&digest, $0.baseAddress, $0.count) }
    if isContiguous == nil { Array(bytes).withUnsafeBufferPointer { cdg_add(&digest, $0.baseAddress, $0.count) } }
    var result = [UInt8](repeating: 0, count: 32)
    cdg_end(&digest, &result)
    self.init(sha256: Self.text(of: result), byteCount: Int64(bytes.count))
  }

  /// The digest of a regular file. Blocks the thread; canceling the task stops reading.
  ///
  /// - Throws: `.fileNotFound`, `.sourceRefused` if it isn't a regular file, `.readFailed`, `.cancelled`.
  package init(ofFile path: String) throws(CompositorError) {
    var (count, result) = (UInt64(0), [UInt8](repeating: 0, count: 32))
    let error = cdg_file(path, { _ in Task.isCancelled }, nil, &count, &result)
    guard error == 0 else { throw Self.failure(-error, path) }
    self.init(sha256: Self.text(of: result), byteCount: Int64(clamping: count))
  }

  private static func text(of digest: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  private static func failure(_ number: Int32, _ path: String) -> CompositorError {
    let location = ErrorLocation(file: path)
    let cause = String(cString: strerror(number))
    switch number {
    case ECANCELED: return CompositorError(.cancelled, "Reading was canceled.", at: location)
    case ENOENT, ENOTDIR:
      return CompositorError(
        .fileNotFound, "The file is not there.", recoverySuggestion: "Put it back, or correct the path.", cause: cause,
        at: location)
    case EINVAL, EISDIR:
      return CompositorError(
        .sourceRefused, "This is not a regular file.", recoverySuggestion: "Give a file.", cause: cause, at: location)
    default:
      return CompositorError(
        .readFailed, "The file cannot be read.", recoverySuggestion: "Check the disk, and the permissions of the file.",
        cause: cause, at: location, systemErrorNumber: number)
    }
  }
}
