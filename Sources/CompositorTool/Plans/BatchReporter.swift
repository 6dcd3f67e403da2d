import Compositor
import Synchronization
import CompositorPlatform

/// Reports the progress of a batch: a line for each row, and a summary. Safe to call from any thread.
final class BatchReporter: Sendable {
  private let style: ProgressStyle
  private let rowCount: Int
  /// The file and line of each row's fields.
  private let places: [String]
  private let lastShown = Mutex(ContinuousClock.now)

  /// - Parameter places: The file and line of each row's fields.
  init(_ style: ProgressStyle?, places: [String]) {
    self.style = style ?? .automatic
    (rowCount, self.places) = (places.count, places)
  }

  /// Shows the progress of a row on a terminal.
  func report(_ progress: ExportProgress, ofRow row: Int) {
    guard style == .bar else { return }
    lastShown.withLock { last in
      guard ContinuousClock.now - last >= .milliseconds(100) else { return }
      last = .now
      Terminal.offer("\rrow \(row + 1) of \(rowCount): \(Int(progress.fraction * 100)) %\u{1B}[K", to: STDERR_FILENO)
    }
  }

  /// Reports the result of a row.
  ///
  /// - Throws: `.writeFailed` if the standard output cannot be written.
  func report(_ outcome: BatchOutcome) throws(CompositorError) {
    if style == .bar { Terminal.put("\r\u{1B}[K") }
    switch style {
    case .json: return try Terminal.result(JSONLine.text(of: object(outcome)))
    // Rows are reported in order.
    case .openjd:
      try Terminal.result(OpenJDMessage.progress(Double(outcome.row + 1) / Double(max(1, rowCount))).line, terminator: "")
    case .bar, .plain, .none: break
    }
    let row = "row \(outcome.row + 1)"
    switch outcome.status {
    case .failed(let error):
      let text = error.spelled(.options).description.replacing("\n", with: " ")
      Terminal.complain("\(row): error: \(text) (The row's values: \(places[outcome.row]).)")
    case .completed(let result):
      if style != .none { Terminal.complain("\(row): wrote \(result.path)") }
      for remark in result.remarks(.options) { Terminal.complain("\(remark.kind): \(result.path): \(remark.text)") }
    case .skipped where style != .none: Terminal.complain("\(row): skipped, \(outcome.output ?? "") exists")
    case .canceled where style != .none: Terminal.complain("\(row): canceled")
    case .skipped, .canceled: break
    }
  }

  /// Prints the summary.
  ///
  /// - Throws: `.writeFailed` if the standard output cannot be written.
  func finish(_ summary: BatchSummary) throws(CompositorError) {
    let seconds = summary.wallTime / .seconds(1)
    guard style != .json else {
      return try Terminal.result(
        JSONLine.text(of: [
          "event": "summary", "completed": summary.completed, "failed": summary.failed, "skipped": summary.skipped,
          "canceled": summary.canceled, "seconds": seconds,
        ]))
    }
    let rate = Double(summary.completed) / max(seconds, 1e-9)
    let others = [(summary.skipped, "skipped"), (summary.failed, "failed"), (summary.canceled, "canceled")]
      .filter { $0.0 > 0 }.map { ", \($0.0) \($0.1)" }.joined()
    let count = summary.completed == 1 ? "1 render" : "\(summary.completed) renders"
    let pace = summary.completed > 0 ? ": \(short(rate)) a second" : ""
    try Terminal.result("\(count) in \(short(seconds)) s\(pace)\(others)")
  }

  private func object(_ outcome: BatchOutcome) -> [String: any Sendable] {
    var object: [String: any Sendable] = ["event": "row", "row": outcome.row + 1]
    if let output = outcome.output { object["output"] = output }
    switch outcome.status {
    case .completed(let result):
      object.merge(result.report(.options)) { _, reported in reported }
      object["status"] = "completed"
      object["seconds"] = result.wallTime / .seconds(1)
    case .skipped: object["status"] = "skipped"
    case .canceled: object["status"] = "canceled"
    case .failed(let error):
      object["status"] = "failed"
      object["error"] = error.report(.options)
    }
    return object
  }

  private func short(_ value: Double) -> String { String((value * 100).rounded() / 100) }
}
