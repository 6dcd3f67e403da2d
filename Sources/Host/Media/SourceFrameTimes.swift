import CompositorAPI
import CompositorMediaIO

/// When a track's own frames start, for output that keeps a variable frame rate.
enum SourceFrameTimes {
  /// Composition times at which a new frame of the track is shown, rising from 0; the start of each empty stretch counts.
  ///
  /// Reads the track's frames once from start to end.
  static func read(
    _ track: CompositionTrack, catalog: MediaCatalog
  ) async throws(CompositorError) -> [MediaTime] {
    var times: [MediaTime] = []
    for segment in track.segments {
      times.append(segment.timeMapping.target.start)
      guard let source = segment.source, segment.timeMapping.source.duration > .zero else { continue }
      let reader = SourceReader { () throws(CompositorError) in
        try catalog.openVideo(
          source, trackIndex: segment.sourceTrackIndex, options: VideoReaderOptions(cacheByteCount: 0, damaged: .keep))
      }
      do throws(CompositorError) {
        let starts = try await mediaStarts(in: segment.timeMapping.source, of: reader).map { segment.trackTime(ofMedia: $0) }
        times += segment.retiming.isReversed ? starts.reversed() : starts
      } catch {
        await reader.close()
        throw error.locating(ErrorLocation(file: source.description, track: track.trackID))
      }
      await reader.close()
    }
    return times
  }

  /// Media times at which frames start inside a range, rising: after the first frame that it shows.
  private static func mediaStarts(
    in range: TimeRange, of reader: SourceReader
  ) async throws(CompositorError) -> [MediaTime] {
    var times: [MediaTime] = []
    var time = range.start
    while !Task.isCancelled, let shown = try await reader.frame(at: time)?.frame {
      let next = shown.presentationTime + shown.duration
      guard next.isNumeric, next > time, next < range.end else { return times }
      times.append(next)
      time = next
    }
    if Task.isCancelled { throw CompositorError(.cancelled, "The render was cancelled.") }
    return times
  }
}

extension RenderPlan {
  /// Lays out a composition, and reads the frame times of the track that its timing follows, if there is one.
  static func reading(
    _ composition: ValidatedComposition, codec: VideoEncodingSettings.Codec?
  ) async throws(CompositorError) -> RenderPlan {
    let edit = composition.edit
    guard let trackID = edit.videoComposition.sourceTrackIDForFrameTiming, let track = edit.composition.track(trackID)
    else { return try RenderPlan(composition, codec: codec) }
    let times = try await SourceFrameTimes.read(track, catalog: composition.catalog)
    return try RenderPlan(composition, frameTimes: times, codec: codec)
  }
}
