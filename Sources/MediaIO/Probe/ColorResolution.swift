import CFFmpeg
import CompositorAPI

/// Which colour tags a picture gets, from what its container and its bitstream say.
///
/// The container wins where it says something (ISO/IEC 14496-12, 12.1.5: a colour box overrides the bitstream), tag by tag; then
/// the bitstream; what neither says is filled by `ColorTags.resolved(for:)`. R, G, B pictures are sRGB where nothing is said,
/// motion JPEG is BT.601 with sRGB's primaries and curve (JFIF). Range is full where either side says so, because muxers write
/// "limited" for want of knowledge (cameras of the best-known make among them); else limited, but full for R, G, B. Chroma: left, but centred for JPEG and MPEG-1.
enum ColorResolution {
  /// What decides beside the tags.
  struct Circumstances {
    var size: PixelSize
    var codec: String
    var isRGB: Bool
  }

  static func resolve(container: cff_color, bitstream: cff_color, _ circumstances: Circumstances) -> ColorTags {
    var said = container
    if said.primaries == unspecified { said.primaries = bitstream.primaries }
    if said.transfer == unspecified { said.transfer = bitstream.transfer }
    if said.matrix == unspecified { said.matrix = bitstream.matrix }
    said.range = max(container.range, bitstream.range)
    if said.location == 0 { said.location = bitstream.location }
    return (circumstances.isRGB ? rgb(said) : yCbCr(said, circumstances)).resolved(for: circumstances.size)
  }

  /// Whether both sides say something about the same tag and differ.
  static func disagreement(container: cff_color, bitstream: cff_color) -> String? {
    var parts: [String] = []
    func compare(_ name: String, _ left: UInt8, _ right: UInt8, silent: UInt8) {
      if left != silent, right != silent, left != right { parts.append("\(name) \(left) against \(right)") }
    }
    compare("primaries", container.primaries, bitstream.primaries, silent: unspecified)
    compare("transfer", container.transfer, bitstream.transfer, silent: unspecified)
    compare("matrix", container.matrix, bitstream.matrix, silent: unspecified)
    if container.range != 0, bitstream.range != 0, container.range != bitstream.range {
      parts.append("range \(container.range == 2 ? "full against limited" : "limited against full")")
    }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  private static let unspecified: UInt8 = 2

  private static func rgb(_ said: cff_color) -> ColorTags {
    ColorTags(
      primaries: ColorPrimaries(rawValue: codePoint(said.primaries)),
      transfer: TransferFunction(rawValue: codePoint(said.transfer)), matrix: .identity,
      range: said.range == 1 ? .limited : .full)
  }

  private static func yCbCr(_ said: cff_color, _ circumstances: Circumstances) -> ColorTags {
    let isJPEG = circumstances.codec == "mjpeg"
    var tags = ColorTags(
      primaries: ColorPrimaries(rawValue: codePoint(said.primaries)),
      transfer: TransferFunction(rawValue: codePoint(said.transfer)),
      matrix: MatrixCoefficients(rawValue: codePoint(said.matrix)),
      range: said.range == 2 || (said.range == 0 && isJPEG) ? .full : .limited,
      chromaLocation: location(said.location) ?? (isJPEG || circumstances.codec == "mpeg1video" ? .center : .left))
    guard isJPEG else { return tags }
    if tags.primaries == .unspecified { tags.primaries = .bt709 }
    if tags.transfer == .unspecified { tags.transfer = .sRGB }
    if tags.matrix == .unspecified { tags.matrix = .bt601_625 }
    return tags
  }

  /// 0 is reserved for primaries and transfer functions, and stands for R, G, B as a matrix, which these pictures are not.
  private static func codePoint(_ value: UInt8) -> UInt8 { value == 0 ? unspecified : value }

  private static func location(_ value: UInt8) -> ChromaLocation? {
    switch value {
    // Types 4 and 5 (on the bottom row) have no equivalent: the nearest is half a row away.
    case 1, 5: .left
    case 2, 6: .center
    case 3: .topLeft
    case 4: .top
    default: nil
    }
  }
}
