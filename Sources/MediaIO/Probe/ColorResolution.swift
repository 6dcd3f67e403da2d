import CFFmpeg
import CompositorAPI

/// Which colour tags a picture gets, from what its container and its bitstream say.
///
/// The container wins where it says something (ISO/IEC 14496-12, 12.1.5: a colour box overrides the bitstream), tag by tag; then
/// the bitstream; then the tags that were said imply the ones that were not; then defaults: BT.709 from 1280 columns or 577
/// rows on, else BT.601 with the primaries of 625 lines for 288 and 576 rows and of 525 lines for all others. Pictures in
/// R, G, B are sRGB, motion JPEG is BT.601 with sRGB's primaries and curve (JFIF). Range: limited, and full for R, G, B and for
/// decoder formats that imply it. Chroma: left, and centred for JPEG and MPEG-1.
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
    if said.range == 0 { said.range = bitstream.range }
    if said.location == 0 { said.location = bitstream.location }
    return circumstances.isRGB ? rgb(said) : fillGaps(said, circumstances)
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
    var tags = ColorTags.sRGB
    if said.primaries != unspecified, said.primaries != 0 { tags.primaries = ColorPrimaries(rawValue: said.primaries) }
    if said.transfer != unspecified, said.transfer != 0 { tags.transfer = TransferFunction(rawValue: said.transfer) }
    if said.range == 1 { tags.range = .limited }
    return tags
  }

  private static func fillGaps(_ said: cff_color, _ circumstances: Circumstances) -> ColorTags {
    var tags = defaults(circumstances)
    // 0 is reserved for primaries and transfer, and means R, G, B for a matrix, which these pictures are not.
    let primaries = ColorPrimaries(rawValue: said.primaries == 0 ? unspecified : said.primaries)
    let transfer = TransferFunction(rawValue: said.transfer == 0 ? unspecified : said.transfer)
    let matrix = MatrixCoefficients(rawValue: said.matrix == 0 ? unspecified : said.matrix)
    if let implied = implied(primaries: primaries, transfer: transfer, matrix: matrix) {
      (tags.primaries, tags.transfer, tags.matrix) = (implied.primaries, implied.transfer, implied.matrix)
    }
    if primaries != .unspecified { tags.primaries = primaries }
    if transfer != .unspecified { tags.transfer = transfer }
    if matrix != .unspecified { tags.matrix = matrix }
    if said.range != 0 { tags.range = said.range == 2 ? .full : .limited }
    if let location = location(said.location) { tags.chromaLocation = location }
    return tags
  }

  /// The family that the tags which were said belong to; nil where none was.
  private static func implied(
    primaries: ColorPrimaries, transfer: TransferFunction, matrix: MatrixCoefficients
  ) -> ColorTags? {
    if primaries == .bt2020 || matrix == .bt2020 || transfer.isHDR {
      var tags = ColorTags.bt2100PQ
      tags.transfer = .bt2020_10
      return tags
    }
    if primaries == .bt601_625 || (primaries == .unspecified && matrix == .bt601_625) { return .bt601_625 }
    if primaries == .bt601_525 || (primaries == .unspecified && matrix == .bt601_525) { return .bt601_525 }
    if primaries != .unspecified || matrix != .unspecified { return .bt709 }
    return nil
  }

  private static func defaults(_ circumstances: Circumstances) -> ColorTags {
    var tags: ColorTags
    switch circumstances.codec {
    case "mjpeg":
      tags = ColorTags(primaries: .bt709, transfer: .sRGB, matrix: .bt601_625, range: .full)
    case _ where circumstances.size.width >= 1280 || circumstances.size.height > 576: tags = .bt709
    case _ where circumstances.size.height == 576 || circumstances.size.height == 288: tags = .bt601_625
    default: tags = .bt601_525
    }
    if ["mjpeg", "mpeg1video"].contains(circumstances.codec) { tags.chromaLocation = .center }
    return tags
  }

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
