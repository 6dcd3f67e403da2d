import CompositorAPI
import CompositorPlugins

/// What a frame needs beside its own sources: the frames before it, or sources at other times.
extension RenderPlan {
  /// Whether an instruction's compositor, or an effect of it, needs every frame in order.
  func needsOrder(instruction index: Int) -> Bool { composition.registry.needsOrder(instructions[index]) }

  /// Frames that must be made and thrown away before the picture at a time can be: those of its instruction, where that needs
  /// order. Empty where it does not.
  func preroll(before time: MediaTime) -> Range<Int> {
    let index = instructionIndex(at: time)
    let start = instructions[index].timeRange.start
    guard needsOrder(instruction: index), start < time else { return 0..<0 }
    return frames(in: TimeRange(start: start, end: time))
  }

  /// Whether a compositor or an effect of an instruction asks for sources at other times.
  func needsOtherTimes(instruction index: Int) -> Bool { composition.registry.needsOtherTimes(instructions[index]) }

  /// Whether effects in an instruction make the same picture of the same picture at any of its times.
  func isStatic(_ effects: ArraySlice<EffectReference>, instruction index: Int) -> Bool {
    let (registry, range) = (composition.registry, instructions[index].timeRange)
    return !needsOrder(instruction: index) && !needsOtherTimes(instruction: index)
      && !effects.contains { registry.tweens($0, in: range) }
  }

  /// How long the frame at a time is shown: the distance to the next frame of the output.
  func frameDuration(at time: MediaTime) -> MediaTime {
    schedule.duration(ofFrame: schedule.frameIndex(at: time), until: duration)
  }

  /// What a track shows at `time`, for a request at `now`: its clip at that time, whose first and last frame stand for all that
  /// would be before and after. nil where the track shows nothing at `now`.
  func source(of trackID: TrackID, at time: MediaTime, seenFrom now: MediaTime) -> (order: SourceOrder, time: MediaTime)? {
    guard let clip = clipRange(of: trackID, at: now) else { return nil }
    let shown = clamped(time, to: clip, seenFrom: now)
    return source(of: trackID, at: shown).map { ($0, shown) }
  }

  /// The time itself where it is inside `range`; else that of the first or the last frame of the output that starts there. Where none
  /// does, `now`, which is inside.
  func clamped(_ time: MediaTime, to range: TimeRange, seenFrom now: MediaTime) -> MediaTime {
    guard time < range.start || time >= range.end else { return time }
    let frames = frames(in: range)
    guard let first = frames.first, let last = frames.last else { return now }
    return schedule.time(ofFrame: time < range.start ? first : last)
  }

  /// How much media passes in a track from one frame of the output to the next, in seconds; at a clip's end, up to there.
  func mediaStep(of source: SourceOrder, at time: MediaTime) -> Double {
    guard let next = self.source(of: source.trackID, at: time + frameDuration(at: time), seenFrom: time) else { return 0 }
    return abs((next.order.mediaTime - source.mediaTime).seconds)
  }
}
