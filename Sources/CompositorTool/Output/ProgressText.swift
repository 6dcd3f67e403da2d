import Compositor
import Foundation

/// The sentences and the bar that show the progress and the result of an export to people.
enum ProgressText {
  static func words(_ joined: MovieJoiner.Result, as name: String, _ seconds: Double) -> String {
    guard !joined.alreadyExisted else { return "\(name) is there already, complete" }
    return
      "wrote \(name): \(joined.partCount) parts, \(joined.frameCount) frames, \(format(joined.duration.seconds, 3)) s, in "
      + "\(format(seconds, 1)) s"
  }

  static func words(_ loudness: AudioLoudness) -> String {
    guard let integrated = loudness.integrated else { return "audio: silent, or too short to have a loudness" }
    let peak = loudness.truePeak.map { ", true peak \(format($0, 1)) dBTP" } ?? ""
    return "audio: \(format(integrated, 1)) LUFS, range \(format(loudness.range, 1)) LU\(peak)"
  }

  static func words(_ progress: ExportProgress) -> String {
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

  static func amount(of result: ExportResult) -> String {
    let count = result.frameCount > 0 ? "\(result.frameCount) frames" : "\(result.audioSampleCount) samples"
    return "\(count), \(format(result.duration.seconds, 3)) s"
  }

  /// The speed of a render: frames per second, or for audio only, a multiple of real time.
  static func speed(of result: ExportResult) -> String {
    let seconds = result.wallTime / .seconds(1)
    guard result.frameCount > 0 else {
      return "\(format(seconds > 0 ? result.duration.seconds / seconds : 0, 1)) times real time"
    }
    return "\(format(seconds > 0 ? Double(result.frameCount) / seconds : 0, 1)) frames/s"
  }

  static func bar(_ progress: ExportProgress, width: Int) -> String {
    let text = " " + words(progress)
    let barWidth = min(40, width - text.count - 2)
    guard barWidth >= 8 else { return String(text.dropFirst().prefix(max(0, width))) }
    let filled = Int((Double(barWidth) * min(1, max(0, progress.fraction))).rounded())
    return "[" + String(repeating: "#", count: filled) + String(repeating: "-", count: barWidth - filled) + "]" + text
  }

  private static func clock(_ duration: Duration) -> String {
    let seconds = Int(clamping: duration.components.seconds)
    let (minutes, rest) = (seconds / 60, seconds % 60)
    let tail = rest < 10 ? "0\(rest)" : "\(rest)"
    guard minutes >= 60 else { return "\(minutes):\(tail)" }
    return "\(minutes / 60):\(minutes % 60 < 10 ? "0" : "")\(minutes % 60):\(tail)"
  }

  static func format(_ number: Double, _ decimals: Int) -> String { String(format: "%.\(decimals)f", number) }
}
