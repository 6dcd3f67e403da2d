import CCompositorFFmpeg
package import CompositorAPI

/// What was found out about a file when it was measured, and what each reader of it relies on.
package struct FileFacts: Sendable {
  private let identity: Identity
  /// Where the file's clock starts anew; one entry for most files, none for containers that say it themselves.
  let sections: [cff_clock_section]

  /// What tells whether a file is still the one that was measured.
  private struct Identity: Sendable {
    let value: cff_file_identity
  }

  init(_ demuxer: Demuxer) {
    identity = Identity(value: cff_demuxer_identity(demuxer.handle))
    sections = demuxer.sections
  }

  /// The facts of a file that is not read by a demuxer; nil if there is no such file.
  init?(path: String) {
    var found = cff_file_identity()
    guard cff_identify_file(path, &found) else { return nil }
    identity = Identity(value: found)
    sections = []
  }

  /// Whether an opened file is the one that was measured.
  func describe(_ demuxer: Demuxer) -> Bool { isSame(cff_demuxer_identity(demuxer.handle)) }

  /// Whether the file at a path is the one that was measured, unchanged. A file that was removed can still be read by those who
  /// opened it, and has not changed.
  package func describeFile(at path: String) -> Bool {
    var found = cff_file_identity()
    return !cff_identify_file(path, &found) || isSame(found)
  }

  private func isSame(_ other: cff_file_identity) -> Bool {
    var (left, right) = (identity.value, other)
    return cff_same_identity(&left, &right)
  }

  /// The error for a file that is no longer the one that was measured.
  package static func change(of path: String) -> CompositorError {
    let code = CompositorError.Code.mediaChanged
    return CompositorError(
      code, "The file changed while it was in use.", recoverySuggestion: code.readingRecoverySuggestion,
      cause: "it was written to or replaced since it was measured", at: ErrorLocation(file: path))
  }
}
