import CCompositorFFmpeg
import CompositorAPI

/// Which color tags a picture gets, from what its container and its bitstream say.
///
/// The container wins where it says something (ISO/IEC 14496-12, 12.1.5: a color box overrides the bitstream), tag by tag; then
/// the bitstream; what neither says is filled by `ColorTags.resolved(for:)`. R, G, B pictures are sRGB where nothing is said,
/// motion JPEG and the Y′CbCr of image files are BT.601 with sRGB's primaries and curve (JFIF, sYCC, MIAF). Range is full where either side says so, because muxers write
/// "limited" for want of knowledge (cameras of the best-known make among them); else limited, but full for R, G, B. Chroma: left,
/// but centered for JPEG and MPEG-1. Dolby Vision's configuration says what the base layer is, where nothing else does.
///
/// Code points that H.273 reserves count as not said, and so does a matrix of R, G, B for subsampled Y′CbCr; ``assumptions(container:bitstream:_:)``
/// tells of them. HLG in the pictures wins over 14 (BT.2020) in the container: broadcasters write 14 where old players look, and HLG into
/// the alternative transfer characteristics SEI message (ITU-T H.265, D.3.38), which is the preferred curve.
enum ColorResolution {
  /// What decides beside the tags.
  struct Circumstances {
    var size: PixelSize
    var codec: String
    var isRGB: Bool
    /// Whether the picture comes from an image file.
    var isImage = false
    var dolbyVision = cff_dolby_vision()
  }

  static func resolve(container: cff_color, bitstream: cff_color, _ circumstances: Circumstances) -> ColorTags {
    let (container, bitstream) = (meaningful(container, circumstances), meaningful(bitstream, circumstances))
    var said = container
    if said.primaries == unspecified { said.primaries = bitstream.primaries }
    if said.transfer == unspecified || prefersHLG(container, bitstream) { said.transfer = bitstream.transfer }
    if said.matrix == unspecified { said.matrix = bitstream.matrix }
    fill(&said, from: circumstances.dolbyVision)
    said.range = max(container.range, bitstream.range)
    if said.location == 0 { said.location = bitstream.location }
    return (circumstances.isRGB ? rgb(said) : yCbCr(said, circumstances)).resolved(for: circumstances.size)
  }

  /// Who said each of the tags that ``resolve(container:bitstream:_:)`` gives.
  static func provenance(container: cff_color, bitstream: cff_color, _ circumstances: Circumstances) -> ColorProvenance {
    var (container, bitstream) = (meaningful(container, circumstances), meaningful(bitstream, circumstances))
    if prefersHLG(container, bitstream) { container.transfer = unspecified }
    // Dolby Vision's configuration is the container's.
    if !circumstances.isRGB { fill(&container, from: circumstances.dolbyVision) }
    func origin(_ key: KeyPath<cff_color, UInt8>, silent: UInt8) -> ColorProvenance.Origin {
      if container[keyPath: key] != silent { return .container }
      return bitstream[keyPath: key] != silent ? .bitstream : .assumed
    }
    // Full range counts whoever says it.
    let range = bitstream.range > container.range ? ColorProvenance.Origin.bitstream : origin(\.range, silent: 0)
    return ColorProvenance(
      primaries: origin(\.primaries, silent: unspecified), transfer: origin(\.transfer, silent: unspecified),
      matrix: circumstances.isRGB ? .bitstream : origin(\.matrix, silent: unspecified), range: range,
      chromaLocation: origin(\.location, silent: 0))
  }

  /// What a Dolby Vision base layer is by itself: HLG, HDR10 or BT.709. One that is nothing by itself keeps its true matrix,
  /// IPT-C2, which no conversion here takes.
  private static func fill(_ said: inout cff_color, from dolbyVision: cff_dolby_vision) {
    guard dolbyVision.is_present else { return }
    if DynamicMetadata(dolbyVision).hasNoBaseLayer {
      said.matrix = iptC2
      return
    }
    let base: (primaries: UInt8, transfer: UInt8, matrix: UInt8)
    switch dolbyVision.base_compatibility {
    case 1, 6: base = (9, 16, 9)
    case 2: base = (1, 1, 1)
    case 4: base = (9, 18, 9)
    default: return
    }
    if said.primaries == unspecified { said.primaries = base.primaries }
    if said.transfer == unspecified { said.transfer = base.transfer }
    if said.matrix == unspecified { said.matrix = base.matrix }
  }

  /// Whether the pictures name HLG as the curve to prefer over the container's.
  private static func prefersHLG(_ container: cff_color, _ bitstream: cff_color) -> Bool {
    container.transfer == TransferFunction.bt2020_10.rawValue && bitstream.transfer == TransferFunction.hlg.rawValue
  }

  /// What is said, without code points that mean nothing.
  private static func meaningful(_ said: cff_color, _ circumstances: Circumstances) -> cff_color {
    var said = said
    if reservedPrimaries.contains(said.primaries) { said.primaries = unspecified }
    if reservedTransfers.contains(said.transfer) { said.transfer = unspecified }
    if said.matrix == MatrixCoefficients.identity.rawValue, !circumstances.isRGB { said.matrix = unspecified }
    return said
  }

  /// What was assumed although the file says something: code points that mean nothing, and parts that a file leaves out which states
  /// others. A file that says nothing at all is of the usual kind, and is not spoken of.
  static func assumptions(
    container: cff_color, bitstream: cff_color, _ circumstances: Circumstances, as tags: ColorTags
  ) -> String? {
    guard !circumstances.isImage, circumstances.codec != "mjpeg" else { return nil }
    let found = provenance(container: container, bitstream: bitstream, circumstances)
    var parts: [(origin: ColorProvenance.Origin, said: KeyPath<cff_color, UInt8>, name: String, taken: String)] = [
      (found.primaries, \.primaries, "primaries", tags.primaries.name),
      (found.transfer, \.transfer, "transfer", tags.transfer.name),
      (found.matrix, \.matrix, "matrix", tags.matrix.name),
    ]
    // R, G, B has no matrix to speak of.
    if circumstances.isRGB { parts.removeLast() }
    let assumed = parts.filter { $0.origin == .assumed }
    let codes = assumed.map { part in [container, bitstream].map { $0[keyPath: part.said] }.first { $0 != unspecified } }
    let saysNothingWrong = codes.allSatisfy { $0 == nil }
    // The bitstreams of VP8 and VP9 have a matrix only.
    let isUsual = ["vp8", "vp9"].contains(circumstances.codec) && found.matrix != .assumed
    guard !saysNothingWrong || (assumed.count < parts.count && !isUsual) else { return nil }
    let texts = zip(assumed, codes).map { part, code in
      "\(code.map { "\(part.name) \($0), which means nothing here" } ?? "no known \(part.name)") (\(part.taken) is assumed)"
    }
    return texts.isEmpty ? nil : texts.joined(separator: ", ")
  }

  /// H.273 (2024), tables 2 and 3.
  private static let reservedPrimaries: Set<UInt8> = Set([0, 3] + Array(13...21) + Array(23...255))
  private static let reservedTransfers: Set<UInt8> = Set([0, 3] + Array(19...255))

  /// Whether both sides say something about the same tag and differ.
  static func disagreement(container: cff_color, bitstream: cff_color) -> String? {
    var container = container
    if prefersHLG(container, bitstream) { container.transfer = unspecified }
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
  /// H.273 (2024), table 4.
  private static let iptC2: UInt8 = 15

  private static func rgb(_ said: cff_color) -> ColorTags {
    ColorTags(
      primaries: ColorPrimaries(rawValue: codePoint(said.primaries)),
      transfer: TransferFunction(rawValue: codePoint(said.transfer)), matrix: .identity,
      range: said.range == 1 ? .limited : .full)
  }

  private static func yCbCr(_ said: cff_color, _ circumstances: Circumstances) -> ColorTags {
    let isJPEG = circumstances.codec == "mjpeg" || circumstances.isImage
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

  /// 0 is reserved for primaries and transfer functions, and stands for R, G, B as a matrix, which these pictures are not. What
  /// is not H.273's is ours.
  private static func codePoint(_ value: UInt8) -> UInt8 { value == 0 || value >= 128 ? unspecified : value }

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
