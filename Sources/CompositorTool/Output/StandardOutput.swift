import Compositor
import CompositorPlatform

/// The standard output as the target of a movie.
enum StandardOutput {
  /// Its name in messages.
  static let name = "<standard output>"

  /// The stream. From its first use on, everything else that the process writes to descriptor 1, such as JSON progress or the output of
  /// a plugin, goes to the standard error, so that it doesn't corrupt the movie.
  static let stream: MovieStream = {
    let own = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
    // If no descriptor is left, the movie cannot be written either, and its writer reports that.
    if own >= 0 { dup2(STDERR_FILENO, STDOUT_FILENO) }
    return MovieStream(descriptor: own, name: name)
  }()

  /// Checks that a movie can be written to the standard output; see `MovieStream.validate(_:)`.
  static func validate(_ container: MovieContainer) throws(CompositorError) { try stream.validate(container) }
}
