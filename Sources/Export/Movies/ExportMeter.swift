import CompositorAPI
import Synchronization

/// Combines the passes of an export into one monotonic progress. Its methods must be called one after another.
final class ExportMeter: Sendable {
  private struct State {
    var (rendered, encoded) = (0, 0)
    var phase = ExportProgress.Phase.encoding
  }
  private let count: Int
  private let passCount: Int
  private let unit: ExportProgress.Unit
  private let start: ContinuousClock.Instant
  private let report: (@Sendable (ExportProgress) -> Void)?
  private let state = Mutex(State())

  /// - Parameters:
  ///   - count: Number of frames or samples of one pass.
  ///   - passCount: Number of passes; the last one writes.
  init(
    _ count: Int, passCount: Int, unit: ExportProgress.Unit = .frames, since start: ContinuousClock.Instant,
    report: (@Sendable (ExportProgress) -> Void)?
  ) {
    (self.count, self.passCount, self.unit, self.start, self.report) = (count, passCount, unit, start, report)
  }

  /// Reports the frames or samples done in a measuring pass.
  func measured(_ done: Int, inPass pass: Int) {
    advance(.measuring, rendered: pass * count + done, encoded: pass * count + done)
  }

  /// Reports the frames or samples of the last pass that were rendered, and that have left the encoder.
  func count(rendered: Int, encoded: Int) {
    let before = (passCount - 1) * count
    advance(.encoding, rendered: before + rendered, encoded: before + encoded)
  }

  /// Reports that everything is encoded.
  func finish() { advance(.finishing, rendered: passCount * count, encoded: passCount * count) }

  /// Reports that the output has its final name.
  func complete() { advance(.completed, rendered: passCount * count, encoded: passCount * count) }

  private func advance(_ phase: ExportProgress.Phase, rendered: Int, encoded: Int) {
    guard let report else { return }
    let progress = state.withLock { state in
      state.phase = phase
      state.rendered = min(max(state.rendered, rendered), passCount * count)
      state.encoded = min(max(state.encoded, encoded), state.rendered)
      var progress = ExportProgress(
        framesDone: state.encoded, frameCount: passCount * count, elapsed: ContinuousClock.now - start, unit: unit,
        framesRendered: state.rendered, phase: phase)
      progress.passCount = passCount
      return progress
    }
    report(progress)
  }
}
