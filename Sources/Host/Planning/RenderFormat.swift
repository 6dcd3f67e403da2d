public import CompositorAPI
import MediaIO

/// Size, format and colour of the frames that a composition is rendered to.
public struct RenderFormat: Sendable, Hashable {
  /// Columns and rows: the canvas times its scale, rounded.
  public let size: PixelSize
  /// Layout of the samples.
  public let pixelFormat: PixelFormat
  /// Colour, pixel aspect, alpha.
  public let attributes: FrameAttributes

  /// What the edit asks for, and where it does not say, what its first source has.
  init(_ composition: ValidatedComposition) {
    let edit = composition.edit
    let tracks = RenderFormat.sourceTracks(of: composition)
    let scale = edit.videoComposition.renderScale
    size = PixelSize(
      width: Int(max(1, (Double(edit.videoComposition.renderSize.width) * scale).rounded())),
      height: Int(max(1, (Double(edit.videoComposition.renderSize.height) * scale).rounded())))
    let pixelFormat = edit.output.format ?? RenderFormat.format(for: tracks, alphaMode: edit.output.alphaMode)
    self.pixelFormat = pixelFormat
    attributes = FrameAttributes(
      color: RenderFormat.color(of: edit, first: tracks.first, format: pixelFormat),
      pixelAspectRatio: edit.output.pixelAspectRatio,
      alphaMode: pixelFormat.hasAlpha ? edit.output.alphaMode : .opaque,
      hdr: tracks.first?.attributes.hdr)
  }

  /// The video tracks in use, each once, in the order of the timeline's tracks.
  private static func sourceTracks(of composition: ValidatedComposition) -> [VideoTrackInfo] {
    struct Use: Hashable {
      let source: MediaSource
      let track: Int
    }
    var seen = Set<Use>()
    var tracks: [VideoTrackInfo] = []
    for segment in composition.edit.composition.tracks(.video).lazy.flatMap(\.segments) {
      guard let source = segment.source, seen.insert(Use(source: source, track: segment.sourceTrackIndex)).inserted
      else { continue }
      let track = composition.videoTrack(segment.sourceTrackIndex, of: source)
      if let track { tracks.append(track) }
    }
    return tracks
  }

  private static func format(for tracks: [VideoTrackInfo], alphaMode: AlphaMode) -> PixelFormat {
    let isDeep = tracks.contains { $0.format.bitDepth > 8 && !$0.format.isRGB }
    return .planar(alphaMode == .opaque ? .s420 : .s444, bitDepth: isDeep ? 10 : 8, alpha: alphaMode != .opaque)
  }

  private static func color(of edit: Edit, first: VideoTrackInfo?, format: PixelFormat) -> ColorTags {
    var color = edit.output.color ?? sourceColor(first)
    let video = edit.videoComposition
    color.primaries = video.colorPrimaries ?? color.primaries
    color.transfer = video.transferFunction ?? color.transfer
    color.matrix = video.matrix ?? color.matrix
    if format.isRGB {
      color.matrix = .identity
      color.range = .full
    }
    return color
  }

  /// A still's own encoding is not a movie's: RGB sources make BT.709 video. Nor is full range, which many players show
  /// wrongly: it is made only where the edit asks for it.
  private static func sourceColor(_ track: VideoTrackInfo?) -> ColorTags {
    guard let track, !track.format.isRGB, track.attributes.color.matrix != .identity else { return .bt709 }
    var color = track.attributes.color
    color.range = .limited
    return color
  }

  /// The context that compositors render in.
  func context(for video: VideoComposition, pool: FramePool, quality: RenderQuality = .normal) -> RenderContext {
    RenderContext(
      size: size, renderScale: video.renderScale, outputFormat: pixelFormat, outputAttributes: attributes,
      blending: video.blending, colorConversion: video.colorConversion, quality: quality, pool: pool)
  }
}
