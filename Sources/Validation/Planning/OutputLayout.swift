import CompositorAPI
import CompositorMediaIO

/// The sample layout of an output, with the reason. All decisions about bit depth and chroma resolution are made here.
///
/// In order of precedence:
/// 1. The format and bit depth that the edit requests.
/// 2. PQ and HLG have 10 bits, because fewer show banding. Requesting HDR implies 10 bits.
/// 3. The depth that the file has, such as 8 bits in H.264 (``DeliveryLimits``).
/// 4. Otherwise 10 bits if one of the sources has more than 8, and 8 if not. RGB sources (stills, graphics) are ignored.
///
/// Chroma is 4:2:0, or that of the finest source if the edit requests the sources' layout. Other frames with alpha are 4:4:4;
/// files without alpha receive frames without it.
struct OutputLayout {
  let pixelFormat: PixelFormat
  /// A description of the reason.
  let reason: Wording

  /// - Parameters:
  ///   - tracks: The video tracks in use, with their sources' names.
  ///   - limits: What the file can store.
  init(
    of output: OutputDescription, transfer: TransferFunction, tracks: [(name: String, info: VideoTrackInfo)],
    limits: DeliveryLimits
  ) {
    if let format = output.format {
      pixelFormat = output.bitDepth.map(format.withBitDepth) ?? format
      reason = Wording(output.bitDepth.map { "as the project says, in \($0) bits as asked for" } ?? "as the project says")
      return
    }
    if output.followsSourceLayout, limits.keepsSourceLayout, let finest = OutputLayout.finest(tracks.map(\.info.format), output)
    {
      pixelFormat = transfer.isHDR && finest.bitDepth < 10 ? finest.withBitDepth(10) : finest
      reason = "the chroma and the bits of the finest source"
      return
    }
    let deepest = tracks.filter { !$0.info.format.isRGB }.max { $0.info.format.bitDepth < $1.info.format.bitDepth }
    let depth: Int
    (depth, reason) = OutputLayout.depth(output.bitDepth, transfer: transfer, deepest: deepest, limits: limits)
    let keepsAlpha = output.alphaMode != .opaque && limits.storesAlpha
    // Output that becomes RGB anyway preserves the edges of titles.
    let keepsChroma = keepsAlpha || limits.keepsChroma
    pixelFormat = .planar(keepsChroma ? .s444 : .s420, bitDepth: depth, alpha: keepsAlpha)
  }

  /// The layout that preserves every source; `nil` if there are no Y′CbCr sources.
  private static func finest(_ formats: [PixelFormat], _ output: OutputDescription) -> PixelFormat? {
    let video = formats.filter { !$0.isRGB }
    guard !video.isEmpty else { return nil }
    let keepsAlpha = output.alphaMode != .opaque
    let subsampling = video.map(\.subsampling).min {
      $0.horizontalShift + $0.verticalShift < $1.horizontalShift + $1.verticalShift
    }
    let depth = [8, 10, 12, 16].first { $0 >= video.map(\.bitDepth).max() ?? 8 } ?? 16
    return .planar(subsampling ?? .s420, bitDepth: output.bitDepth ?? depth, alpha: keepsAlpha)
  }

  private static func depth(
    _ asked: Int?, transfer: TransferFunction, deepest: (name: String, info: VideoTrackInfo)?,
    limits: DeliveryLimits
  ) -> (Int, Wording) {
    if let asked { return (asked, "\(asked) bits as asked for") }
    if transfer.isHDR { return (10, "10 bits: \(transfer.name) shows steps in fewer") }
    if let depth = limits.depth { return (depth.bits, depth.reason) }
    guard let deepest, deepest.info.format.bitDepth > 8 else { return (8, "8 bits: no video source has more") }
    return (10, "10 bits: \(deepest.name) has \(deepest.info.format.bitDepth)")
  }
}

extension PixelFormat {
  /// The same layout with another bit depth, 8, 10, 12 or 16. RGB has 8 or 16.
  fileprivate func withBitDepth(_ depth: Int) -> PixelFormat {
    switch layout {
    case .planar: .planar(subsampling, bitDepth: depth, alpha: hasAlpha)
    case .semiPlanar: depth > 8 ? .p010 : .nv12
    case .packedRGBA, .packedBGRA: depth > 8 ? .rgba16 : .rgba
    }
  }
}
