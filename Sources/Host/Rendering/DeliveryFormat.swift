public import CompositorAPI
import CompositorMediaIO
public import CompositorMediaWriting

/// The format that frames leave the pipeline in.
package struct DeliveryFormat: Sendable, Hashable {
  /// Layout of the samples.
  package let pixelFormat: PixelFormat
  /// Color, pixel aspect and alpha.
  package var attributes: FrameAttributes

  /// A render's frames in another layout: the same color, with matrix and range as the layout has them.
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

  /// The same as an image file: where sRGB graphics have the codes of SDR video, SDR video's R′G′B′ are sRGB's, and are tagged so. Viewers
  /// then show the image as they show the movie.
  package func asImage(_ policy: ColorConversionPolicy) -> DeliveryFormat {
    guard pixelFormat.isRGB, attributes.color.transfer.hasSameCurve(as: .sRGB, policy: policy) else { return self }
    var attributes = attributes
    attributes.color.transfer = .sRGB
    return DeliveryFormat(pixelFormat: pixelFormat, attributes: attributes)
  }

  /// The same as an animated image: sRGB, whatever it was.
  package var asAnimation: DeliveryFormat {
    var attributes = attributes
    attributes.color = .sRGB
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

extension VideoEncodingSettings {
  /// The codec that people expect where they name none: HEVC for HDR, because players know HDR in it, else H.264.
  public static func usualCodec(for composition: ValidatedComposition) -> Codec {
    RenderFormat(composition).attributes.color.transfer.isHDR ? .hevc : .h264
  }

  /// The codec that people expect in a file: ``usualCodec(for:)`` where the file can hold it, else the file's own.
  ///
  /// - Parameter path: The file; its extension counts.
  public static func usualCodec(for composition: ValidatedComposition, in path: String) -> Codec {
    guard let container = try? MovieContainer(path: path) else { return usualCodec(for: composition) }
    return usualCodec(for: composition, in: container)
  }

  /// The codec that people expect in a container: ``usualCodec(for:)`` where it can hold it, else its own.
  package static func usualCodec(for composition: ValidatedComposition, in container: MovieContainer) -> Codec {
    let usual = usualCodec(for: composition)
    return container.videoCodecs.contains(usual) ? usual : container.videoCodecs.first ?? usual
  }

  /// Checks that pictures of a composition may be encoded so. What this machine has no encoder for is not checked.
  ///
  /// - Throws: `.unsupportedOutput` for HDR in 8 bits or in H.264.
  public func validate(for composition: ValidatedComposition) throws(CompositorError) {
    let format = RenderFormat(composition, codec: codec)
    guard let accepted = acceptedFormat(nearest: format.pixelFormat) else { return }
    try validate(for: DeliveryFormat(format, as: accepted))
  }

  /// Checks the codec against frames that are known already.
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
