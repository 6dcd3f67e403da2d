import ArgumentParser
import Compositor
import Foundation
import Synchronization

/// Shows the progress of an export. Safe to call from any thread; lines are never interleaved.
final class ProgressReporter: Sendable {
  let style: ProgressStyle
  let start = ContinuousClock.now
  private let lastShown = Mutex<ContinuousClock.Instant?>(nil)
  let hasEnded = Mutex(false)

  init(_ style: ProgressStyle?) {
    self.style = style ?? .automatic
  }

  func report(_ progress: ExportProgress) {
    guard style != .none else { return }
    lastShown.withLock { last in
      let now = ContinuousClock.now
      // Lines for logs start after a while and leave the end to the summary. The other styles show the first frame and the end.
      let isEnd = progress.phase == .finishing || progress.phase == .completed
      guard now - (last ?? (style == .plain ? start : now - interval)) >= interval || (isEnd && style != .plain) else { return }
      last = now
      show(progress)
    }
  }

  /// Clears the progress bar, so that a message starts on an empty line.
  func clear() {
    if style == .bar { Terminal.put("\r\u{1B}[K") }
  }

  /// Reports the result of an export.
  ///
  /// - Throws: `.writeFailed` if the standard output cannot be written.
  func finish(_ result: ExportResult) throws(CompositorError) {
    clear()
    let seconds = result.wallTime / .seconds(1)
    switch style {
    case .none: break
    case .bar, .plain:
      Terminal.complain(
        "wrote \(result.path): \(ProgressText.amount(of: result)), in \(ProgressText.format(seconds, 1)) s (\(ProgressText.speed(of: result)))"
      )
      if let loudness = result.loudness { Terminal.complain(ProgressText.words(loudness)) }
    case .openjd:
      hasEnded.withLock { $0 = true }
      let status =
        "wrote \(result.path): \(ProgressText.amount(of: result)), in \(ProgressText.format(seconds, 1)) s (\(ProgressText.speed(of: result)))"
      try Terminal.result(OpenJDMessage.progress(1).line + OpenJDMessage.status(status).line, terminator: "")
    case .json:
      hasEnded.withLock { $0 = true }
      try Terminal.result(JSONLine.text(of: result.report(.options).merging(["event": "completed"]) { _, event in event }))
    }
  }

  /// Writes the last event of a render that failed, unless one was written. The tool prints the message itself.
  func fail(_ error: any Error, output: String) {
    clear()
    let isFirst = hasEnded.withLock { hasEnded in
      defer { hasEnded = true }
      return !hasEnded
    }
    guard isFirst else { return }
    switch style {
    case .json: putFailure(error, output: output)
    case .openjd: Terminal.put(failure(error).line, to: STDOUT_FILENO)
    case .bar, .plain, .none: break
    }
  }

  private func failure(_ error: any Error) -> OpenJDMessage {
    guard let error = error as? CompositorError else { return .failure(CompositorCommand.message(for: error)) }
    if case .canceled = ExportOutcome(error) { return .status("canceled") }
    return .failure(error.spelled(.options).description)
  }

  private func putFailure(_ error: any Error, output: String) {
    var object: [String: any Sendable] = [
      "event": "failed", "output": output, "elapsed": (ContinuousClock.now - start) / .seconds(1),
    ]
    if let error = error as? CompositorError {
      if case .canceled = ExportOutcome(error) {
        object["event"] = "canceled"
      } else {
        object["error"] = error.report(.options)
      }
    } else {
      object["error"] = ["name": "usage", "message": CompositorCommand.message(for: error)] as [String: any Sendable]
    }
    // The error itself is thrown. Failing to write its event, too, changes nothing.
    putLine(object) { Terminal.put($0, to: STDOUT_FILENO) }
  }

  /// Writes the last event of a render that did not start because its arguments are invalid.
  static func fail(_ error: any Error, before arguments: [String]) {
    /// The value of an option, as far as it can be found in invalid arguments.
    func value(of names: String...) -> String? {
      for (index, argument) in arguments.enumerated() {
        if names.contains(argument) { return arguments.dropFirst(index + 1).first }
        if let name = names.first(where: { argument.hasPrefix($0 + "=") }) { return String(argument.dropFirst(name.count + 1)) }
      }
      return nil
    }
    guard let style = value(of: "--progress").flatMap(ProgressStyle.init(rawValue:)), style == .json || style == .openjd else {
      return
    }
    let output = value(of: "-o", "--output")
    // The standard output belongs to the movie, so from here on lines go to the standard error.
    if output == "-" { _ = StandardOutput.stream }
    ProgressReporter(style).fail(error, output: output ?? "")
  }

  /// Writes an event. A failure can only be reported on the standard error stream.
  func putLine(_ object: [String: any Sendable], _ put: (String) -> Void) {
    do throws(CompositorError) {
      put(try JSONLine.text(of: object) + "\n")
    } catch {
      Terminal.complain("error: \(error.description)")
    }
  }

  private var interval: Duration {
    switch style {
    case .bar: .milliseconds(100)
    case .plain: .seconds(5)
    case .json, .none: .milliseconds(200)
    case .openjd: .seconds(1)
    }
  }

  private func show(_ progress: ExportProgress) {
    switch style {
    case .none: break
    case .bar: Terminal.offer("\r" + ProgressText.bar(progress, width: Terminal.width - 1) + "\u{1B}[K", to: STDERR_FILENO)
    case .plain: Terminal.offer(Terminal.line(ProgressText.words(progress)), to: STDERR_FILENO)
    case .openjd:
      let lines = OpenJDMessage.progress(progress.fraction).line + OpenJDMessage.status(ProgressText.words(progress)).line
      Terminal.offer(lines, to: STDOUT_FILENO)
    case .json:
      // A line that cannot be written is dropped: a render doesn't wait for its readers, and the last line has the totals.
      putLine(progress.report.merging(["event": "progress"]) { _, event in event }) { Terminal.offer($0, to: STDOUT_FILENO) }
    }
  }
}
