package import CompositorAPI

/// The format that frames leave the pipeline in.
package struct DeliveryFormat: Sendable, Hashable {
  /// Layout of the samples.
  package let pixelFormat: PixelFormat
  /// Colour, pixel aspect and alpha.
  package var attributes: FrameAttributes

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

  /// The same with HDR turned into sRGB, for viewers that know nothing else. Frames that are SDR stay as they are.
  package var toneMappedToSDR: DeliveryFormat {
    guard attributes.color.transfer.isHDR else { return self }
    var attributes = attributes
    attributes.color = pixelFormat.isRGB ? .sRGB : .bt709
    attributes.hdr = nil
    return DeliveryFormat(pixelFormat: pixelFormat, attributes: attributes)
  }

  /// The same in a planar Y′CbCr layout.
  package func `as`(_ planar: PixelFormat) -> DeliveryFormat {
    var attributes = attributes
    if attributes.color.matrix == .identity { attributes.color.matrix = .bt2020 }
    attributes.alphaMode = .opaque
    return DeliveryFormat(pixelFormat: planar, attributes: attributes)
  }

  private init(pixelFormat: PixelFormat, attributes: FrameAttributes) {
    self.pixelFormat = pixelFormat
    self.attributes = attributes
  }

  /// A render's frames as they are.
  package init(_ format: RenderFormat) {
    pixelFormat = format.pixelFormat
    attributes = format.attributes
  }
}
