package import CompositorAPI

/// The output that frames are generated for. They are made in its format and color, so that nothing has to be converted and
/// colors use all of the output's bits.
package struct GeneratedOutput: Hashable, Sendable {
  /// Layout of the output's samples.
  package let format: PixelFormat
  /// The output's color, without unspecified parts.
  package let color: ColorTags
  /// The policy for converting colors to the output's.
  package let policy: ColorConversionPolicy

  /// Describes an output.
  package init(format: PixelFormat, color: ColorTags, policy: ColorConversionPolicy = .standard) {
    (self.format, self.color, self.policy) = (format, color, policy)
  }

  /// 8-bit 4:2:0 BT.709, for readers without an output.
  package static let standard = GeneratedOutput(format: .yuv420p, color: .bt709)
  /// 16-bit R, G, B, for frames that are converted later.
  package static let precise = GeneratedOutput(format: .rgba16, color: .sRGB)

  /// A generated source's track as it is made for this output.
  ///
  /// - Parameter track: The track as ``MediaProbe`` describes it.
  package func track(_ track: VideoTrackInfo, of source: GeneratedSource) -> VideoTrackInfo {
    var result = track
    (result.format, result.attributes) = frames(of: source.pattern)
    return result
  }

  /// Opaque patterns are the output's own planes, or R, G, B if it has no Y′CbCr planes; colors with alpha are straight R, G, B, A, so
  /// that alpha is exact. The clock is 8-bit BT.709 in any case: its grays are codes.
  func frames(of pattern: GeneratedSource.Pattern) -> (format: PixelFormat, attributes: FrameAttributes) {
    switch pattern {
    case .clock: return (.yuv420p, FrameAttributes(color: .bt709))
    case .color(let color) where color.alpha < 1: return (packed, FrameAttributes(color: packedColor, alphaMode: .straight))
    case .gradient(let from, let to, _) where from.alpha < 1 || to.alpha < 1:
      return (packed, FrameAttributes(color: packedColor, alphaMode: .straight))
    case .color, .bars, .gradient:
      guard !format.isRGB, color.matrix != .identity else { return (packed, FrameAttributes(color: packedColor)) }
      return (.planar(format.subsampling, bitDepth: format.bitDepth, alpha: false), FrameAttributes(color: color))
    }
  }

  private var packed: PixelFormat { format.sample == .unsigned && format.bitDepth == 8 ? .rgba : .rgba16 }

  private var packedColor: ColorTags {
    ColorTags(primaries: color.primaries, transfer: color.transfer, matrix: .identity, range: .full)
  }
}
