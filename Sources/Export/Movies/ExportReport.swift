package import CompositorAPI
import CompositorAudio
import CompositorHost
import CompositorMediaIO
import Foundation

// Machine-readable reports of an export, as values of JSON objects.

extension CompositorError {
  /// The error: `code`, `name`, `message`, and more if known. Times are in seconds.
  ///
  /// - Parameter spelling: How the recovery suggestion names settings.
  package func report(_ spelling: SettingSpelling) -> [String: any Sendable] {
    var object: [String: any Sendable] = ["code": code.rawValue, "name": "\(code)", "message": message]
    object["avFoundationCode"] = avFoundationCode
    object["recoverySuggestion"] = advice?.wording.text(spelling)
    object["cause"] = cause
    object["systemErrorNumber"] = systemErrorNumber.map { Int($0) }
    object["file"] = location.document?.file ?? location.file
    object["line"] = location.document?.line
    object["column"] = location.document?.column
    object["media"] = location.referenced
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
    if let queuePosition { object["queuePosition"] = queuePosition }
    if let remaining { object["remaining"] = remaining / .seconds(1) }
    return object
  }
}

extension ExportResult {
  /// The result.
  ///
  /// - Parameter spelling: How notes name settings.
  package func report(_ spelling: SettingSpelling) -> [String: any Sendable] {
    var object: [String: any Sendable] = [
      "output": path, "frames": frameCount, "duration": duration.description, "bytes": byteCount,
      "elapsed": wallTime / .seconds(1), "samples": audioSampleCount,
    ]
    if let loudness { object["loudness"] = loudness.report }
    if let passthrough { object["passthrough"] = passthrough.report }
    if !measuredPeaks.isEmpty { object["measuredPeaks"] = measuredPeaks.map(\.report) }
    if !notes.isEmpty { object["notes"] = notes.map { $0.wording.text(spelling) } }
    if !warnings.isEmpty { object["warnings"] = warnings.map(\.message) }
    if !losses.isEmpty { object["losses"] = losses.map(\.report) }
    return object
  }

  /// Remarks for people, one line each: notes on how the output was written, then warnings about damage.
  ///
  /// - Parameter spelling: How notes name settings.
  package func remarks(_ spelling: SettingSpelling) -> [(kind: String, text: String)] {
    var all = passthrough.map { [$0.summary] } ?? []
    all += measuredPeaks.map { "\($0.source): the brightest light measured is \(Int($0.luminance.rounded())) cd/m²" }
    all += notes.map { $0.wording.text(spelling) }
    return all.map { ("note", $0) } + warnings.map { ("warning", $0.message) }
  }
}

extension PassthroughReport {
  /// What was copied, and how often frames had to be encoded.
  fileprivate var report: [String: any Sendable] {
    [
      "mode": mode.rawValue, "copiedFrames": copiedFrameCount, "encodedFrames": encodedFrameCount,
      "encodedStretches": encodedStretchCount, "pieces": pieceCount, "audio": audio.rawValue,
    ]
  }
}

extension MeasuredPeak {
  fileprivate var report: [String: any Sendable] { ["source": source, "luminance": luminance] }
}

/// Machine-readable reports: one JSON object per line.
package enum JSONLine {
  /// The object with sorted keys and without a line end.
  ///
  /// - Throws: `.internalFault` for values that JSON cannot represent, such as a number that is not finite.
  package static func text(of object: [String: any Sendable]) throws(CompositorError) -> String {
    do {
      guard JSONSerialization.isValidJSONObject(object) else { throw CocoaError(.propertyListWriteInvalid) }
      let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]
      let data = try JSONSerialization.data(withJSONObject: object, options: options)
      return String(decoding: data, as: UTF8.self).escapingControlsOfJSON
    } catch {
      throw CompositorError(
        .internalFault, "A report cannot be written as JSON: \(object.keys.sorted().joined(separator: ", ")).",
        cause: "\(error)")
    }
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
