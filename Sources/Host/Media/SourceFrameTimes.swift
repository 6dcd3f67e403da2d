package import CompositorAPI
package import CompositorMediaIO
package import CompositorMediaWriting
import CompositorScheduling

/// The start times of a track's own frames, for output with a variable frame rate.
enum SourceFrameTimes {
  /// The composition times at which a new frame of the track is shown, in increasing order from 0, including the start of each
  /// gap.
  ///
  /// Reads all frames of the track once.
  static func read(
    _ track: CompositionTrack, catalog: MediaCatalog
  ) async throws(CompositorError) -> [MediaTime] {
    var times: [MediaTime] = []
    for segment in track.segments {
      times.append(segment.timeMapping.target.start)
      guard let source = segment.source, segment.timeMapping.source.duration > .zero else { continue }
      let reader = SourceReader(on: RenderBudget.shared.decoding) { () throws(CompositorError) in
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

  /// The media times at which frames start inside a range, in increasing order, excluding the first frame that the range shows.
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
    if Task.isCancelled { throw CompositorError(.cancelled, "The render was canceled.") }
    return times
  }
}

extension RenderPlan {
  /// Plans a composition, reading the frame times of the track that its timing follows, if there is one.
  package static func reading(
    _ composition: ValidatedComposition, codec: VideoEncodingSettings.Codec?
  ) async throws(CompositorError) -> RenderPlan {
    let edit = composition.edit
    guard let trackID = edit.videoComposition.sourceTrackIDForFrameTiming, let track = edit.composition.track(trackID)
    else { return try RenderPlan(composition, codec: codec) }
    let times = try await SourceFrameTimes.read(track, catalog: composition.catalog)
    return try RenderPlan(composition, frameTimes: times, codec: codec)
  }
}

extension VideoTrackInfo {
  /// The frame rate of an output that follows this track, in 1 … 240: that of its cadence. If no timestamps were measured, the
  /// nominal rate, rounded to a standard one within a quarter percent; 30 if there is none.
  package var outputFrameRate: Rational {
    if let rate = cadence?.outputRate, VideoTrackInfo.isOutputRate(rate) { return rate }
    guard VideoTrackInfo.isOutputRate(nominalFrameRate) else { return Rational(30, 1) }
    return StandardFrameRate.nearest(to: nominalFrameRate.value, within: 0.0025) ?? nominalFrameRate.reduced
  }

  private static func isOutputRate(_ rate: Rational) -> Bool {
    rate.isPositive && rate.value >= 1 && rate.value <= 240 && rate.numerator <= Int32.max
  }

  /// The reason for ``outputFrameRate`` as a phrase, such as "regular timestamps".
  package var outputRateReason: String {
    guard let cadence else { return isStill ? "a still has no rate of its own" : "the stated rate" }
    guard !cadence.isRegular else { return "its frames are regular" }
    let average = (nominalFrameRate.value * 1000).rounded() / 1000
    let capped = cadence.outputRate == cadence.rate ? "" : ", held to \(FrameCadence.highestVariableRate.plain)"
    return "its rate varies; the shortest regular step is that of \(cadence.rate.plain) frames/s\(capped) (average \(average))"
  }
}
