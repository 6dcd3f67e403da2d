import Compositor
import Foundation
import Synchronization

extension ProgressReporter {
  /// Reports a joined movie.
  ///
  /// - Parameter name: The movie in messages.
  /// - Throws: `.writeFailed` if the standard output cannot be written.
  func finish(_ joined: MovieJoiner.Result, as name: String) throws(CompositorError) {
    clear()
    let seconds = joined.wallTime / .seconds(1)
    switch style {
    case .none: break
    case .bar, .plain:
      Terminal.complain(ProgressText.words(joined, as: name, seconds))
    case .openjd:
      hasEnded.withLock { $0 = true }
      try Terminal.result(
        OpenJDMessage.progress(1).line + OpenJDMessage.status(ProgressText.words(joined, as: name, seconds)).line,
        terminator: "")
    case .json:
      hasEnded.withLock { $0 = true }
      try Terminal.result(
        JSONLine.text(of: [
          "event": "completed", "path": joined.path, "existing": joined.alreadyExisted, "parts": joined.partCount,
          "frames": joined.frameCount,
          "audioSamples": Int(joined.sampleCount), "duration": joined.duration.seconds, "bytes": Int(joined.byteCount),
          "seconds": seconds,
        ]))
    }
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
      Terminal.complain(
        "wrote \(part.path): \(ProgressText.amount(of: result)), in \(ProgressText.format(seconds, 1)) s (\(ProgressText.speed(of: result)))"
      )
    case .openjd: try Terminal.result(OpenJDMessage.status("\(part.path) is there").line, terminator: "")
    case .json:
      try Terminal.result(
        JSONLine.text(of: [
          "event": "part", "part": part.part.stem, "path": part.path, "existing": part.alreadyExisted,
          "frames": part.receipt.frameCount, "audioSamples": Int(part.receipt.sampleCount ?? 0),
          "bytes": Int(part.receipt.byteCount), "seconds": part.receipt.seconds,
        ]))
    }
  }

  /// Reports that a part of a plan failed, while others are still to be rendered.
  func fail(_ part: PlanPart, _ error: CompositorError) {
    clear()
    if style == .json {
      let object: [String: any Sendable] = ["event": "part", "part": part.stem, "error": error.report(.options)]
      putLine(object) { Terminal.put($0, to: STDOUT_FILENO) }
    }
    Terminal.complain("\(part): error: \(error.spelled(.options).description.replacing("\n", with: " "))")
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
}
