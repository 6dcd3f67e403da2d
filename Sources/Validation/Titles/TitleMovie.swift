package import CompositorAPI
package import CompositorMediaIO
package import CompositorOverlay

/// A video track that movie layers of titles show.
package struct TitleMovie: Sendable {
  /// Identifies a movie: the name that layers use, and the track.
  package struct Key: Hashable, Sendable {
    let asset: String
    let trackIndex: Int

    package init(_ content: MovieContent) { (asset, trackIndex) = (content.asset, content.videoTrack) }
  }

  /// The media.
  package let source: MediaSource
  /// The track.
  package let info: VideoTrackInfo
  /// How interlaced frames are handled, if it isn't read with an edit's tracks.
  package let deinterlacing: Deinterlacing
  /// Whether a layer may play it backward, which is cheap only for cached frames.
  package var playsBackwards = false
  /// Opens a reader with one owner.
  package let open: @Sendable (VideoReaderOptions) throws(CompositorError) -> any VideoReader

  /// How much earlier than its time a frame is considered started, in seconds: times of layers are rounded binary fractions.
  private static let tolerance = 1e-6
  /// Bytes of frames to cache for playing backward.
  package static let backwardsByteCount = 64 << 20

  /// The media time that a layer shows at its own time: that of the stretch that plays, held at its ends unless it loops. A
  /// pure function.
  package func mediaTime(of shot: MovieShot) -> MediaTime {
    let start = shot.content.from.map(MediaTime.init(titleSeconds:)) ?? info.timeRange.start
    let length = playedLength(of: shot.content)
    var offset = (shot.time.isFinite ? shot.time : 0) + TitleMovie.tolerance
    if shot.content.loops, length.isFinite { offset -= (offset / length).rounded(.down) * length }
    offset = max(min(offset, length - TitleMovie.tolerance), 0)
    return max(start + MediaTime(titleSeconds: min(offset, 1e9)), info.timeRange.start)
  }

  /// The media seconds that play before the last frame is held; infinite if the movie loops.
  private func playedLength(of content: MovieContent) -> Double {
    let start = content.from ?? info.timeRange.start.seconds
    let end = info.timeRange.end.isNumeric ? info.timeRange.end.seconds : .infinity
    return max(min(content.duration ?? .infinity, end - start), 2 * TitleMovie.tolerance)
  }

  /// The options for opening it outside of an edit's tracks.
  package func options(_ options: VideoReaderOptions) -> VideoReaderOptions {
    var result = options
    result.deinterlacing = deinterlacing
    if playsBackwards { result.cacheByteCount = max(options.cacheByteCount, TitleMovie.backwardsByteCount) }
    return result
  }
}

extension MediaTime {
  /// Creates a time from a layer's seconds, rounded to the nanosecond.
  init(titleSeconds: Double) { self.init(seconds: titleSeconds, preferredTimescale: 1_000_000_000) }
}

extension Layer {
  /// The assets that the tree shows as movies and may play backward.
  package var moviesPlayedBackwards: Set<String> { moviesPlayedBackwards(isReversed: false, depth: 0) }

  private func moviesPlayedBackwards(isReversed: Bool, depth: Int) -> Set<String> {
    guard depth <= Layer.maximumDepth else { return [] }
    let isReversed = isReversed || timing.speed < 0 || timing.autoreverses
    var found: Set<String> = isReversed ? Set(movieNames) : []
    for layer in sublayers + [mask, transitionSource].compactMap({ $0 }) {
      found.formUnion(layer.moviesPlayedBackwards(isReversed: isReversed, depth: depth + 1))
    }
    return found
  }
}
