package import CompositorAPI

/// One layer of one frame, with every ramp evaluated and every space resolved: the input of all routes.
package struct ResolvedLayer: Sendable {
  /// The source frame.
  package var frame: Frame
  /// Opacity, 0 … 1.
  package var opacity: Double
  /// From the frame's stored pixels (continuous, origin at the top-left corner of the top-left pixel) to the output's pixels.
  /// Includes pixel aspects, layer transform and render scale.
  package var sourceToOutput: AffineMatrix
  /// The visible part, in the frame's stored pixels; lies within the frame.
  package var crop: Rect
  /// Rounded corners, border and shadow; `nil` for none.
  package var decoration: ResolvedDecoration?
  /// Whether the media is a still: the same memory for every time.
  package var isStill = false
  /// How much smaller the frame is than the image whose pixels `sourceToOutput` and `crop` refer to; `nil` if it is that
  /// image.
  package var reduction: PictureReduction?
  /// The filter that resamples the layer; `nil` for area means and bilinear interpolation.
  package var filter: LayerFilter?
  /// The layer while the shutter of its motion blur is open, of which the mean is shown instead; empty for none.
  package var moments: [LayerMoment] = []

  /// Creates a resolved layer.
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
