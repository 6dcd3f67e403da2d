import CompositorAPI

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The standard error stream: messages and progress. Results go to the standard output.
enum Terminal {
  /// Whether a person is watching.
  static var isInteractive: Bool { isatty(STDERR_FILENO) == 1 }

  /// Columns of the terminal; 80 where it does not say.
  static var width: Int {
    var size = winsize()
    guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// A line that starts with the program's name.
  static func complain(_ message: String) {
    put("compositor: \(message)\n")
  }

  static func put(_ text: String) {
    Terminal.put(text, to: STDERR_FILENO)
  }

  /// A result on the standard output, and the end of its line.
  ///
  /// - Throws: `.writeFailed` where it cannot be written whole; a stream that nobody reads any more is no error.
  static func result(_ text: String, terminator: String = "\n") throws(CompositorError) {
    let number = put(text + terminator, to: STDOUT_FILENO)
    guard number != 0, number != EPIPE else { return }
    throw CompositorError(
      .writeFailed, "The standard output cannot be written.", remedy: "Send it where there is room.",
      cause: String(cString: strerror(number)))
  }

  /// Writes at once, however the other end buffers.
  ///
  /// - Returns: The system's error number; 0 where everything was written.
  @discardableResult static func put(_ text: String, to descriptor: Int32) -> Int32 {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return count < 0 ? errno : EIO }
      bytes = bytes.dropFirst(count)
    }
    return 0
  }
}
