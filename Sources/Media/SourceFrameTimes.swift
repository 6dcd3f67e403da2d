package import CompositorAPI
package import CompositorMediaIO
import CompositorScheduling

/// The start times of a track's own frames, for output with a variable frame rate.
package enum SourceFrameTimes {
  /// The composition times at which a new frame of the track is shown, in increasing order from 0, including the start of each
  /// gap.
  ///
  /// Reads all frames of the track once, on threads that all decoders share.
  ///
  /// - Throws: Any error of reading the media, located at the source and the track; `.cancelled`.
  package static func read(
    _ track: CompositionTrack, catalog: MediaCatalog
  ) async throws(CompositorError) -> [MediaTime] {
    var times: [MediaTime] = []
    for segment in track.segments {
      times.append(segment.timeMapping.target.start)
      guard let source = segment.source, segment.timeMapping.source.duration > .zero else { continue }
      let reader = FrameTimeReader(on: RenderBudget.shared.decoding) { () throws(CompositorError) in
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
    in range: TimeRange, of reader: FrameTimeReader
  ) async throws(CompositorError) -> [MediaTime] {
    var times: [MediaTime] = []
    var time = range.start
    while !Task.isCancelled, let shown = try await reader.frameRange(at: time) {
      let next = shown.start + shown.duration
      guard next.isNumeric, next > time, next < range.end else { return times }
      times.append(next)
      time = next
    }
    if Task.isCancelled { throw CompositorError(.cancelled, "The render was canceled.") }
    return times
  }
}

/// An open track whose frame times are read, on threads that all decoders share.
private actor FrameTimeReader {
  private let thread: SerialThread
  private let open: @Sendable () throws(CompositorError) -> any VideoReader
  private var reader: (any VideoReader)?

  init(on pool: ThreadPool, open: @escaping @Sendable () throws(CompositorError) -> any VideoReader) {
    thread = SerialThread(sharing: pool)
    self.open = open
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  /// The time of the frame shown at a media time; `nil` if there is none.
  func frameRange(at time: MediaTime) throws(CompositorError) -> TimeRange? {
    let opened: any VideoReader
    if let reader { opened = reader } else { opened = try open() }
    reader = opened
    return try opened.shownFrame(at: time).map { TimeRange(start: $0.presentationTime, duration: $0.duration) }
  }

  /// Closes the decoder.
  func close() { reader = nil }
}

extension VideoReader {
  /// The frame shown at a media time. Before its first frame, a track shows that frame: tracks of a file rarely start at the same
  /// time, and its start is the start of all of them.
  ///
  /// - Parameter isBackward: Whether to take the last frame that starts before the time.
  package func shownFrame(
    at time: MediaTime, isBackward: Bool = false
  ) throws(CompositorError) -> DecodedVideoFrame? {
    if let shown = isBackward ? try frame(before: time) : try frame(at: time) { return shown }
    let start = info.timeRange.start
    guard start.isNumeric, time <= start else { return nil }
    return try frame(at: start)
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

  /// Whether the track ends with a frame of an output at ``outputFrameRate`` that begins with it, to the microsecond.
  package var endsWithFrame: Bool {
    guard cadence?.isRegular == true, timeRange.duration.isNumeric else { return false }
    let count = timeRange.duration.seconds * outputFrameRate.value
    return abs(count - count.rounded()) < 1e-6 * outputFrameRate.value
  }

  /// The reason for ``outputFrameRate`` as a phrase, such as "regular timestamps".
  package var outputRateReason: String {
    guard let cadence else { return isStill ? "a still has no rate of its own" : "the stated rate" }
    guard !cadence.isRegular else { return "its frames are regular" }
    let average = (nominalFrameRate.value * 1000).rounded() / 1000
    // An output follows no rate below the lowest, and says nothing of it: the frames keep their times.
    let isCapped = cadence.outputRate.value < cadence.rate.value
    let capped = isCapped ? ", held to \(FrameCadence.highestVariableRate.plain)" : ""
    return "its rate varies; the shortest regular step is that of \(cadence.rate.plain) frames/s\(capped) (average \(average))"
  }
}
