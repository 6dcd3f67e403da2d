import CompositorAPI
import Synchronization

/// Counts the passes of an export as one progress that never falls. Its calls come one after another.
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
  ///   - count: Frames or samples of one pass.
  ///   - passCount: All passes; the last one writes.
  init(
    _ count: Int, passCount: Int, unit: ExportProgress.Unit = .frames, since start: ContinuousClock.Instant,
    report: (@Sendable (ExportProgress) -> Void)?
  ) {
    (self.count, self.passCount, self.unit, self.start, self.report) = (count, passCount, unit, start, report)
  }

  /// Frames or samples of a pass that measures are done.
  func measured(_ done: Int, inPass pass: Int) {
    advance(.measuring, rendered: pass * count + done, encoded: pass * count + done)
  }

  /// Frames or samples of the last pass are rendered, and have left the encoder.
  func count(rendered: Int, encoded: Int) {
    let before = (passCount - 1) * count
    advance(.encoding, rendered: before + rendered, encoded: before + encoded)
  }

  /// Everything is encoded.
  func finish() { advance(.finishing, rendered: passCount * count, encoded: passCount * count) }

  /// The output has its name.
  func complete() { advance(.completed, rendered: passCount * count, encoded: passCount * count) }

  private func advance(_ phase: ExportProgress.Phase, rendered: Int, encoded: Int) {
    guard let report else { return }
    let progress = state.withLock { state in
      state.phase = phase
      state.rendered = min(max(state.rendered, rendered), passCount * count)
      state.encoded = min(max(state.encoded, encoded), state.rendered)
      return ExportProgress(
        framesDone: state.encoded, frameCount: passCount * count, elapsed: ContinuousClock.now - start, unit: unit,
        framesRendered: state.rendered, phase: phase)
    }
    report(progress)
  }
}
