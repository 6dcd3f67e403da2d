import Compositor

/// A movie or a still image, and where it stands in an edit.
struct Clip {
  let source: MediaSource
  let video: VideoTrackInfo
  /// `nil` for a silent clip.
  let audio: AudioTrackInfo?
  /// The part of the media that is shown.
  var mediaRange: TimeRange
  /// When it begins in the movie.
  var start = MediaTime.zero
  /// When it is shown or heard in the movie.
  var timeRange: TimeRange { TimeRange(start: start, duration: mediaRange.duration) }

  /// All of a source that can be shown; a still image for 5 s.
  ///
  /// - Throws: What keeps the source from being read; `.trackNotFound` if it has no video.
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
    // Files that are cut short say where their frames end.
    let end = video.isStill ? .seconds(5) : min(whole.end, video.readableEnd ?? whole.end)
    mediaRange = TimeRange(start: whole.start, end: end)
  }

  /// Frames a second; 30 for what has none of its own.
  var frameRate: Rational { video.isStill || !video.nominalFrameRate.isPositive ? 30 : video.nominalFrameRate }

  /// The clip's size as it is seen, even, as most encoders want it.
  var canvas: PixelSize {
    let size = shape.uprightSize
    return PixelSize(width: max(2, Int(size.width) / 2 * 2), height: max(2, Int(size.height) / 2 * 2))
  }

  /// Upright, and so large that it covers the canvas: beside a smaller clip the one behind it would show to the end of a dissolve.
  func placement(on canvas: PixelSize) -> AffineMatrix {
    shape.transform(.aspectFill, into: Size(width: Double(canvas.width), height: Double(canvas.height)))
  }

  private var shape: SourcePlacement {
    SourcePlacement(
      size: video.size, pixelAspectRatio: video.attributes.pixelAspectRatio, preferredTransform: video.preferredTransform)
  }
}
