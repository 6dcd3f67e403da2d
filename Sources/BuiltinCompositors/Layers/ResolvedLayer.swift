package import CompositorAPI

/// One layer of one frame, with every ramp evaluated and every space resolved: what the routes compose.
package struct ResolvedLayer: Sendable {
  /// The source's picture.
  package var frame: Frame
  /// 0 … 1.
  package var opacity: Double
  /// From the frame's stored pixels (continuous, origin at the top-left corner of the top-left pixel) to the output
  /// frame's pixels: pixel aspects, layer transform and render scale are all in here.
  package var sourceToOutput: AffineMatrix
  /// The part to show, in the frame's stored pixels; lies within the frame.
  package var crop: Rect
  /// Round corners, border and shadow; nil for none.
  package var decoration: ResolvedDecoration?
  /// Whether the frame is all that its media has: the same memory for every time.
  package var isStill = false
  /// By how much the frame is smaller than the picture in whose pixels `sourceToOutput` and `crop` are; nil if it is that picture.
  package var reduction: PictureReduction?
  /// How the layer is resampled; nil for area means and bilinear interpolation.
  package var filter: LayerFilter?

  /// Makes a resolved layer.
  package init(
    frame: Frame, opacity: Double, sourceToOutput: AffineMatrix, crop: Rect,
    decoration: ResolvedDecoration? = nil, filter: LayerFilter? = nil, isStill: Bool = false
  ) {
    self.isStill = isStill
    self.frame = frame
    self.opacity = opacity
    self.sourceToOutput = sourceToOutput
    self.crop = crop
    self.decoration = decoration
    self.filter = filter
  }
}
