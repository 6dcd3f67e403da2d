package import CompositorAPI

/// The format that frames leave the pipeline in.
package struct DeliveryFormat: Sendable, Hashable {
  /// Layout of the samples.
  package let pixelFormat: PixelFormat
  /// Colour, pixel aspect and alpha.
  package let attributes: FrameAttributes

  /// A render's frames in another layout: the same colour, with matrix and range as the layout has them.
  package init(_ format: RenderFormat, as pixelFormat: PixelFormat) {
    var attributes = format.attributes
    if pixelFormat.isRGB {
      (attributes.color.matrix, attributes.color.range) = (.identity, .full)
    } else if format.pixelFormat.isRGB {
      (attributes.color.matrix, attributes.color.range) = (.bt709, .limited)
    }
    // Files and viewers take straight alpha.
    attributes.alphaMode = pixelFormat.hasAlpha && format.attributes.alphaMode != .opaque ? .straight : .opaque
    self.pixelFormat = pixelFormat
    self.attributes = attributes
  }

  /// A render's frames as they are.
  package init(_ format: RenderFormat) {
    pixelFormat = format.pixelFormat
    attributes = format.attributes
  }
}
