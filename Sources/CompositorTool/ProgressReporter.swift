import ArgumentParser
import CompositorAudio
import CompositorAPI
import Foundation
import CompositorHost
import CompositorExport
import CompositorFarm
import CompositorProjectFormat
import CompositorTimeline
import CompositorMediaIO
import Synchronization

/// Shows the progress of an export. Safe to call from any thread; lines are never interleaved.
final class ProgressReporter: Sendable {
  private let style: ProgressStyle
  private let start = ContinuousClock.now
  private let lastShown = Mutex<ContinuousClock.Instant?>(nil)
  private let hasEnded = Mutex(false)

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
      Terminal.complain("wrote \(result.path): \(amount(of: result)), in \(format(seconds, 1)) s (\(speed(of: result)))")
      if let loudness = result.loudness { Terminal.complain(words(loudness)) }
    case .openjd:
      hasEnded.withLock { $0 = true }
      let status = "wrote \(result.path): \(amount(of: result)), in \(format(seconds, 1)) s (\(speed(of: result)))"
      try Terminal.result(OpenJDMessage.progress(1).line + OpenJDMessage.status(status).line, terminator: "")
    case .json:
      hasEnded.withLock { $0 = true }
      try Terminal.result(JSONLine.text(of: result.report.merging(["event": "completed"]) { _, event in event }))
    }
  }

  /// Reports a joined movie.
  ///
  /// - Throws: `.writeFailed` if the standard output cannot be written.
  func finish(_ joined: MovieJoiner.Result) throws(CompositorError) {
    clear()
    let seconds = joined.wallTime / .seconds(1)
    switch style {
    case .none: break
    case .bar, .plain:
      Terminal.complain(words(joined, seconds))
    case .openjd:
      hasEnded.withLock { $0 = true }
      try Terminal.result(
        OpenJDMessage.progress(1).line + OpenJDMessage.status(words(joined, seconds)).line, terminator: "")
    case .json:
      hasEnded.withLock { $0 = true }
      try Terminal.result(
        JSONLine.text(of: [
          "event": "completed", "path": joined.path, "existing": joined.wasThere, "parts": joined.partCount,
          "frames": joined.frameCount,
          "audioSamples": Int(joined.sampleCount), "duration": joined.duration.seconds, "bytes": Int(joined.byteCount),
          "seconds": seconds,
        ]))
    }
  }

  private func words(_ joined: MovieJoiner.Result, _ seconds: Double) -> String {
    guard !joined.wasThere else { return "\(joined.path) is there already, complete" }
    return
      "wrote \(joined.path): \(joined.partCount) parts, \(joined.frameCount) frames, \(format(joined.duration.seconds, 3)) s, in "
      + "\(format(seconds, 1)) s"
  }

  /// Reports a part of a plan, one of several in a render.
  ///
  /// - Throws: `.writeFailed` if the standard output cannot be written.
  func finish(_ part: PartRenderer.Outcome) throws(CompositorError) {
    clear()
    switch style {
    case .none: break
    case .bar, .plain:
      guard let result = part.result else { return Terminal.complain("\(part.path) is there already, complete") }
      let seconds = result.wallTime / .seconds(1)
      Terminal.complain("wrote \(part.path): \(amount(of: result)), in \(format(seconds, 1)) s (\(speed(of: result)))")
    case .openjd: try Terminal.result(OpenJDMessage.status("\(part.path) is there").line, terminator: "")
    case .json:
      try Terminal.result(
        JSONLine.text(of: [
          "event": "part", "part": part.part.stem, "path": part.path, "existing": part.wasThere,
          "frames": part.receipt.frameCount, "audioSamples": Int(part.receipt.sampleCount ?? 0),
          "bytes": Int(part.receipt.byteCount), "seconds": part.receipt.seconds,
        ]))
    }
  }

  /// Reports that a part of a plan failed, while others are still to be rendered.
  func fail(_ part: PlanPart, _ error: CompositorError) {
    clear()
    if style == .json {
      let object: [String: any Sendable] = ["event": "part", "part": part.stem, "error": error.toldByTool.report]
      putLine(object) { Terminal.put($0, to: STDOUT_FILENO) }
    }
    Terminal.complain("\(part): error: \(error.toldByTool.description.replacing("\n", with: " "))")
  }

  /// Reports that all requested parts exist.
  ///
  /// - Throws: `.writeFailed` if the standard output cannot be written.
  func finish(rendered: Int, existing: Int) throws(CompositorError) {
    clear()
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    switch style {
    case .none, .bar, .plain: break
    case .openjd:
      hasEnded.withLock { $0 = true }
      try Terminal.result(OpenJDMessage.progress(1).line, terminator: "")
    case .json:
      hasEnded.withLock { $0 = true }
      try Terminal.result(
        JSONLine.text(of: ["event": "completed", "rendered": rendered, "existing": existing, "seconds": seconds]))
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
    return .failure(error.toldByTool.description)
  }

  private func putFailure(_ error: any Error, output: String) {
    var object: [String: any Sendable] = [
      "event": "failed", "output": output, "elapsed": (ContinuousClock.now - start) / .seconds(1),
    ]
    if let error = error as? CompositorError {
      if case .canceled = ExportOutcome(error) {
        object["event"] = "canceled"
      } else {
        object["error"] = error.toldByTool.report
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
  private func putLine(_ object: [String: any Sendable], _ put: (String) -> Void) {
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
    case .bar: Terminal.offer("\r" + bar(progress, width: Terminal.width - 1) + "\u{1B}[K", to: STDERR_FILENO)
    case .plain: Terminal.offer(Terminal.line(words(progress)), to: STDERR_FILENO)
    case .openjd:
      let lines = OpenJDMessage.progress(progress.fraction).line + OpenJDMessage.status(words(progress)).line
      Terminal.offer(lines, to: STDOUT_FILENO)
    case .json:
      // A line that cannot be written is dropped: a render doesn't wait for its readers, and the last line has the totals.
      putLine(progress.report.merging(["event": "progress"]) { _, event in event }) { Terminal.offer($0, to: STDOUT_FILENO) }
    }
  }

  private func words(_ loudness: AudioLoudness) -> String {
    guard let integrated = loudness.integrated else { return "audio: silent, or too short to have a loudness" }
    let peak = loudness.truePeak.map { ", true peak \(format($0, 1)) dBTP" } ?? ""
    return "audio: \(format(integrated, 1)) LUFS, range \(format(loudness.range, 1)) LU\(peak)"
  }

  private func words(_ progress: ExportProgress) -> String {
    if let position = progress.queuePosition { return "waiting, \(position == 1 ? "the next" : "number \(position)") to begin" }
    if progress.phase == .finishing || progress.phase == .completed {
      let count = progress.frameCount / max(1, progress.passCount)
      return "\(count)/\(count) \(progress.unit.rawValue), finishing the file"
    }
    let left = progress.remaining.map { ", \(clock($0)) left" } ?? ""
    let count = progress.frameCount / max(1, progress.passCount)
    let pass = min(progress.framesDone / max(1, count), progress.passCount - 1)
    let frames = "\(progress.framesDone - pass * count)/\(count) \(progress.unit.rawValue)"
    let ofPass = progress.passCount > 1 ? "pass \(pass + 1) of \(progress.passCount), " : ""
    let done = "\(ofPass)\(frames), \(Int(progress.fraction * 100)) %"
    switch progress.unit {
    case .frames: return "\(done), \(format(progress.framesPerSecond, 1)) frames/s\(left)"
    case .samples: return done + left
    }
  }

  private func amount(of result: ExportResult) -> String {
    let count = result.frameCount > 0 ? "\(result.frameCount) frames" : "\(result.audioSampleCount) samples"
    return "\(count), \(format(result.duration.seconds, 3)) s"
  }

  /// The speed of a render: frames per second, or for audio only, a multiple of real time.
  private func speed(of result: ExportResult) -> String {
    let seconds = result.wallTime / .seconds(1)
    guard result.frameCount > 0 else {
      return "\(format(seconds > 0 ? result.duration.seconds / seconds : 0, 1)) times real time"
    }
    return "\(format(seconds > 0 ? Double(result.frameCount) / seconds : 0, 1)) frames/s"
  }

  private func bar(_ progress: ExportProgress, width: Int) -> String {
    let text = " " + words(progress)
    let room = min(40, width - text.count - 2)
    guard room >= 8 else { return String(text.dropFirst().prefix(max(0, width))) }
    let filled = Int((Double(room) * min(1, max(0, progress.fraction))).rounded())
    return "[" + String(repeating: "#", count: filled) + String(repeating: "-", count: room - filled) + "]" + text
  }

  private func clock(_ duration: Duration) -> String {
    let seconds = Int(clamping: duration.components.seconds)
    let (minutes, rest) = (seconds / 60, seconds % 60)
    let tail = rest < 10 ? "0\(rest)" : "\(rest)"
    guard minutes >= 60 else { return "\(minutes):\(tail)" }
    return "\(minutes / 60):\(minutes % 60 < 10 ? "0" : "")\(minutes % 60):\(tail)"
  }

  private func format(_ number: Double, _ decimals: Int) -> String { String(format: "%.\(decimals)f", number) }
}
