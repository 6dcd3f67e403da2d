import CompositorPlatform

/// The standard streams as a caller leaves them.
enum StandardStreams {
  /// Opens the streams that the caller closed, so that no file of ours gets their descriptors, to which messages and results would go. Reading
  /// and writing them fails as it does on closed ones, but for the standard error: messages go nowhere.
  static func fill() {
    for (descriptor, access) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDWR)]
    where fcntl(descriptor, F_GETFD) < 0 {
      // The lowest free descriptor is this one, since those before it are open.
      _ = open("/dev/null", access)
    }
  }
}
