package import CompositorAPI
package import CompositorMedia
import CompositorMediaIO

/// Canvas and frame rate of a timeline that doesn't specify them: those of the first clip that shows video of a size of its
/// own. Generated sources that take the size of the canvas count only if there is no other video, and still images have no rate if
/// anything else has one.
package struct OutputDefaults: Sendable {
  package let canvas: PixelSize
  package let frameRate: Rational

  /// The default for a timeline without video.
  package static let usualCanvas = PixelSize(width: 1920, height: 1080)
  /// The default for a timeline without video.
  package static let usualFrameRate = Rational(30, 1)

  /// - Throws: The errors of the catalog, located at the clip.
  package init(_ timeline: Timeline, catalog: MediaCatalog) throws(CompositorError) {
    if let canvas = timeline.canvas, let rate = timeline.frameRate {
      (self.canvas, frameRate) = (canvas, rate)
      return
    }
    timeline.probeMedia(catalog: catalog)
    let track = try OutputDefaults.firstVideo(timeline, catalog: catalog) { _ in true }
    canvas = timeline.canvas ?? track.map(\.displaySize).map(OutputDefaults.evenSize) ?? OutputDefaults.usualCanvas
    if let rate = timeline.frameRate {
      frameRate = rate
    } else {
      let moving = track?.isStill == true ? try OutputDefaults.firstVideo(timeline, catalog: catalog) { !$0.isStill } : track
      frameRate = (moving ?? track)?.outputFrameRate ?? OutputDefaults.usualFrameRate
    }
  }

  private static func firstVideo(
    _ timeline: Timeline, catalog: MediaCatalog, where isWanted: (VideoTrackInfo) -> Bool
  ) throws(CompositorError) -> VideoTrackInfo? {
    var generated: VideoTrackInfo?
    for (index, track) in timeline.tracks.enumerated() {
      for (position, clip) in track.clips.enumerated() where clip.showsVideo {
        do {
          if generated != nil, clip.source.takesSizeOfCanvas { continue }
          let info = try catalog.info(for: clip.source)
          let video = info.videoTracks.first { $0.index == clip.videoTrackIndex }
          guard let video, isWanted(video) else { continue }
          guard clip.source.takesSizeOfCanvas else { return video }
          generated = video
        } catch {
          throw error.locating(ErrorLocation(path: "tracks[\(index)].clips[\(position)].asset"))
        }
      }
    }
    return generated
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
