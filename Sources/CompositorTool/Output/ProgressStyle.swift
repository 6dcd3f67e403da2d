import ArgumentParser

/// A style of showing progress.
enum ProgressStyle: String, ExpressibleByArgument, CaseIterable {
  /// A progress bar that is redrawn in place.
  case bar
  /// A line every few seconds.
  case plain
  /// A JSON object per line on the standard output.
  case json
  /// Lines on the standard output for Open Job Description engines: `openjd_progress`, `openjd_status`, `openjd_fail`.
  case openjd
  /// No progress.
  case none

  /// A bar on a terminal, otherwise lines.
  static var automatic: ProgressStyle { Terminal.isInteractive ? .bar : .plain }
}

/// The lines that report a task's progress to an Open Job Description engine. The engine reads a line at a time, so each is written
/// completely and without buffering.
enum OpenJDMessage {
  /// The fraction that is done, 0 to 1; written as a percentage.
  case progress(Double)
  /// A description of the current work.
  case status(String)
  /// The reason why the task failed.
  case failure(String)

  /// The line, including its newline.
  var line: String {
    switch self {
    case .progress(let fraction): "openjd_progress: \((min(1, max(0, fraction)) * 1000).rounded() / 10)\n"
    case .status(let text): "openjd_status: \(OpenJDMessage.inOneLine(text))\n"
    case .failure(let text): "openjd_fail: \(OpenJDMessage.inOneLine(text))\n"
    }
  }

  private static func inOneLine(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
  }
}
