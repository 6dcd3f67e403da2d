import CompositorAPI
import CompositorPlugins
import CompositorValidation

/// Support for single images: how long a frame has been visible, and where frames are cheap to decode.
extension FramePipeline {
  /// The composition time since which the frame looks as it does at its planned time: the latest start of the source frames
  /// that it shows. If an instruction or an overlay changes in between, the planned time itself.
  func start(of planned: PlannedFrame, _ order: FrameRequest) -> MediaTime {
    let request = planned.request
    guard !plan.composition.registry.tweens(request.instruction) else { return order.time }
    let starts = order.sources.map { shownSince($0, request.sources[$0.trackID], at: order.time) }
    let start = starts.reduce(max(.zero, request.instruction.timeRange.start), max)
    guard start < order.time, let shown = planned.overlays else { return min(start, order.time) }
    guard !overlays.hasMovies, shown.isSame(as: overlays.appearances(at: start, scene: nil)) else { return order.time }
    return start
  }

  /// The time since which a track shows its frame at a given time.
  private func shownSince(_ order: SourceOrder, _ source: SourceFrame?, at time: MediaTime) -> MediaTime {
    guard let segment = plan.segment(of: order.trackID, at: time) else { return .zero }
    let start = segment.timeMapping.target.start
    guard let source, !segment.isFreezeFrame else { return start }
    guard order.frames == .nearest else { return time }
    let media = order.isBackward ? source.presentationTime + source.duration : source.presentationTime
    guard media.isNumeric, case let shown = segment.trackTime(ofMedia: media), shown.isNumeric else { return start }
    return min(time, max(start, shown))
  }

  /// A time between `earliest` and `latest` at which a source has a key frame, inside the clip and the instruction of `time`;
  /// `time` if none is known.
  func keyFrameTime(
    near time: MediaTime, from earliest: MediaTime, through latest: MediaTime
  ) async throws(CompositorError) -> MediaTime {
    let order = plan.request(plan.request(at: time), for: plan.views[0])
    let instruction = plan.instructions[order.instructionIndex].timeRange
    for source in order.sources where !source.isBackward && source.frames == .nearest {
      guard let segment = plan.segment(of: source.trackID, at: time), !segment.isFreezeFrame,
        case let target = segment.timeMapping.target
      else { continue }
      let first = max(earliest, target.start, instruction.start)
      let last = min(latest, target.end, instruction.end)
      let media = try await readers.keyFrameTime(
        of: source, from: segment.mediaTime(at: first), through: segment.mediaTime(at: last))
      guard let media, case let found = segment.trackTime(ofMedia: media), found.isNumeric else { continue }
      // The ends of clip and instruction belong to the next one.
      if found >= first, found <= last, found < target.end, found < instruction.end { return found }
    }
    return time
  }
}
