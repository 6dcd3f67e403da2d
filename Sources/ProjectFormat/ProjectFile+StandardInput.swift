package import CompositorAPI

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension ProjectFile {
  /// What messages call a project on the standard input.
  package static let standardInputName = "<standard input>"

  /// Reads a project from the standard input; paths in it are relative to the current folder. Waits for its end; a canceled task does not.
  init(standardInput variables: [String: String], ignoringUnused: Bool) throws(CompositorError) {
    try self.init(
      reading: STDIN_FILENO, name: ProjectFile.standardInputName, variables: variables, ignoringUnused: ignoringUnused)
  }

  /// Reads a project from a descriptor to its end; paths in it are relative to the current folder.
  ///
  /// - Throws: `.invalidProject` at the first mistake, for nothing at all, for more than ``maximumByteCount`` and for what is no text;
  ///   `.readFailed`; `.cancelled`.
  package init(
    reading descriptor: Int32, name: String, variables: [String: String] = [:], ignoringUnused: Bool = false
  ) throws(CompositorError) {
    try self.init(
      try ProjectFile.text(reading: descriptor, name: name), directory: "", variables: variables, ignoringUnused: ignoringUnused
    )
  }

  /// Reads a project's text from a descriptor to its end.
  ///
  /// - Throws: As ``init(reading:name:variables:ignoringUnused:)``, for what is no text.
  static func text(reading descriptor: Int32, name: String) throws(CompositorError) -> SourceText {
    let bytes = try DescriptorReading(descriptor, name: name).bytes(maximumByteCount: ProjectFile.maximumByteCount)
    guard bytes.contains(where: { !" \t\r\n".utf8.contains($0) }) else {
      throw CompositorError(
        .invalidProject, "There is no project: nothing came.", recoverySuggestion: "Send the text of a project, in JSON5.",
        at: ErrorLocation(file: name))
    }
    // Text has no NUL; the heads of media have.
    guard !bytes.prefix(4096).contains(0) else {
      throw CompositorError(
        .invalidProject, "This is no text, but binary data.",
        recoverySuggestion: "Send the text of a project; media are read from files.", at: ErrorLocation(file: name))
    }
    return try SourceText(name: name, bytes: bytes)
  }
}

/// Reading a pipe, or whatever a descriptor is, to its end.
private struct DescriptorReading {
  let descriptor: Int32
  let name: String
  /// How long a wait lasts until the task is looked at again, in ms.
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
      // A signal ends the wait without a byte; another error counts: reading will say which.
      if count > 0 || (count < 0 && errno != EINTR) { return }
    }
  }
}
