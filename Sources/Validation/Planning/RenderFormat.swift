public import CompositorAPI
package import CompositorMediaIO

/// The size, format and color of the frames that a composition is rendered to.
public struct RenderFormat: Sendable, Hashable {
  /// The size of the composed image in pixels: the canvas times its scale, rounded, or what fits into ``frameSize``.
  public let size: PixelSize
  /// The size of the finished frames in pixels: ``size`` plus bars if `OutputDescription.size` has another aspect ratio.
  public var frameSize: PixelSize { placement.frame }
  /// The position of the image in the frame.
  package let placement: CanvasPlacement
  /// The pixel format.
  public let pixelFormat: PixelFormat
  /// Color, pixel aspect ratio, alpha mode, and the HDR metadata that is known before rendering.
  public let attributes: FrameAttributes
  /// A description of what determined the color.
  let colorReason: String
  /// The reason for ``pixelFormat``.
  package let layoutReason: Wording

  /// Determines the format from the edit and, for values that it doesn't set, from its sources; see ``OutputDescription``.
  ///
  /// - Parameter limits: What the file that receives the frames can store, so that they are composed in the delivery format.
  package init(_ composition: ValidatedComposition, limits: DeliveryLimits = DeliveryLimits()) {
    let edit = composition.edit
    let tracks = RenderFormat.sourceTracks(of: composition)
    let color = OutputColor(of: edit, sources: tracks, format: edit.output.format)
    let layout = OutputLayout(
      of: edit.output, transfer: color.tags.transfer, tracks: tracks.map { ("\($0.source)", $0.info) }, limits: limits)
    pixelFormat = layout.pixelFormat
    let video = edit.videoComposition
    if let frame = edit.output.size {
      placement = CanvasPlacement(canvas: video.renderSize, frame: frame, subsampling: layout.pixelFormat.subsampling)
    } else {
      placement = CanvasPlacement(canvas: video.renderSize, scale: video.renderScale)
    }
    size = placement.picture
    layoutReason = layout.reason
    colorReason = color.reason
    let propagates = edit.output.hdrMetadata == .propagate
    attributes = FrameAttributes(
      color: color.tags, pixelAspectRatio: edit.output.pixelAspectRatio,
      alphaMode: pixelFormat.hasAlpha ? edit.output.alphaMode : .opaque,
      hdr: propagates
        ? OutputColor.propagated(
          tracks.map(\.info) + RenderFormat.titleTracks(of: composition), into: color.tags,
          policy: edit.videoComposition.colorConversion) : nil)
  }

  /// The video of images and movies in titles, in a fixed order.
  static func titleTracks(of composition: ValidatedComposition) -> [VideoTrackInfo] {
    composition.edit.titles.images.sorted { $0.key < $1.key }.flatMap { composition.media[$0.value]?.videoTracks ?? [] }
  }

  /// The video tracks in use, without duplicates, in the order of the timeline's tracks; not those of masks.
  package static func sourceTracks(of composition: ValidatedComposition) -> [(source: MediaSource, info: VideoTrackInfo)] {
    struct Use: Hashable {
      let source: MediaSource
      let track: Int
    }
    var seen = Set<Use>()
    var tracks: [(source: MediaSource, info: VideoTrackInfo)] = []
    let masks = composition.edit.videoComposition.maskOnlyTrackIDs
    for segment in composition.edit.composition.tracks(.video).lazy.filter({ !masks.contains($0.trackID) }).flatMap(\.segments)
    {
      guard let source = segment.source, seen.insert(Use(source: source, track: segment.sourceTrackIndex)).inserted
      else { continue }
      let track = composition.videoTrack(segment.sourceTrackIndex, of: source)
      if let track { tracks.append((source, track)) }
    }
    return tracks
  }

  /// The context that compositors render in.
  ///
  /// - Parameter sampling: The resampling of layers; `nil` for that of the video composition.
  package func context(
    for video: VideoComposition, pool: FramePool, quality: RenderQuality = .normal, sampling: SamplingQuality? = nil
  ) -> RenderContext {
    var context = RenderContext(
      size: size, renderScale: placement.scale, outputFormat: pixelFormat, outputAttributes: attributes,
      blending: video.blending, colorConversion: video.colorConversion, quality: quality, pool: pool)
    context.sampling = sampling ?? video.sampling
    return context
  }
}
