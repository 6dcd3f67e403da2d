import CompositorAPI
import CompositorHost
import CompositorMediaWriting

/// Where the bytes of an export go: files that get their names at the end, or a stream.
enum OutputDestination: Sendable {
  case files(PartialOutput)
  case stream(MovieStream)

  /// - Throws: `.writeFailed` if the folder cannot be written to; `.unsupportedOutput` if the stream cannot take such a movie.
  init(_ output: OutputName, overwrites: Bool) throws(CompositorError) {
    if case .stream(let stream, let container) = output {
      try stream.validate(container)
      self = .stream(stream)
    } else {
      self = .files(try PartialOutput(in: output.folder, overwrites: overwrites))
    }
  }

  /// Opens what writes a movie.
  func writer(_ description: MovieDescription, _ output: OutputName) throws(CompositorError) -> MovieWriter {
    switch self {
    case .files(let partial): try MovieWriter(description, path: partial.path(for: output.path))
    case .stream(let stream): try MovieWriter(description, to: stream)
    }
  }

  /// Gives finished files their names: see ``PartialOutput/commit(_:)``.
  func commit(_ files: some Sequence<String>) throws(CompositorError) {
    if case .files(let partial) = self { try partial.commit(files) }
  }

  /// Removes what was written to files.
  func discard() {
    if case .files(let partial) = self { partial.discard() }
  }

  /// The same error, naming the output as the caller knows it.
  func naming(_ error: CompositorError, output: String) -> CompositorError {
    switch self {
    case .files(let partial): partial.naming(error, output: output)
    case .stream: error.locating(ErrorLocation(file: output))
    }
  }

  /// Writes. A canceled task stops a stream whose reader takes nothing.
  func writing<Value: Sendable>(
    _ work: () async throws(CompositorError) -> Value
  ) async throws(CompositorError) -> Value {
    guard case .stream(let stream) = self else { return try await work() }
    let result: Result<Value, CompositorError> = await withTaskCancellationHandler {
      do throws(CompositorError) { return .success(try await work()) } catch { return .failure(error) }
    } onCancel: {
      stream.stop()
    }
    return try result.get()
  }
}
