import ArgumentParser
import CompositorAudio
import CompositorAPI
import Foundation
import CompositorHost
import CompositorExport
import CompositorProjectFormat
import CompositorTimeline
import CompositorMediaIO
import Synchronization

/// Shows how far an export is. Any thread may report; lines are never mixed.
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
      // Lines for logs start after a while and leave the end to the summary; the others show the first frame and how it ends.
      let isEnd = progress.phase == .finishing || progress.phase == .completed
      guard now - (last ?? (style == .plain ? start : now - interval)) >= interval || (isEnd && style != .plain) else { return }
      last = now
      show(progress)
    }
  }

  /// Clears the bar, so that a message starts on an empty line.
  func clear() {
    if style == .bar { Terminal.put("\r\u{1B}[K") }
  }

  /// - Throws: `.writeFailed` where the standard output takes no more.
  func finish(_ result: ExportResult) throws(CompositorError) {
    clear()
    let seconds = result.wallTime / .seconds(1)
    switch style {
    case .none: break
    case .bar, .plain:
      Terminal.complain("wrote \(result.path): \(amount(of: result)), in \(format(seconds, 1)) s (\(speed(of: result)))")
      if let loudness = result.loudness { Terminal.complain(words(loudness)) }
    case .json:
      hasEnded.withLock { $0 = true }
      try Terminal.result(JSONLine.text(of: result.report.merging(["event": "completed"]) { _, event in event }))
    }
  }

  /// Writes the last event of something that did not complete, unless there was one: the tool itself complains in words.
  func fail(_ error: any Error, output: String) {
    clear()
    let isFirst = hasEnded.withLock { hasEnded in
      defer { hasEnded = true }
      return !hasEnded
    }
    guard style == .json, isFirst else { return }
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
    // The error itself is on its way; that its event cannot be written as well changes nothing.
    putLine(object) { Terminal.put($0, to: STDOUT_FILENO) }
  }

  /// Writes the last event of a render that did not begin, because of a mistake in its arguments.
  static func fail(_ error: any Error, before arguments: [String]) {
    /// What an option says, as far as that can be known of arguments with a mistake.
    func value(of names: String...) -> String? {
      for (index, argument) in arguments.enumerated() {
        if names.contains(argument) { return arguments.dropFirst(index + 1).first }
        if let name = names.first(where: { argument.hasPrefix($0 + "=") }) { return String(argument.dropFirst(name.count + 1)) }
      }
      return nil
    }
    guard value(of: "--progress") == ProgressStyle.json.rawValue else { return }
    let output = value(of: "-o", "--output")
    // The standard output is the movie's: from here on, lines go to the standard error.
    if output == "-" { _ = StandardOutput.stream }
    ProgressReporter(.json).fail(error, output: output ?? "")
  }

  /// Writes an event where nobody can be told that it failed but the person at the terminal.
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
    }
  }

  private func show(_ progress: ExportProgress) {
    switch style {
    case .none: break
    case .bar: Terminal.offer("\r" + bar(progress, width: Terminal.width - 1) + "\u{1B}[K", to: STDERR_FILENO)
    case .plain: Terminal.offer(Terminal.line(words(progress)), to: STDERR_FILENO)
    case .json:
      // What a frame's line cannot say, the last line says: a render goes on without its audience.
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
      return "\(progress.framesDone)/\(progress.frameCount) \(progress.unit.rawValue), finishing the file"
    }
    let left = progress.remaining.map { ", \(clock($0)) left" } ?? ""
    let done = "\(progress.framesDone)/\(progress.frameCount) \(progress.unit.rawValue), \(Int(progress.fraction * 100)) %"
    switch progress.unit {
    case .frames: return "\(done), \(format(progress.framesPerSecond, 1)) frames/s\(left)"
    case .samples: return done + left
    }
  }

  private func amount(of result: ExportResult) -> String {
    let count = result.frameCount > 0 ? "\(result.frameCount) frames" : "\(result.audioSampleCount) samples"
    return "\(count), \(format(result.duration.seconds, 3)) s"
  }

  /// How fast it was: frames a second, and of audio alone, how many times as fast as it plays.
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
