import CompositorAPI
import CompositorHost
import CompositorMediaIO

/// The frames that an export renders: their times, and the composition with measured peaks.
struct PlannedFrames: Sendable {
  /// The composition to render, at the size and the rate of the output.
  let composition: ValidatedComposition
  /// Peaks of sources that were measured; empty unless requested.
  let peaks: [MeasuredPeak]
  let plan: RenderPlan
  /// The frames of the timeline to write; at least one.
  let frames: Range<Int>

  /// Measures and plans.
  ///
  /// - Parameters:
  ///   - fitted: The composition at the size and the rate of the output.
  ///   - peaks: Peaks that were measured before.
  /// - Throws: `.invalidValue` if the range holds no frame; the error of media that are missing in it.
  init(
    of fitted: ValidatedComposition, to output: OutputName, settings: ExportSettings, peaks: [MeasuredPeak] = []
  ) async throws(CompositorError) {
    (composition, self.peaks) = try await fitted.measuringPeaks(settings: settings.render, known: peaks)
    plan = try await settings.plan(of: composition, to: output)
    frames = plan.frames(in: settings.timeRange ?? TimeRange(start: .zero, end: plan.duration))
    guard !frames.isEmpty else {
      throw CompositorError(
        .invalidValue, "No frame starts in the range to export.",
        recoverySuggestion: "Choose a range inside 0 … \(plan.duration).", at: ErrorLocation(file: output.path))
    }
    if settings.render.damaged == .fail, let error = plan.missingMedia(in: frames, settings, output) { throw error }
  }
}
