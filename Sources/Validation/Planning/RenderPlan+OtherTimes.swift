package import CompositorAPI
import CompositorPlugins

/// The inputs of a frame other than its own sources: preceding frames, or sources at other times.
extension RenderPlan {
  /// Whether an instruction's compositor, or one of its effects, needs every frame in order.
  package func needsOrder(instruction index: Int) -> Bool { composition.registry.needsOrder(instructions[index]) }

  /// The frames that must be made and discarded before the frame at a given time: those since the beginning of what needs them in
  /// order, a compositor of its instruction or an effect, which may have begun in an earlier one; otherwise none.
  package func preroll(before time: MediaTime) -> Range<Int> {
    let index = instructionIndex(at: time)
    guard var start = composition.registry.orderStart(of: instructions[index]), start < time else { return 0..<0 }
    // What changes the composed frames in order needs each of them as a whole render makes it.
    var first = index
    while composition.registry.needsComposedOrder(instructions[first]), first > 0, start < instructions[first].timeRange.start {
      first -= 1
      start = min(start, composition.registry.orderStart(of: instructions[first]) ?? start)
    }
    return frames(in: TimeRange(start: max(start, .zero), end: time))
  }

  /// Whether a compositor or an effect of an instruction needs sources at other times.
  package func needsOtherTimes(instruction index: Int) -> Bool { composition.registry.needsOtherTimes(instructions[index]) }

  /// Whether effects of an instruction produce the same frame from the same frame at any of its times.
  package func isStatic(_ effects: ArraySlice<EffectReference>, instruction index: Int) -> Bool {
    let (registry, range) = (composition.registry, instructions[index].timeRange)
    return !needsOrder(instruction: index) && !needsOtherTimes(instruction: index)
      && !effects.contains { registry.tweens($0, in: range) }
  }

  /// The duration of the frame at a given time: the time to the next frame of the output.
  package func frameDuration(at time: MediaTime) -> MediaTime {
    schedule.duration(ofFrame: schedule.frameIndex(at: time), until: duration)
  }

  /// The source that a track shows at `time`, for a request at `now`: that of the current clip, clamped to its first and last
  /// frame. `nil` if the track shows nothing at `now`.
  package func source(
    of trackID: TrackID, at time: MediaTime, seenFrom now: MediaTime
  ) -> (order: SourceOrder, time: MediaTime)? {
    guard let clip = clipRange(of: trackID, at: now) else { return nil }
    let shown = clamped(time, to: clip, seenFrom: now)
    return source(of: trackID, at: shown).map { ($0, shown) }
  }

  /// The time itself if it is inside `range`, otherwise that of the first or last output frame that starts in it. If none does,
  /// `now`, which is inside.
  package func clamped(_ time: MediaTime, to range: TimeRange, seenFrom now: MediaTime) -> MediaTime {
    guard time < range.start || time >= range.end else { return time }
    let frames = frames(in: range)
    guard let first = frames.first, let last = frames.last else { return now }
    return schedule.time(ofFrame: time < range.start ? first : last)
  }

  /// The media time between two output frames in a track, in seconds; at the end of a clip, up to its end.
  package func mediaStep(of source: SourceOrder, at time: MediaTime) -> Double {
    guard let next = self.source(of: source.trackID, at: time + frameDuration(at: time), seenFrom: time) else { return 0 }
    return abs((next.order.mediaTime - source.mediaTime).seconds)
  }
}
