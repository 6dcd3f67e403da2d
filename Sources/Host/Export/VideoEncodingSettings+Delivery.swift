public import CompositorAPI
public import CompositorMediaIO

extension VideoEncodingSettings {
  /// The codec that people expect where they name none: HEVC for HDR, because players know HDR in it, else H.264.
  public static func usualCodec(for composition: ValidatedComposition) -> Codec {
    RenderFormat(composition).attributes.color.transfer.isHDR ? .hevc : .h264
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
  func validate(for delivery: DeliveryFormat) throws(CompositorError) {
    guard delivery.attributes.color.transfer.isHDR else { return }
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
