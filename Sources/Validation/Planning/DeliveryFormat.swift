package import CompositorAPI

/// The format of finished frames.
package struct DeliveryFormat: Sendable, Hashable {
  /// The pixel format.
  package let pixelFormat: PixelFormat
  /// Color, pixel aspect ratio and alpha mode.
  package var attributes: FrameAttributes

  /// The format of a render's frames in another pixel format: the same color, with matrix and range to match.
  package init(_ format: RenderFormat, as pixelFormat: PixelFormat) {
    var attributes = format.attributes
    if pixelFormat.isRGB {
      (attributes.color.matrix, attributes.color.range) = (.identity, .full)
    } else if format.pixelFormat.isRGB {
      (attributes.color.matrix, attributes.color.range) = (.bt709, .limited)
    }
    // Files and viewers expect straight alpha.
    attributes.alphaMode = pixelFormat.hasAlpha && format.attributes.alphaMode != .opaque ? .straight : .opaque
    self.pixelFormat = pixelFormat
    self.attributes = attributes
  }

  /// The format with HDR converted to sRGB, for viewers that support nothing else. SDR frames don't change.
  package var toneMappedToSDR: DeliveryFormat {
    guard attributes.color.transfer.isHDR else { return self }
    var attributes = attributes
    attributes.color = pixelFormat.isRGB ? .sRGB : .bt709
    attributes.hdr = nil
    return DeliveryFormat(pixelFormat: pixelFormat, attributes: attributes)
  }

  /// The format for an image file. If sRGB graphics share the code values of SDR video, the R′G′B′ values of SDR video are
  /// tagged as sRGB, so that viewers show the image like the movie.
  package func asImage(_ policy: ColorConversionPolicy) -> DeliveryFormat {
    guard pixelFormat.isRGB, attributes.color.transfer.hasSameCurve(as: .sRGB, policy: policy) else { return self }
    var attributes = attributes
    attributes.color.transfer = .sRGB
    return DeliveryFormat(pixelFormat: pixelFormat, attributes: attributes)
  }

  /// The format for an animated image, which is always sRGB.
  package var asAnimation: DeliveryFormat {
    var attributes = attributes
    attributes.color = .sRGB
    attributes.hdr = nil
    return DeliveryFormat(pixelFormat: pixelFormat, attributes: attributes)
  }

  /// The format in a planar Y′CbCr layout.
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

  /// The format of a render's frames.
  package init(_ format: RenderFormat) {
    pixelFormat = format.pixelFormat
    attributes = format.attributes
  }
}
