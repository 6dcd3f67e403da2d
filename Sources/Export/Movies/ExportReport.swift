package import CompositorAPI
import CompositorAudio
import CompositorHost
import CompositorMediaIO

// What programs read of an export, as the values of JSON objects.

extension CompositorError {
  /// The error: `code`, `name`, `message`, and what else is known. Times are in seconds.
  package var report: [String: any Sendable] {
    var object: [String: any Sendable] = ["code": code.rawValue, "name": "\(code)", "message": message]
    object["avFoundationCode"] = avFoundationCode
    object["recoverySuggestion"] = recoverySuggestion
    object["cause"] = cause
    object["systemErrorNumber"] = systemErrorNumber.map { Int($0) }
    object["file"] = location.file
    object["path"] = location.path
    object["track"] = location.track.map { "\($0)" }
    object["instruction"] = location.instruction
    object["compositor"] = location.compositor.map { "\($0)" }
    if let time = location.time, time.isNumeric { object["time"] = time.seconds }
    return object
  }
}

extension ExportProgress {
  /// The progress: `frame` and `frames`, or `sample` and `samples`, `rendered`, `phase`, `fraction`, rate and times in seconds.
  package var report: [String: any Sendable] {
    let (done, count, rate) =
      switch unit {
      case .frames: ("frame", "frames", "framesPerSecond")
      case .samples: ("sample", "samples", "samplesPerSecond")
      }
    var object: [String: any Sendable] = [
      done: framesDone, count: frameCount, rate: framesPerSecond, "rendered": framesRendered, "phase": phase.rawValue,
      "fraction": fraction, "elapsed": elapsed / .seconds(1),
    ]
    if let remaining { object["remaining"] = remaining / .seconds(1) }
    return object
  }
}

extension ExportResult {
  /// What was written.
  package var report: [String: any Sendable] {
    var object: [String: any Sendable] = [
      "output": path, "frames": frameCount, "duration": duration.description, "bytes": byteCount,
      "elapsed": wallTime / .seconds(1), "samples": audioSampleCount,
    ]
    if let loudness { object["loudness"] = loudness.report }
    if !warnings.isEmpty { object["warnings"] = warnings.map(\.message) }
    if !losses.isEmpty { object["losses"] = losses.map(\.report) }
    return object
  }
}

extension AudioLoudness {
  fileprivate var report: [String: any Sendable] {
    var object: [String: any Sendable] = ["range": range]
    if let integrated { object["integrated"] = integrated }
    if let truePeak, truePeak.isFinite { object["truePeak"] = truePeak }
    return object
  }
}

extension MediaLoss {
  /// The loss; the time in media seconds.
  fileprivate var report: [String: any Sendable] {
    var object: [String: any Sendable] = [
      "source": source.description, "mediaType": mediaType.rawValue, "track": trackIndex, "kind": damage.kind.rawValue,
      "count": damage.count, "reason": damage.reason,
    ]
    if let time = damage.firstTime, time.isNumeric { object["time"] = time.seconds }
    return object
  }
}
