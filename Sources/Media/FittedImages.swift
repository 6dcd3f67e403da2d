import BuiltinCompositors
import CompositorAPI
import CompositorMediaIO

/// Shows the images of a sequence in one place: each is rotated upright, converted to the format of the track, and scaled to fit
/// into the track's size, between bars if its aspect ratio differs.
///
/// Images with the size, orientation and format of the track are returned unchanged.
final class FittedImages: VideoReader {
  private let reader: ImageSequenceReader
  private let context: RenderContext
  var info: VideoTrackInfo { reader.info }

  init(_ reader: ImageSequenceReader) {
    self.reader = reader
    context = RenderContext(
      size: reader.info.size, outputFormat: reader.info.format, outputAttributes: reader.info.attributes,
      pool: FramePool(maximumOutstanding: 1024))
  }

  func frame(at time: MediaTime) throws(CompositorError) -> DecodedVideoFrame? {
    guard var shown = try reader.image(at: time) else { return nil }
    guard !matches(shown.frame.frame, shown.transform) else { return shown.frame }
    shown.frame.frame = try fitted(shown.frame.frame, shown.transform)
    return shown.frame
  }

  private func matches(_ frame: Frame, _ transform: AffineMatrix) -> Bool {
    frame.size == info.size && frame.format == info.format && transform == info.preferredTransform
      && frame.attributes.pixelAspectRatio == info.attributes.pixelAspectRatio
      && frame.attributes.alphaMode == info.attributes.alphaMode && frame.attributes.color == info.attributes.color
  }

  private func fitted(_ frame: Frame, _ transform: AffineMatrix) throws(CompositorError) -> Frame {
    let track = SourcePlacement(
      size: info.size, pixelAspectRatio: info.attributes.pixelAspectRatio, preferredTransform: info.preferredTransform)
    let image = SourcePlacement(
      size: frame.size, pixelAspectRatio: frame.attributes.pixelAspectRatio, preferredTransform: transform)
    // From the stored image to its upright place, and from there to the track as it is stored.
    let place = image.transform(.aspectFit, into: track.uprightSize)
    return try LayerCompositor(context: context).draw(
      frame, place.concatenating(track.uprightTransform.inverted ?? .identity),
      over: info.attributes.alphaMode == .opaque ? nil : .clear, into: context)
  }

  var decodedCount: Int { reader.decodedCount }
  var damage: [MediaDamage] { reader.damage }
}

extension VideoReader {
  /// The reader itself; images of a sequence are fitted into one place.
  var fittingImages: any VideoReader { (self as? ImageSequenceReader).map(FittedImages.init) ?? self }
}
