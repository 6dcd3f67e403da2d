package import CompositorAPI
import CompositorPlatform

extension ProjectFile {
  /// The name of a project on standard input in messages.
  package static let standardInputName = "<standard input>"

  /// Reads a project from standard input; paths in it are relative to the current directory. Blocks until the end of input,
  /// unless the task is canceled.
  init(standardInput variables: [String: String], ignoringUnused: Bool) throws(CompositorError) {
    try self.init(
      reading: STDIN_FILENO, name: ProjectFile.standardInputName, variables: variables, ignoringUnused: ignoringUnused)
  }

  /// Reads a project from a file descriptor to its end; paths in it are relative to the current directory.
  ///
  /// - Throws: `.invalidProject` at the first mistake, and if the input is empty, is longer than ``maximumByteCount``, or isn't
  ///   text; `.readFailed`; `.cancelled`.
  package init(
    reading descriptor: Int32, name: String, variables: [String: String] = [:], ignoringUnused: Bool = false
  ) throws(CompositorError) {
    try self.init(
      try ProjectFile.text(reading: descriptor, name: name), directory: "", variables: variables, ignoringUnused: ignoringUnused
    )
  }

  /// Reads a project's text from a file descriptor to its end.
  ///
  /// - Throws: The errors of ``init(reading:name:variables:ignoringUnused:)`` about input that isn't text.
  static func text(reading descriptor: Int32, name: String) throws(CompositorError) -> SourceText {
    let bytes = try DescriptorReading(descriptor, name: name).bytes(maximumByteCount: ProjectFile.maximumByteCount)
    guard bytes.contains(where: { !" \t\r\n".utf8.contains($0) }) else {
      throw CompositorError(
        .invalidProject, "There is no project: the input is empty.",
        recoverySuggestion: "Send the text of a project, in JSON5.",
        at: ErrorLocation(file: name))
    }
    // Text contains no NUL bytes, but the headers of media files do.
    guard !bytes.prefix(4096).contains(0) else {
      throw CompositorError(
        .invalidProject, "This is binary data, not text.",
        recoverySuggestion: "Send the text of a project; media are read from files.", at: ErrorLocation(file: name))
    }
    return try SourceText(name: name, bytes: bytes)
  }
}

/// Reads a pipe or another file descriptor to its end.
private struct DescriptorReading {
  let descriptor: Int32
  let name: String
  /// How often a wait is interrupted to check for cancellation, in ms.
  private static let patience: Int32 = 50

  init(_ descriptor: Int32, name: String) {
    (self.descriptor, self.name) = (descriptor, name)
  }

  func bytes(maximumByteCount limit: Int) throws(CompositorError) -> [UInt8] {
    var bytes: [UInt8] = []
    var portion = [UInt8](repeating: 0, count: 65_536)
    while true {
      try waitForBytes()
      let count = read(descriptor, &portion, portion.count)
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count >= 0 else {
        throw CompositorError(
          .readFailed, "The project cannot be read.", recoverySuggestion: "Send it through a pipe, or name its file.",
          cause: String(cString: strerror(errno)), at: ErrorLocation(file: name))
      }
      guard count > 0 else { return bytes }
      guard bytes.count + count <= limit else {
        throw CompositorError(
          .invalidProject, "There are more than \(limit) bytes, which is the longest project.",
          recoverySuggestion: "Send the text of a project.", at: ErrorLocation(file: name))
      }
      bytes += portion[..<count]
    }
  }

  private func waitForBytes() throws(CompositorError) {
    while true {
      if Task.isCancelled { throw CompositorError(.cancelled, "Reading was canceled.", at: ErrorLocation(file: name)) }
      var query = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let count = poll(&query, 1, Self.patience)
      // A signal ends the wait without data. Other errors are reported by the following read.
      if count > 0 || (count < 0 && errno != EINTR) { return }
    }
  }
}
