package import CompositorAPI
package import CompositorMediaIO

extension MediaInfo {
  /// The description of a movie of two seconds, with video of 64x48 pixels at 25 frames per second and stereo audio, for catalogs
  /// that are told what a source holds.
  package static func movie(_ source: MediaSource) -> MediaInfo {
    let range = TimeRange(start: .zero, end: .seconds(2))
    return MediaInfo(
      source: source, container: "mov", duration: .seconds(2),
      videoTracks: [
        VideoTrackInfo(
          index: 0, codec: "h264", size: PixelSize(width: 64, height: 48), format: .yuv420p, attributes: FrameAttributes(),
          nominalFrameRate: Rational(25, 1), timeRange: range)
      ],
      audioTracks: [AudioTrackInfo(index: 0, codec: "aac", sampleRate: 48_000, channelCount: 2, timeRange: range)])
  }
}
