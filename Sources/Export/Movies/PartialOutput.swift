package import CompositorAPI
import CompositorHost
import CompositorMediaWriting

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// An unfinished output under a hidden name in its future folder. The output gets its final name when it is complete, or not at
/// all.
///
/// Remains of a killed run are removed by the next run with the same folder.
package struct PartialOutput: Sendable {
  /// The hidden folder, from which finished files are moved one by one.
  private let folder: PartialFolder
  private let destination: String
  private let overwrites: Bool

  /// Removes the remains of killed processes, then creates a hidden folder.
  ///
  /// - Throws: `.writeFailed` if the folder is not writable.
  package init(in destination: String, overwrites: Bool) throws(CompositorError) {
    PartialFolder.sweep(destination)
    do throws(SystemFailure) {
      folder = try PartialFolder.make(in: destination)
    } catch {
      throw PartialOutput.failure(error.number, "The folder cannot be written to.", file: destination)
    }
    self.destination = destination
    self.overwrites = overwrites
  }

  /// The path at which the file for a final path is written.
  package func path(for final: String) -> String { "\(folder.path)/\(OutputName.name(of: final))" }

  /// The same error with the file's name as the caller knows it, without the hidden folder.
  ///
  /// - Parameter output: Path of the movie, or the pattern of the images.
  package func naming(_ error: CompositorError, output: String) -> CompositorError {
    guard let file = error.location.file, file.hasPrefix(folder.path + "/") else {
      return error.locating(ErrorLocation(file: output))
    }
    var copy = error
    copy.location.file = output.dropLast(OutputName.name(of: output).count) + OutputName.name(of: file)
    return copy
  }

  /// Gives finished, durable files their final names.
  ///
  /// - Throws: `.outputExists` if a name was taken meanwhile, `.writeFailed`. Files that already got their names are removed
  ///   then.
  package func commit(_ finals: some Sequence<String>) throws(CompositorError) {
    var done: [String] = []
    do throws(CompositorError) {
      for final in finals {
        try publish(path(for: final), as: final)
        done.append(final)
      }
      try synchronize(destination)
    } catch {
      if !overwrites { done.forEach { unlink($0) } }
      throw error
    }
    discard()
  }

  /// Removes everything written. Can be called more than once.
  package func discard() { folder.remove() }

  private func publish(_ partial: String, as final: String) throws(CompositorError) {
    try synchronize(partial)
    let number = AtomicFile.rename(partial, to: final, overwrites: overwrites)
    guard number == 0 else { throw Self.failure(number, "The output cannot be named.", file: final) }
  }

  private func synchronize(_ path: String) throws(CompositorError) {
    let descriptor = open(path, O_RDONLY)
    guard descriptor >= 0 else { throw Self.failure(errno, "The output cannot be opened again.", file: path) }
    defer { close(descriptor) }
    // Some file systems cannot make a folder durable, which EINVAL tells.
    guard fsync(descriptor) == 0 || errno == EINVAL else {
      throw Self.failure(errno, "The output cannot be made durable.", file: path)
    }
  }

  private static func failure(_ number: Int32, _ what: String, file: String) -> CompositorError {
    if number == EEXIST {
      return CompositorError(
        .outputExists, "The output exists already.",
        recoverySuggestion: "Choose another name, or allow overwriting.",
        at: ErrorLocation(file: file))
    }
    let recoverySuggestion = number == ENOSPC || number == EDQUOT ? "Make room on the disk." : "Check the folder's permissions."
    return CompositorError(
      .writeFailed, what, recoverySuggestion: recoverySuggestion, cause: systemMessage(number), at: ErrorLocation(file: file),
      systemErrorNumber: number)
  }
}
