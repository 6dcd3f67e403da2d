import CCompositorDigest
package import CompositorAPI
import CompositorPlatform

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
    self.init(sha256: result.hexadecimal, byteCount: Int64(bytes.count))
  }

  /// The digest of a regular file. Blocks the thread; canceling the task stops reading.
  ///
  /// - Throws: `.fileNotFound`, `.sourceRefused` if it isn't a regular file, `.readFailed`, `.cancelled`.
  package init(ofFile path: String) throws(CompositorError) { self = try Self.digests(ofFiles: [path])[0].get() }

  /// The digests of regular files, or the errors of ``init(ofFile:)``. Two files take less time than one after the other.
  package static func digests(ofFiles paths: [String]) -> [Result<FileDigest, CompositorError>] {
    var found = [cdg_file_digest](repeating: cdg_file_digest(), count: paths.count)
    let strings = paths.map { strdup($0) }
    defer { strings.forEach { free($0) } }
    cdg_files(strings.map { UnsafePointer($0) }, Int32(paths.count), { _ in Task.isCancelled }, nil, &found)
    return zip(paths, found).map { path, found in
      guard found.error == 0 else { return .failure(failure(-found.error, path)) }
      let sha256 = withUnsafeBytes(of: found.bytes) { $0.hexadecimal }
      return .success(FileDigest(sha256: sha256, byteCount: Int64(clamping: found.byte_count)))
    }
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
