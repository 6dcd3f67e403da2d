import CCompositorFFmpeg
import CompositorAPI

/// Resolves the color tags of a frame from those of its container and its bitstream.
///
/// The container takes precedence tag by tag (ISO/IEC 14496-12, 12.1.5: a color box overrides the bitstream), then the
/// bitstream; `ColorTags.resolved(for:)` fills in what neither states. By default, R, G, B frames are sRGB, and motion JPEG and
/// the Y′CbCr of image files are BT.601 with sRGB's primaries and curve (JFIF, sYCC, MIAF). Range is full if either side states
/// it, because muxers (including those of well-known cameras) write "limited" when they don't know; otherwise it is limited,
/// but full for R, G, B. Chroma is left, but centered for JPEG and MPEG-1. Dolby Vision's configuration describes the base
/// layer if nothing else does.
///
/// Code points that H.273 reserves count as unspecified, as does an R, G, B matrix for subsampled Y′CbCr;
/// ``assumptions(container:bitstream:_:)`` reports them. HLG in the bitstream takes precedence over 14 (BT.2020) in the
/// container: broadcasters write 14 for old players, and HLG as the preferred curve in the alternative transfer characteristics
/// SEI message (ITU-T H.265, D.3.38).
enum ColorResolution {
  /// Circumstances other than the tags that affect the result.
  struct Circumstances {
    var size: PixelSize
    var codec: String
    var isRGB: Bool
    /// Whether the frame comes from an image file.
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

  /// The origin of each of the tags that ``resolve(container:bitstream:_:)`` returns.
  static func provenance(container: cff_color, bitstream: cff_color, _ circumstances: Circumstances) -> ColorProvenance {
    var (container, bitstream) = (meaningful(container, circumstances), meaningful(bitstream, circumstances))
    if prefersHLG(container, bitstream) { container.transfer = unspecified }
    // Dolby Vision's configuration belongs to the container.
    if !circumstances.isRGB { fill(&container, from: circumstances.dolbyVision) }
    func origin(_ key: KeyPath<cff_color, UInt8>, silent: UInt8) -> ColorProvenance.Origin {
      if container[keyPath: key] != silent { return .container }
      return bitstream[keyPath: key] != silent ? .bitstream : .assumed
    }
    // Full range takes precedence, whichever side states it.
    let range = bitstream.range > container.range ? ColorProvenance.Origin.bitstream : origin(\.range, silent: 0)
    return ColorProvenance(
      primaries: origin(\.primaries, silent: unspecified), transfer: origin(\.transfer, silent: unspecified),
      matrix: circumstances.isRGB ? .bitstream : origin(\.matrix, silent: unspecified), range: range,
      chromaLocation: origin(\.location, silent: 0))
  }

  /// The color of a Dolby Vision base layer on its own: HLG, HDR10 or BT.709. A base layer that cannot be shown on its own
  /// keeps its true matrix, IPT-C2, which no conversion here accepts.
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

  /// Whether the bitstream prefers HLG to the container's curve.
  private static func prefersHLG(_ container: cff_color, _ bitstream: cff_color) -> Bool {
    container.transfer == TransferFunction.bt2020_10.rawValue && bitstream.transfer == TransferFunction.hlg.rawValue
  }

  /// The stated tags without meaningless code points.
  private static func meaningful(_ said: cff_color, _ circumstances: Circumstances) -> cff_color {
    var said = said
    if reservedPrimaries.contains(said.primaries) { said.primaries = unspecified }
    if reservedTransfers.contains(said.transfer) { said.transfer = unspecified }
    if said.matrix == MatrixCoefficients.identity.rawValue, !circumstances.isRGB { said.matrix = unspecified }
    return said
  }

  /// Values that are assumed although the file states something: in place of meaningless code points, and of tags that are
  /// missing beside others. A file that states nothing at all is usual and not reported.
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
    // R, G, B has no matrix to report.
    if circumstances.isRGB { parts.removeLast() }
    let assumed = parts.filter { $0.origin == .assumed }
    let codes = assumed.map { part in [container, bitstream].map { $0[keyPath: part.said] }.first { $0 != unspecified } }
    let saysNothingWrong = codes.allSatisfy { $0 == nil }
    // The bitstreams of VP8 and VP9 state a matrix only.
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

  /// The tags that both sides state differently, as a description; `nil` if there are none.
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

  /// 0 is reserved for primaries and transfer functions. As a matrix it means R, G, B, which these frames are not. Code points
  /// that are not in H.273 are ours.
  private static func codePoint(_ value: UInt8) -> UInt8 { value == 0 || value >= 128 ? unspecified : value }

  private static func location(_ value: UInt8) -> ChromaLocation? {
    switch value {
    // Types 4 and 5 (on the bottom row) have no equivalent. The nearest is half a row away.
    case 1, 5: .left
    case 2, 6: .center
    case 3: .topLeft
    case 4: .top
    default: nil
    }
  }
}
