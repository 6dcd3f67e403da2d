import CompositorAPI
import Foundation
import CompositorHost
import CompositorProjectFormat
import CompositorTimeline
import CompositorMediaIO
import Synchronization

/// Shows how far an export is. Any thread may report; lines are never mixed.
final class ProgressReporter: Sendable {
  private let style: ProgressStyle
  private let start = ContinuousClock.now
  private let lastShown = Mutex<ContinuousClock.Instant?>(nil)

  init(_ style: ProgressStyle?) {
    self.style = style ?? .automatic
  }

  func report(_ progress: ExportProgress) {
    guard style != .none else { return }
    lastShown.withLock { last in
      let now = ContinuousClock.now
      // Lines for logs start after a while and leave the end to the summary; the others show the first and the last frame.
      let isEnd = progress.framesDone >= progress.frameCount
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
      let rate = seconds > 0 ? Double(result.frameCount) / seconds : 0
      Terminal.complain(
        "wrote \(result.path): \(result.frameCount) frames, \(format(result.duration.seconds, 3)) s, "
          + "in \(format(seconds, 1)) s (\(format(rate, 1)) frames/s)")
    case .json:
      var object: [String: any Sendable] = [
        "event": "done", "output": result.path, "frames": result.frameCount, "duration": result.duration.description,
        "bytes": result.byteCount, "elapsed": seconds,
      ]
      if !result.warnings.isEmpty { object["warnings"] = result.warnings.map(\.message) }
      if !result.losses.isEmpty { object["losses"] = result.losses.map(\.report) }
      try Terminal.result(line(object), terminator: "")
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
      var object: [String: any Sendable] = [
        "event": "progress", "frame": progress.framesDone, "frames": progress.frameCount, "fraction": progress.fraction,
        "framesPerSecond": progress.framesPerSecond, "elapsed": progress.elapsed / .seconds(1),
      ]
      if let remaining = progress.remaining { object["remaining"] = remaining / .seconds(1) }
      // What a frame's line cannot say, the last line says: a render goes on without its audience.
      Terminal.offer(line(object), to: STDOUT_FILENO)
    }
  }

  private func words(_ progress: ExportProgress) -> String {
    let left = progress.remaining.map { ", \(clock($0)) left" } ?? ""
    return "\(progress.framesDone)/\(progress.frameCount) frames, \(Int(progress.fraction * 100)) %, "
      + "\(format(progress.framesPerSecond, 1)) frames/s\(left)"
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

  private func line(_ object: [String: any Sendable]) -> String {
    guard let data = try? JSONSerialization.data(withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes])
    else { return "" }
    return String(decoding: data, as: UTF8.self) + "\n"
  }
}

extension MediaLoss {
  /// The loss as JSON; the time in media seconds.
  fileprivate var report: [String: any Sendable] {
    var object: [String: any Sendable] = [
      "source": source.description, "mediaType": mediaType.rawValue, "track": trackIndex, "kind": damage.kind.rawValue,
      "count": damage.count, "reason": damage.reason,
    ]
    if let time = damage.firstTime, time.isNumeric { object["time"] = time.seconds }
    return object
  }
}
