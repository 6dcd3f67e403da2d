package import CompositorAPI
package import CompositorMedia
import CompositorMediaIO

/// Canvas and frame rate of a timeline that doesn't specify them. The clips that show video are asked from the lowest track up,
/// and in each track in their order:
///
/// - The canvas is that of the first clip with a size of its own. Generated sources and titles without a `size` take it from
///   the canvas, so they never decide it.
/// - The frame rate is that of the first clip that moves at a rate of its own. Stills and static patterns don't move, and titles
///   without a `frameRate` take it from the output. If nothing else moves, the rate of the first generated source is used.
package struct OutputDefaults: Sendable {
  package let canvas: PixelSize
  package let frameRate: Rational

  /// The default for a timeline without video.
  package static let defaultCanvas = PixelSize(width: 1920, height: 1080)
  /// The default for a timeline without video.
  package static let defaultFrameRate = Rational(30, 1)

  /// - Throws: The errors of the catalog, located at the clip.
  package init(_ timeline: Timeline, catalog: MediaCatalog) throws(CompositorError) {
    if let canvas = timeline.canvas, let rate = timeline.frameRate {
      (self.canvas, frameRate) = (canvas, rate)
      return
    }
    timeline.probeMedia(catalog: catalog)
    let sized = try timeline.canvas == nil ? OutputDefaults.firstVideo(timeline, catalog: catalog, where: \.hasSize) : nil
    canvas = timeline.canvas ?? sized.map(\.displaySize).map(OutputDefaults.evenSize) ?? OutputDefaults.defaultCanvas
    if let rate = timeline.frameRate {
      frameRate = rate
    } else if let moving = try OutputDefaults.firstVideo(timeline, catalog: catalog, where: \.moves) {
      frameRate = moving.outputFrameRate
    } else {
      let other = try OutputDefaults.firstVideo(timeline, catalog: catalog, where: \.hasFrameRate)
      frameRate = other?.outputFrameRate ?? OutputDefaults.defaultFrameRate
    }
  }

  /// What the video of a clip has of its own.
  private struct Claims {
    let hasSize: Bool
    let hasFrameRate: Bool
    /// Whether it shows motion, so that another rate would show unevenly.
    let moves: Bool

    init(_ track: VideoTrackInfo, of source: MediaSource, catalog: MediaCatalog) {
      let followed = catalog.propertiesFollowed(by: source)
      hasSize = !followed.contains(.size)
      hasFrameRate = !track.isStill && !followed.contains(.frameRate)
      // The rate of a generated source is rarely chosen if its size isn't.
      let isIncidental = source.takesSizeOfCanvas || source.isStaticPattern
      moves = hasFrameRate && !isIncidental
    }
  }

  private static func firstVideo(
    _ timeline: Timeline, catalog: MediaCatalog, where isWanted: (Claims) -> Bool
  ) throws(CompositorError) -> VideoTrackInfo? {
    for (index, track) in timeline.tracks.enumerated() {
      for (position, clip) in track.clips.enumerated() where clip.showsVideo {
        do {
          let info = try catalog.info(for: clip.source)
          let video = info.videoTracks.first { $0.index == clip.videoTrackIndex }
          if let video, isWanted(Claims(video, of: clip.source, catalog: catalog)) { return video }
        } catch {
          throw error.locating(ErrorLocation(path: "tracks[\(index)].clips[\(position)].asset"))
        }
      }
    }
    return nil
  }

  /// The longest side of a canvas.
  private static let longestSide = Double(PixelSize.renderableSides.upperBound)

  /// The size rounded up to even sides, which encoders of subsampled chroma require. A larger one than a canvas can have is
  /// reduced in its aspect ratio.
  package static func evenSize(_ size: Size) -> PixelSize {
    func even(_ length: Double) -> Int {
      guard length.isFinite, length < longestSide else { return Int(longestSide) }
      return max(2, (Int(length.rounded()) + 1) & ~1)
    }
    let longer = max(size.width, size.height)
    let scale = longer.isFinite && longer > longestSide ? longestSide / longer : 1
    return PixelSize(width: even(size.width * scale), height: even(size.height * scale))
  }
}
