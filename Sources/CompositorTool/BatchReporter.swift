import CompositorAPI
import CompositorExport
import CompositorHost
import CompositorMediaIO
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Shows how a batch goes on: a line for each row and one at the end. Any thread may report.
final class BatchReporter: Sendable {
  private let style: ProgressStyle
  private let rowCount: Int
  private let lastShown = Mutex(ContinuousClock.now)

  init(_ style: ProgressStyle?, rowCount: Int) {
    self.style = style ?? .automatic
    self.rowCount = rowCount
  }

  /// Shows how far a row is, if a person is watching.
  func report(_ progress: ExportProgress, ofRow row: Int) {
    guard style == .bar else { return }
    lastShown.withLock { last in
      guard ContinuousClock.now - last >= .milliseconds(100) else { return }
      last = .now
      Terminal.offer("\rrow \(row + 1) of \(rowCount): \(Int(progress.fraction * 100)) %\u{1B}[K", to: STDERR_FILENO)
    }
  }

  /// - Throws: `.writeFailed` if the standard output takes no more.
  func report(_ outcome: BatchOutcome) throws(CompositorError) {
    if style == .bar { Terminal.put("\r\u{1B}[K") }
    guard style != .json else { return try Terminal.result(JSONLine.text(of: object(outcome))) }
    let row = "row \(outcome.row + 1)"
    switch outcome.status {
    case .failed(let error): Terminal.complain("\(row): error: \(error.toldByTool.description.replacing("\n", with: " "))")
    case .completed(let result):
      if style != .none { Terminal.complain("\(row): wrote \(result.path)") }
      for remark in result.remarks { Terminal.complain("\(remark.kind): \(result.path): \(remark.text)") }
    case .skipped where style != .none: Terminal.complain("\(row): skipped, \(outcome.output ?? "") exists")
    case .canceled where style != .none: Terminal.complain("\(row): canceled")
    case .skipped, .canceled: break
    }
  }

  /// - Throws: `.writeFailed` if the standard output takes no more.
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
    try Terminal.result("\(summary.completed) renders in \(short(seconds)) s: \(short(rate)) a second\(others)")
  }

  private func object(_ outcome: BatchOutcome) -> [String: any Sendable] {
    var object: [String: any Sendable] = ["event": "row", "row": outcome.row + 1]
    if let output = outcome.output { object["output"] = output }
    switch outcome.status {
    case .completed(let result):
      object.merge(result.report) { _, reported in reported }
      object["status"] = "completed"
      object["seconds"] = result.wallTime / .seconds(1)
    case .skipped: object["status"] = "skipped"
    case .canceled: object["status"] = "canceled"
    case .failed(let error):
      object["status"] = "failed"
      object["error"] = error.toldByTool.report
    }
    return object
  }

  private func short(_ value: Double) -> String { String((value * 100).rounded() / 100) }
}
