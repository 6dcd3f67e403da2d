import CompositorAPI
import CompositorMediaIO
import CompositorMediaWriting
import CompositorPlatform

/// The destination of an export's bytes: files that get their names at the end, or a stream. A stream may have a folder for
/// measurements and intermediate files before the first byte.
enum OutputDestination: Sendable {
  case files(AtomicOutput)
  case stream(MovieStream, workingFiles: AtomicOutput?)

  /// - Parameter needsWorkingFiles: Whether ``workingFiles`` are needed; for a stream, they are a folder among the temporary
  ///   files.
  /// - Throws: `.writeFailed` if the folder cannot be written to; `.unsupportedOutput` if the stream cannot take such a movie.
  init(_ output: OutputName, overwrites: Bool, needsWorkingFiles: Bool) throws(CompositorError) {
    if case .stream(let stream, let container) = output {
      try stream.validate(container)
      let files = needsWorkingFiles ? try AtomicOutput(in: Self.temporaryFolder, overwrites: false) : nil
      self = .stream(stream, workingFiles: files)
    } else {
      self = .files(try AtomicOutput(in: output.folder, overwrites: overwrites))
    }
  }

  /// The system's folder of temporary files.
  private static var temporaryFolder: String {
    guard let path = getenv("TMPDIR").map({ String(cString: $0) }), !path.isEmpty else { return "/tmp" }
    return path
  }

  /// A folder that is removed when the export ends, however it ends; `nil` for a stream that needs none.
  var workingFiles: AtomicOutput? {
    switch self {
    case .files(let partial): partial
    case .stream(_, let files): files
    }
  }

  /// Opens a movie writer.
  func writer(_ description: MovieDescription, _ output: OutputName) throws(CompositorError) -> MovieWriter {
    switch self {
    case .files(let partial): try MovieWriter(description, path: partial.path(for: output.path))
    case .stream(let stream, _): try MovieWriter(description, to: stream)
    }
  }

  /// Gives finished files their final names: see ``AtomicOutput/commit(_:)``.
  func commit(_ files: some Sequence<String>) throws(CompositorError) {
    guard case .files(let partial) = self else { return discard() }
    try partial.commit(files)
  }

  /// Removes files written so far.
  func discard() { workingFiles?.discard() }

  /// The same error with the output's name as the caller knows it.
  func naming(_ error: CompositorError, output: String) -> CompositorError {
    switch self {
    case .files(let partial): partial.naming(error, output: output)
    case .stream: error.locating(ErrorLocation(file: output))
    }
  }

  /// Performs a write. If the task is canceled, stops a stream whose reader takes nothing.
  func writing<Value: Sendable>(
    _ work: () async throws(CompositorError) -> Value
  ) async throws(CompositorError) -> Value {
    guard case .stream(let stream, _) = self else { return try await work() }
    let result: Result<Value, CompositorError> = await withTaskCancellationHandler {
      do throws(CompositorError) { return .success(try await work()) } catch { return .failure(error) }
    } onCancel: {
      stream.stop()
    }
    return try result.get()
  }
}
