import CompositorAPI
import CompositorMediaWriting

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The standard output as the place where a movie goes.
enum StandardOutput {
  /// What messages call it.
  static let name = "<standard output>"

  /// The stream. From its first use on, what anything else in the process writes to descriptor 1 goes to the standard error, so that
  /// no line gets into the movie: progress in JSON, or what a plugin prints.
  static let stream: MovieStream = {
    let own = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
    // Without a descriptor left the movie cannot be written either, which its writer says.
    if own >= 0 { dup2(STDERR_FILENO, STDOUT_FILENO) }
    return MovieStream(descriptor: own, name: name)
  }()

  /// Checks that it takes a movie; see `MovieStream.validate(_:)`.
  static func validate(_ container: MovieContainer) throws(CompositorError) { try stream.validate(container) }
}
