import Compositor

/// A movie or a still image, and its time range in an edit.
struct Clip {
  let source: MediaSource
  let video: VideoTrackInfo
  /// The audio track; `nil` for a silent clip.
  let audio: AudioTrackInfo?
  /// The range of the media to show.
  var mediaRange: TimeRange
  /// The start time in the movie.
  var start = MediaTime.zero
  /// The time range in the movie.
  var timeRange: TimeRange { TimeRange(start: start, duration: mediaRange.duration) }

  /// Uses all of a source that can be shown; a still image for 5 s.
  ///
  /// - Throws: The error of reading the source; `.trackNotFound` if it has no video.
  init(_ source: MediaSource, _ catalog: MediaCatalog) throws(CompositorError) {
    let info = try catalog.info(for: source)
    guard let video = info.videoTracks.first else {
      throw CompositorError(
        .trackNotFound, "\(source) has no video.", recoverySuggestion: "Leave it out: this editor joins movies.")
    }
    self.source = source
    self.video = video
    audio = info.audioTracks.first
    let whole = video.timeRange
    // The description of a truncated file has the end of its frames.
    let end = video.isStill ? .seconds(5) : min(whole.end, video.readableEnd ?? whole.end)
    mediaRange = TimeRange(start: whole.start, end: end)
  }

  /// The frame rate in frames per second; 30 for sources without one.
  var frameRate: Rational { video.isStill || !video.nominalFrameRate.isPositive ? 30 : video.nominalFrameRate }

  /// The clip's upright size, rounded to even numbers for encoders.
  var canvas: PixelSize {
    let size = shape.uprightSize
    return PixelSize(width: max(2, Int(size.width) / 2 * 2), height: max(2, Int(size.height) / 2 * 2))
  }

  /// The transform that makes the clip upright and covers the canvas. Around a smaller clip, the one behind would be visible to the end
  /// of a dissolve.
  func placement(on canvas: PixelSize) -> AffineMatrix {
    shape.transform(.aspectFill, into: Size(width: Double(canvas.width), height: Double(canvas.height)))
  }

  private var shape: SourcePlacement {
    SourcePlacement(
      size: video.size, pixelAspectRatio: video.attributes.pixelAspectRatio, preferredTransform: video.preferredTransform)
  }
}
