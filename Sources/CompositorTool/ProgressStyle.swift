import ArgumentParser

/// How progress is shown.
enum ProgressStyle: String, ExpressibleByArgument, CaseIterable {
  /// One line that is drawn over and over.
  case bar
  /// A line every few seconds.
  case plain
  /// A JSON object a line, on the standard output.
  case json
  /// Nothing.
  case none

  /// A bar for people, lines for logs.
  static var automatic: ProgressStyle { Terminal.isInteractive ? .bar : .plain }
}
