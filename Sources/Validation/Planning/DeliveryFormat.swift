public import CompositorAPI
import CompositorMediaIO
public import CompositorMediaWriting

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

extension VideoEncodingSettings {
  /// The default codec: HEVC for HDR, because players support HDR in it, otherwise H.264.
  public static func usualCodec(for composition: ValidatedComposition) -> Codec {
    RenderFormat(composition).attributes.color.transfer.isHDR ? .hevc : .h264
  }

  /// The default codec for a file: ``usualCodec(for:)`` if the file can contain it, otherwise the file type's own.
  ///
  /// - Parameter path: The path, whose extension determines the file type.
  public static func usualCodec(for composition: ValidatedComposition, in path: String) -> Codec {
    guard let container = try? MovieContainer(path: path) else { return usualCodec(for: composition) }
    return usualCodec(for: composition, in: container)
  }

  /// The default codec for a container: ``usualCodec(for:)`` if it can contain it, otherwise its own.
  package static func usualCodec(for composition: ValidatedComposition, in container: MovieContainer) -> Codec {
    let usual = usualCodec(for: composition)
    return container.videoCodecs.contains(usual) ? usual : container.videoCodecs.first ?? usual
  }

  /// Checks that a composition can be encoded with these settings. Whether this machine has the encoder isn't checked.
  ///
  /// - Throws: `.unsupportedOutput` for HDR in 8 bits or in H.264.
  public func validate(for composition: ValidatedComposition) throws(CompositorError) {
    let format = RenderFormat(composition, codec: codec)
    guard let accepted = acceptedFormat(nearest: format.pixelFormat) else { return }
    try validate(for: DeliveryFormat(format, as: accepted))
  }

  /// Checks the codec against a known frame format.
  package func validate(for delivery: DeliveryFormat) throws(CompositorError) {
    guard delivery.attributes.color.transfer.isHDR, !codec.isAnimation else { return }
    let name = delivery.attributes.color.transfer.name
    let recoverySuggestion = "Use hevc, av1, prores or ffv1, or make the output SDR."
    guard codec != .h264 else {
      throw CompositorError(
        .unsupportedOutput, "H.264 is an 8-bit codec to players: none shows \(name) in it.",
        recoverySuggestion: recoverySuggestion)
    }
    guard delivery.pixelFormat.bitDepth >= 10 else {
      throw CompositorError(
        .unsupportedOutput, "\(name) needs 10 bits, and \(delivery.pixelFormat) frames have \(delivery.pixelFormat.bitDepth).",
        recoverySuggestion: "Leave format and depth out, or choose 10 bits: yuv420p10.")
    }
  }
}
