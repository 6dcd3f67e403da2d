import BuiltinCompositors
import CompositorAPI
import CompositorOverlay

/// Converts frames of movie layers as the layer compositor converts those of clips: upright, in square pixels, scaled by the
/// same filters, with colors converted by the same rules.
struct ClipConverter: MovieConverter {
  let compositor: LayerCompositor
  /// The context that frames are composed in.
  let context: RenderContext

  func picture(_ movie: MovieFrame, size: PixelSize, color: ColorTags) throws(CompositorError) -> Frame {
    var attributes = context.outputAttributes
    (attributes.pixelAspectRatio, attributes.alphaMode) = (.one, .premultiplied)
    attributes.color = ColorTags(
      primaries: color.primaries, transfer: color.transfer, matrix: .identity, range: .full)
    return try compose(
      movie, movie.shape.transform(.stretch, into: size.size), size: size, format: .rgba16, attributes,
      background: .clear)
  }

  func placed(_ movie: MovieFrame, on canvas: PixelSize, _ matrix: AffineMatrix) throws(CompositorError) -> Frame {
    try compose(
      movie, movie.shape.uprightTransform.concatenating(matrix), size: canvas, format: context.outputFormat,
      context.outputAttributes, background: nil)
  }

  private func compose(
    _ movie: MovieFrame, _ transform: AffineMatrix, size: PixelSize, format: PixelFormat, _ attributes: FrameAttributes,
    background: Color?
  ) throws(CompositorError) -> Frame {
    var target = RenderContext(
      size: size, outputFormat: format, outputAttributes: attributes, blending: context.blending,
      colorConversion: context.colorConversion, quality: context.quality, pool: context.pool)
    // Layers move with animations, which aren't known here.
    target.sampling = context.sampling ?? .fast
    return try compositor.draw(movie.frame, transform, over: background, into: target)
  }
}
