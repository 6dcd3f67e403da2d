package import CompositorAPI

/// One visible layer of one frame, with every ramp evaluated and every space resolved: the input of all routes.
package struct ResolvedLayer: Sendable {
  /// The source frame.
  package var frame: Frame
  /// Opacity, more than 0 and at most 1.
  package private(set) var opacity: Double
  /// From the frame's stored pixels (continuous, origin at the top-left corner of the top-left pixel) to the output's pixels.
  /// Includes pixel aspects, layer transform and render scale.
  package let sourceToOutput: AffineMatrix
  /// The inverse of ``sourceToOutput``, which is finite.
  package let outputToSource: AffineMatrix
  /// The visible part, in the frame's stored pixels; lies within the frame and is not empty.
  package let crop: Rect
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

  /// Creates a resolved layer; `nil` for one that shows nothing.
  package init?(
    frame: Frame, opacity: Double, sourceToOutput: AffineMatrix, crop: Rect,
    decoration: ResolvedDecoration? = nil, filter: LayerFilter? = nil, isStill: Bool = false
  ) {
    guard
      let inverse = ResolvedLayer.outputToSource(opacity: opacity, sourceToOutput: sourceToOutput, crop: crop)
    else { return nil }
    self.isStill = isStill
    self.frame = frame
    self.opacity = min(opacity, 1)
    self.sourceToOutput = sourceToOutput
    outputToSource = inverse
    self.crop = crop
    self.decoration = decoration
    self.filter = filter
  }

  /// From output pixels to stored pixels, for a layer that shows something; `nil` for one that is transparent or has no area. This
  /// is the only decision about it.
  static func outputToSource(opacity: Double, sourceToOutput: AffineMatrix, crop: Rect) -> AffineMatrix? {
    guard opacity > 0, !crop.isEmpty, let inverse = sourceToOutput.inverted, inverse.isFinite else { return nil }
    return inverse
  }

  /// The layer at full opacity.
  var opaque: ResolvedLayer {
    var layer = self
    layer.opacity = 1
    return layer
  }
}
