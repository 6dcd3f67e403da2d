import Compositor
import CompositorPlatform

/// Output streams of the tool. Messages and progress go to the standard error stream, results to the standard output.
enum Terminal {
  /// Whether the standard error stream is a terminal.
  static var isInteractive: Bool { isatty(STDERR_FILENO) == 1 }

  /// Whether a stream is a terminal.
  static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// Whether the standard output and the standard error are the same terminal, file or pipe.
  static var streamsAreOne: Bool {
    var (output, errors) = (stat(), stat())
    guard fstat(STDOUT_FILENO, &output) == 0, fstat(STDERR_FILENO, &errors) == 0 else { return false }
    return output.st_dev == errors.st_dev && output.st_ino == errors.st_ino
  }

  /// Whether to write colors to a stream: if it is a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`.
  static func isColored(_ descriptor: Int32) -> Bool {
    func value(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }
    return isTerminal(descriptor) && value("NO_COLOR").isEmpty && value("TERM") != "dumb"
  }

  /// The width of the terminal in columns; 80 if it is unknown.
  static var width: Int {
    var size = winsize()
    guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// A line that starts with the program's name.
  static func line(_ message: String) -> String { "compositor: \(message)\n" }

  /// Writes a message that starts with the program's name. Names in it cannot control the terminal.
  static func complain(_ message: String) {
    let lines = message.split(separator: "\n", omittingEmptySubsequences: false)
    put(line(lines.map { String($0).escapingControls }.joined(separator: "\n")))
  }

  /// Prints the mistakes of a project that cannot be read, in the order of its text, except the one that is thrown.
  ///
  /// - Returns: The error to throw: the last one, or, if their exit statuses differ, the one that was found first.
  static func printed(_ mistaken: MistakenProject) -> CompositorError {
    let errors = mistaken.mistakes.map(\.error)
    let isOneKind = Set(errors.map(\.code)).count == 1
    let thrown = (isOneKind ? errors.last : mistaken.first) ?? errors[0]
    for error in errors where error.location != thrown.location { complain("error: \(error.spelled(.options))") }
    return thrown
  }

  /// Prints what was found in a project: all errors except the one that is thrown, and warnings; of advice the first three sentences.
  /// Warnings about truncated files are left to the render, which reports a missing part if it needs it. What is about the output as the
  /// project describes it is left to the exporter, whose output may be another one, and so are rates of frames if options choose that of
  /// the output.
  ///
  /// - Parameter row: The row of a batch that has the project's values, such as `row 2`; `nil` without a batch.
  static func warn(of project: LoadedProject, isRateChosen: Bool = false, row: String? = nil) {
    let subject = row.map { "\($0): " } ?? ""
    let errors = project.diagnostics.indices.filter { project.diagnostics[$0].diagnostic.severity == .error }
    let thrown = errors.first { project.diagnostics[$0].isFailure } ?? errors.first
    var advice: [String] = []
    for (index, located) in project.diagnostics.enumerated() where !located.concernsOutput && index != thrown {
      var diagnostic = located.diagnostic
      guard ![.mediaCutShort, .audioCutShort].contains(diagnostic.code) else { continue }
      if isRateChosen, diagnostic.code == .mixedFrameRates { continue }
      // Of a file without a project, the exporter says how the ends of what it writes differ.
      if project.text == nil, diagnostic.code == .unevenEnds { continue }
      diagnostic.path = DiagnosticText.place(of: diagnostic) ?? (project.text == nil ? nil : diagnostic.path)
      if diagnostic.severity == .warning, diagnostic.code.traits.isAdvice {
        let sentence = [diagnostic.path, diagnostic.message].compactMap(\.self).joined(separator: ": ")
        if !advice.contains(sentence) { advice.append(sentence) }
      } else {
        complain(subject + diagnostic.spelled(.options).description)
      }
    }
    guard project.editFailure == nil else { return }
    for sentence in advice.prefix(mostAdvice) { complain("\(subject)note: \(sentence)") }
    guard advice.count > mostAdvice else { return }
    let file = project.text.map { " " + $0.name } ?? ""
    complain("\(subject)note: and \(advice.count - mostAdvice) more: compositor validate\(file)")
  }

  /// The maximum number of sentences of advice on a project.
  private static let mostAdvice = 3

  /// Prints the warnings about an edit without a project, except advice and those about truncated files.
  static func warn(of report: ValidationReport) {
    for diagnostic in report.diagnostics where diagnostic.severity == .warning {
      let code = diagnostic.code
      guard code != .mediaCutShort, code != .audioCutShort, !code.traits.isAdvice else { continue }
      complain(diagnostic.spelled(.options).description)
    }
  }

  static func put(_ text: String) {
    Terminal.put(text, to: STDERR_FILENO)
  }

  /// Writes a result and a terminator to the standard output.
  ///
  /// - Throws: `.writeFailed` if it cannot be written completely. A closed pipe is not an error.
  static func result(_ text: String, terminator: String = "\n") throws(CompositorError) {
    try result(bytes: Array((text + terminator).utf8))
  }

  /// Writes a binary result to the standard output.
  ///
  /// - Throws: The same errors as ``result(_:terminator:)``.
  static func result(bytes: [UInt8]) throws(CompositorError) {
    let number = put(bytes[...], to: STDOUT_FILENO)
    guard number != 0, number != EPIPE else { return }
    throw CompositorError(
      .writeFailed, "The standard output cannot be written.", recoverySuggestion: "Write to a disk with enough free space.",
      cause: String(cString: strerror(number)))
  }

  /// Writes without buffering, and waits while the reader accepts nothing. After a signal it waits at most ``patience``.
  ///
  /// - Returns: The system's error number; 0 if everything was written.
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

  /// Writes best-effort output, and drops it if the write would block: a slow reader must not hold up a render.
  static func offer(_ text: String, to descriptor: Int32) {
    let line = Array(text.utf8)[...]
    var rest = line
    guard isWritable(descriptor, milliseconds: 0), write(&rest, to: descriptor) == 0 else { return }
    // A partial line would be worse than a missing one.
    if rest.count < line.count { _ = put(rest, to: descriptor) }
  }

  /// The longest time that a blocked reader delays the exit of a canceled process.
  private static let patience = Duration.milliseconds(500)

  /// The number of bytes that a writable pipe accepts without blocking (PIPE_BUF).
  private static let portion = 4096

  /// Whether a write would return now, be it with an error.
  private static func isWritable(_ descriptor: Int32, milliseconds: Int32) -> Bool {
    var query = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    let count = poll(&query, 1, milliseconds)
    return count > 0 || (count < 0 && errno != EINTR)
  }

  /// Writes a portion and removes it from `bytes`. Returns the system's error number; 0 also if nothing could be written yet.
  private static func write(_ bytes: inout ArraySlice<UInt8>, to descriptor: Int32) -> Int32 {
    let count = bytes.prefix(portion).withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
    if count < 0 { return errno == EINTR || errno == EAGAIN ? 0 : errno }
    bytes = bytes.dropFirst(count)
    return count == 0 ? EIO : 0
  }
}

/// Calls `write`, whose name the methods above hide.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
