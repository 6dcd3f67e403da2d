import CompositorAPI
import CompositorExport
import CompositorHost
import CompositorMediaIO
import CompositorScheduling
import CompositorValidation

/// A composition that a player plays, with its rendering settings and its end.
final class PlayerStage: Sendable {
  let scheduler: FrameScheduler
  let plan: RenderPlan
  /// The end of playback.
  let end: MediaTime
  /// Number of frames that can be shown, ≥ 1.
  let frameCount: Int
  /// Maximum number of cached frames, and their size in bytes.
  let capacity: Int
  let frameByteCount: Int
  /// Frames per second.
  let frameRate: Double

  init(_ composition: ValidatedComposition, _ settings: PlayerSettings) throws(CompositorError) {
    let end = settings.endTime ?? composition.edit.composition.duration
    guard end.isNumeric, end > .zero else {
      throw CompositorError(
        .invalidValue, "The player cannot end at \(end.readable).",
        recoverySuggestion: "Play a composition, or give an end time, above 0.")
    }
    let plan = try RenderPlan(composition.limited(to: settings.maximumSize).extended(to: end))
    let delivery = settings.pixelFormat.map { DeliveryFormat(plan.format, as: $0) } ?? DeliveryFormat(plan.format)
    frameByteCount = max(1, delivery.pixelFormat.byteCount(of: plan.format.frameSize))
    capacity = min(Self.mostFrames, max(Self.fewestFrames, max(0, settings.cacheByteCount) / frameByteCount))
    var render = settings.render
    // A seek waits for one decoder, which may use the whole machine.
    if render.decoderThreadCount == nil { render.decoderThreadCount = min(8, render.budget.limits.processorCount) }
    scheduler = try FrameScheduler(plan, settings: render, delivery: delivery, heldFrameCount: capacity + 32)
    (self.plan, self.end) = (plan, end)
    frameCount = max(1, plan.schedule.frameCount(until: end))
    frameRate = 1 / max(1e-6, composition.edit.videoComposition.frameDuration.seconds)
  }

  private static let fewestFrames = 16
  private static let mostFrames = 8192

  func time(of index: Int) -> MediaTime { plan.schedule.time(ofFrame: index) }

  /// The frame shown at a given time; the nearest one outside the timeline.
  func index(at time: MediaTime) -> Int { min(frameCount - 1, max(0, plan.schedule.frameIndex(at: time))) }
}

extension ValidatedComposition {
  /// The composition with an additional instruction that shows the background up to a later end.
  fileprivate func extended(to end: MediaTime) -> ValidatedComposition {
    let last = edit.videoComposition.instructions.map(\.timeRange.end).max() ?? .zero
    guard last < end else { return self }
    var edit = edit
    var background = Instruction(timeRange: TimeRange(start: last, end: end))
    background.backgroundColor = edit.videoComposition.instructions.last?.backgroundColor
    edit.videoComposition.instructions.append(background)
    return replacing(edit)
  }
}
