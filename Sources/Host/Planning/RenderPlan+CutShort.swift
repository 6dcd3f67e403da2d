import CompositorAPI
import MediaIO

extension RenderPlan {
  /// Why some of the frames cannot be made: they show pictures that are missing from a file that is cut short.
  ///
  /// Known before the first frame is rendered, so that nobody waits for the last. nil where nothing that is missing is shown.
  func missingPictures(in frames: Range<Int>) -> CompositorError? {
    for track in composition.edit.composition.tracks(.video) {
      for segment in track.segments {
        guard let source = segment.source,
          let end = composition.videoTrack(segment.sourceTrackIndex, of: source)?.readableEnd,
          let first = firstFrame(in: frames, showing: segment, of: track.trackID, from: end)
        else { continue }
        return CompositorError(
          .truncatedMedia,
          "The file is cut short: it has pictures until \(end.readable) only, and the timeline shows it until "
            + "\(segment.timeMapping.source.end.readable).",
          remedy: "Fetch the file again, or end the clip where its pictures end.",
          at: ErrorLocation(
            file: source.description, track: track.trackID, instruction: first.instructionIndex, time: first.time))
      }
    }
    return nil
  }

  /// What is silent in some of the frames because it is missing from files that are cut short; empty where nothing is.
  func missingSound(in frames: Range<Int>) -> [MediaWarning] {
    guard let last = frames.last else { return [] }
    let (first, end) = (order(forFrame: frames.lowerBound).time, order(forFrame: last).time)
    var warnings: [MediaWarning] = []
    for segment in composition.edit.composition.tracks(.audio).filter(\.isEnabled).flatMap(\.segments) {
      let (source, target) = (segment.timeMapping.source, segment.timeMapping.target)
      guard let media = segment.source,
        let readable = composition.audioTrack(segment.sourceTrackIndex, of: media)?.readableEnd, source.end > readable
      else { continue }
      let start = source.start >= readable ? target.start : segment.timeMapping.targetTime(forSource: readable)
      guard start <= end, target.end > first else { continue }
      warnings.append(
        MediaWarning(
          .truncated,
          "\(media): The file is cut short: it has sound until \(readable.readable) only. The rest of the clip is silent."))
    }
    return warnings
  }

  /// The first frame that takes a picture at or after `end` from a segment.
  private func firstFrame(
    in frames: Range<Int>, showing segment: CompositionTrackSegment, of trackID: TrackID, from end: MediaTime
  ) -> FrameOrder? {
    let mapping = segment.timeMapping
    guard mapping.source.end > end, mapping.target.end.isNumeric else { return nil }
    let start = mapping.source.start >= end ? mapping.target.start : mapping.targetTime(forSource: end)
    guard start.isNumeric else { return nil }
    for instruction in instructions where instruction.requiredTrackIDs.contains(trackID) {
      let missing = TimeRange(start: start, end: max(start, mapping.target.end))
      let range = missing.intersection(instruction.timeRange)
      // The frame at the very start may lie a rounding before `end`.
      for index in self.frames(in: range).clamped(to: frames).prefix(2) {
        let order = order(forFrame: index)
        if order.sources.contains(where: { $0.trackID == trackID && $0.mediaTime >= end }) { return order }
      }
    }
    return nil
  }
}
