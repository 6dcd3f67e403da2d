import CompositorAPI
import CompositorMediaIO

extension MediaCatalog {
  /// A catalog that describes unreadable media as 10 s of video and audio, so that a project is laid out by its own times.
  /// For diagrams and checks only; placeholders cannot be rendered.
  public static var withPlaceholders: MediaCatalog {
    MediaCatalog { (source) throws(CompositorError) in
      do throws(CompositorError) {
        return try MediaProbe.probe(source)
      } catch {
        guard error.code != .cancelled else { throw error }
        return placeholder(for: source)
      }
    }
  }

  /// The number of tracks of each kind: more than clips are likely to use.
  private static let trackCount = 16

  private static func placeholder(for source: MediaSource) -> MediaInfo {
    let range = TimeRange(start: .zero, duration: .seconds(10))
    return MediaInfo(
      source: source, container: "unreadable", duration: range.duration,
      videoTracks: (0..<trackCount).map { index in
        VideoTrackInfo(
          index: index, codec: "unreadable", size: PixelSize(width: 1280, height: 720), format: .yuv420p,
          attributes: FrameAttributes(), nominalFrameRate: Rational(30, 1), timeRange: range)
      },
      audioTracks: (0..<trackCount).map { index in
        AudioTrackInfo(index: index, codec: "unreadable", sampleRate: 48_000, channelCount: 2, timeRange: range)
      })
  }
}
