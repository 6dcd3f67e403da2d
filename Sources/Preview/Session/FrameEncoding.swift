import CompositorAPI
import CompositorConversion
import CompositorMediaWriting

/// Converts composed frames to JPEGs that look in browsers as the movie would.
struct FrameEncoding: Sendable {
  private let converter: FrameConverter
  private let pool = FramePool()

  /// - Parameter policy: The policy for conversions between SDR, HLG and PQ.
  init(policy: ColorConversionPolicy) { converter = FrameConverter(policy: policy) }

  /// 8-bit R′G′B′ in sRGB, over black. HDR is tone-mapped; SDR video keeps its codes.
  func shown(_ frame: Frame) throws(CompositorError) -> Frame {
    var attributes = frame.attributes
    (attributes.color.matrix, attributes.color.range, attributes.alphaMode) = (.identity, .full, .opaque)
    if attributes.color.transfer.isHDR { (attributes.color, attributes.hdr) = (.sRGB, nil) }
    var shown = try converter.convert(frame, to: .rgba, attributes: attributes, pool: pool)
    // As in browsers, which take the curve of video for that of the screen.
    if shown.attributes.color.primaries != .displayP3 { shown.attributes.color = .sRGB }
    shown.attributes.pixelAspectRatio = .one
    return shown
  }

  /// A composed frame as JPEG: 8-bit SDR planes directly, anything else through R′G′B′.
  func jpeg(composed frame: Frame) throws(CompositorError) -> [UInt8] {
    let color = frame.attributes.color
    let isPlain = !color.transfer.isHDR && color.primaries != .displayP3
    if isPlain, let bytes = try JPEGWriter.encodePlanes(of: frame, quality: FrameEncoding.quality) { return bytes }
    return try jpeg(try shown(frame))
  }

  /// High enough to show no blocks at the sizes of a preview.
  private static let quality = 82

  /// A frame as JPEG.
  ///
  /// - Parameter quality: 1 … 100.
  func jpeg(_ shown: Frame, quality: Int = quality) throws(CompositorError) -> [UInt8] {
    try ImageFileWriter.jpegBytes(of: shown, quality: quality)
  }
}
