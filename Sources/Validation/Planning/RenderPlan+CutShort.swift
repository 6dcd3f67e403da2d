package import CompositorAPI
import CompositorMediaIO

extension RenderPlan {
  /// The error if some of the frames cannot be made because they show video that is missing from a truncated file.
  ///
  /// It is known before the first frame is rendered, so that a render doesn't fail late. `nil` if nothing missing is shown.
  package func missingPictures(in frames: Range<Int>) -> CompositorError? {
    for track in composition.edit.composition.tracks(.video) {
      for segment in track.segments {
        guard let source = segment.source,
          let end = composition.videoTrack(segment.sourceTrackIndex, of: source)?.readableEnd,
          let first = firstFrame(in: frames, showing: segment, of: track.trackID, from: end)
        else { continue }
        return CompositorError(
          .truncatedMedia,
          "The file is cut short: it has video until \(end.readable) only, and the timeline shows it until "
            + "\(segment.timeMapping.source.end.readable).",
          recoverySuggestion: "\(DamageAdvice.fetchAgain), end the clip where its video ends, or keep damaged media.",
          at: ErrorLocation(
            file: source.description, track: track.trackID, instruction: first.instructionIndex, time: first.time))
      }
    }
    return nil
  }

  /// The first frame that a segment shows from media at or after `end`.
  private func firstFrame(
    in frames: Range<Int>, showing segment: CompositionTrackSegment, of trackID: TrackID, from end: MediaTime
  ) -> FrameRequest? {
    let mapping = segment.timeMapping
    guard mapping.source.end > end, mapping.target.end.isNumeric else { return nil }
    let missing = segment.trackTimes(from: end)
    guard missing.start.isNumeric, missing.end.isNumeric else { return nil }
    for instruction in instructions where instruction.readTrackIDs.contains(trackID) {
      let range = missing.intersection(instruction.timeRange)
      // The frame at the very start may be before `end` by a rounding error.
      for index in self.frames(in: range).clamped(to: frames).prefix(2) {
        let order = request(forFrame: index)
        if order.sources.contains(where: { $0.trackID == trackID && ($0.isBackward ? $0.mediaTime > end : $0.mediaTime >= end) }
        ) {
          return order
        }
      }
    }
    return nil
  }
}

extension CompositionTrackSegment {
  /// The track times at which the segment plays media from a time on: its end, or its beginning if it plays backward.
  fileprivate func trackTimes(from time: MediaTime) -> TimeRange {
    let (source, target) = (timeMapping.source, timeMapping.target)
    guard source.start < time else { return target }
    let edge = trackTime(ofMedia: time)
    return retiming.isReversed
      ? TimeRange(start: target.start, end: max(target.start, edge)) : TimeRange(start: edge, end: max(edge, target.end))
  }
}

extension ValidatedComposition {
  /// The error if some of the audio that starts between two times is missing from a truncated file.
  package func missingSound(from first: MediaTime, through end: MediaTime) -> CompositorError? {
    for track in edit.composition.tracks(.audio).filter(edit.plays) {
      for segment in track.segments where !segment.isMuted {
        let source = segment.timeMapping.source
        guard let media = segment.source,
          let readable = audioTrack(segment.sourceTrackIndex, of: media)?.readableEnd, source.end > readable
        else { continue }
        let missing = segment.trackTimes(from: readable)
        guard missing.start <= end, missing.end > first else { continue }
        return CompositorError(
          .truncatedMedia,
          "The file is cut short: it has audio until \(readable.readable) only, and the timeline plays it until "
            + "\(source.end.readable).",
          recoverySuggestion: "\(DamageAdvice.fetchAgain), end the clip where its audio ends, or keep damaged media.",
          at: ErrorLocation(file: media.description, track: track.trackID, time: missing.start))
      }
    }
    return nil
  }
}
