import CompositorAPI
import CompositorHost
import CompositorProjectFormat
import CompositorTimeline

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The standard error stream: messages and progress. Results go to the standard output.
enum Terminal {
  /// Whether a person is watching.
  static var isInteractive: Bool { isatty(STDERR_FILENO) == 1 }

  /// Whether a stream is a terminal.
  static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// Whether the standard output and the standard error lead to the same place: one terminal, one file, one pipe.
  static var streamsAreOne: Bool {
    var (output, errors) = (stat(), stat())
    guard fstat(STDOUT_FILENO, &output) == 0, fstat(STDERR_FILENO, &errors) == 0 else { return false }
    return output.st_dev == errors.st_dev && output.st_ino == errors.st_ino
  }

  /// Whether colors are written to a stream: to terminals, unless `NO_COLOR` or `TERM=dumb` says otherwise.
  static func isColored(_ descriptor: Int32) -> Bool {
    func value(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }
    return isTerminal(descriptor) && value("NO_COLOR").isEmpty && value("TERM") != "dumb"
  }

  /// Columns of the terminal; 80 where it does not say.
  static var width: Int {
    var size = winsize()
    guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// A line that starts with the program's name.
  static func line(_ message: String) -> String { "compositor: \(message)\n" }

  /// Writes a line that starts with the program's name.
  static func complain(_ message: String) {
    put(line(message))
  }

  /// Writes what a project says in an older way.
  static func warn(of file: ProjectFile) {
    for warning in file.warnings { complain("warning: \(warning)") }
  }

  /// Writes the warnings of a validation, but not those of files that are cut short: a render that comes to the missing part
  /// says so itself, and one that does not is whole. Nor advice: who wants it validates.
  ///
  /// - Parameter locating: Finds the place of a diagnostic in the project's text, which is said in place of its key path.
  static func warn(
    of report: ValidationReport, locating: (ValidationDiagnostic) -> ValidationDiagnostic = { $0 }
  ) {
    for diagnostic in report.diagnostics where diagnostic.severity == .warning {
      guard diagnostic.code != .mediaCutShort, diagnostic.code != .audioCutShort, !diagnostic.isAdvice else { continue }
      var located = locating(diagnostic)
      located.path = DiagnosticText.place(of: located) ?? located.path
      complain(located.description)
    }
  }

  static func put(_ text: String) {
    Terminal.put(text, to: STDERR_FILENO)
  }

  /// A result on the standard output, and the end of its line.
  ///
  /// - Throws: `.writeFailed` where it cannot be written whole; a stream that nobody reads any more is no error.
  static func result(_ text: String, terminator: String = "\n") throws(CompositorError) {
    try result(bytes: Array((text + terminator).utf8))
  }

  /// A result that isn't text on the standard output.
  ///
  /// - Throws: As ``result(_:terminator:)``.
  static func result(bytes: [UInt8]) throws(CompositorError) {
    let number = put(bytes[...], to: STDOUT_FILENO)
    guard number != 0, number != EPIPE else { return }
    throw CompositorError(
      .writeFailed, "The standard output cannot be written.", recoverySuggestion: "Send it where there is room.",
      cause: String(cString: strerror(number)))
  }

  /// Writes at once, however the other end buffers, and waits where it takes nothing for now. Once the process was asked to
  /// end, nobody is waited for longer than ``patience``.
  ///
  /// - Returns: The system's error number; 0 where everything was written.
  @discardableResult static func put(_ text: String, to descriptor: Int32) -> Int32 {
    put(Array(text.utf8)[...], to: descriptor)
  }

  private static func put(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Int32 {
    var bytes = bytes
    var deadline: ContinuousClock.Instant?
    while !bytes.isEmpty {
      guard isWritable(descriptor, milliseconds: 50) else {
        guard Interruption.isRequested else { continue }
        let end = deadline ?? ContinuousClock.now + patience
        deadline = end
        if ContinuousClock.now >= end { return EAGAIN }
        continue
      }
      let number = write(&bytes, to: descriptor)
      if number != 0 { return number }
    }
    return 0
  }

  /// Writes what may as well be left out, where it is taken at once: a line nobody reads must not hold up a render.
  static func offer(_ text: String, to descriptor: Int32) {
    let line = Array(text.utf8)[...]
    var rest = line
    guard isWritable(descriptor, milliseconds: 0), write(&rest, to: descriptor) == 0 else { return }
    // Half a line would be worse than none.
    if rest.count < line.count { _ = put(rest, to: descriptor) }
  }

  /// How long a reader that takes nothing holds up the end of a cancelled process.
  private static let patience = Duration.milliseconds(500)

  /// A pipe that says it is writable takes this many bytes without waiting (PIPE_BUF).
  private static let portion = 4096

  /// Whether something can be written now: an error counts, writing will say which.
  private static func isWritable(_ descriptor: Int32, milliseconds: Int32) -> Bool {
    var query = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    let count = poll(&query, 1, milliseconds)
    return count > 0 || (count < 0 && errno != EINTR)
  }

  /// Writes a portion and drops it from `bytes`. Returns the system's error number, 0 also where nothing could be written yet.
  private static func write(_ bytes: inout ArraySlice<UInt8>, to descriptor: Int32) -> Int32 {
    let count = bytes.prefix(portion).withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
    if count < 0 { return errno == EINTR || errno == EAGAIN ? 0 : errno }
    bytes = bytes.dropFirst(count)
    return count == 0 ? EIO : 0
  }
}

/// `write` by its own name, which the methods above hide.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
