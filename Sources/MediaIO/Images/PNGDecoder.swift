import CCompositorPNG
import CompositorAPI

/// Decodes PNG: gray, palette and RGB of 1 to 16 bits into `rgba` or `rgba16`, with straight alpha.
///
/// Color follows PNG (third edition) 4.3, with mastering display (mDCV) and light levels (cLLI): cICP, else iCCP, else sRGB,
/// else cHRM and gAMA, else sRGB. For profiles, and for chromaticities and exponents without equivalent tags, see
/// ``StillProfile``.
enum PNGDecoder {
  static func decode(
    _ bytes: [UInt8], usesProfile: Bool = true, orientation: ExifOrientation = .upright
  ) throws(CompositorError) -> StillImage {
    let (frame, profile) = try bytes.withUnsafeBufferPointer { buffer in
      Result { () throws(CompositorError) in try decode(buffer, usesProfile: usesProfile) }
    }.get()
    return StillImage(
      codec: "png", frame: frame, preferredTransform: orientation.transform(size: frame.displaySize), profile: profile)
  }

  private static func decode(
    _ bytes: UnsafeBufferPointer<UInt8>, usesProfile: Bool
  ) throws(CompositorError) -> (Frame, StillProfile) {
    var reader: OpaquePointer?
    var info = cpng_info()
    var message = [CChar](repeating: 0, count: 128)
    let status = cpng_open(
      bytes.baseAddress, bytes.count, Int64(MediaLimits.maximumPixelCount), &reader, &info, &message)
    defer { cpng_close(reader) }
    try check(status, message)
    let profile = usesProfile ? profile(info) : StillProfile()
    var frame = MutableFrame(
      format: info.bit_depth == 16 ? .rgba16 : .rgba, size: PixelSize(width: Int(info.width), height: Int(info.height)),
      attributes: FrameAttributes(
        color: color(info), alphaMode: info.has_alpha ? .straight : .opaque, hdr: metadata(info)))
    let read = frame.withUnsafeMutablePlanes { planes in
      cpng_read(reader, planes[0].base.assumingMemoryBound(to: UInt8.self), planes[0].stride, &message)
    }
    try check(read, message)
    return (try profile.apply(to: frame.freeze()), profile)
  }

  private static func check(_ status: cpng_status, _ message: [CChar]) throws(CompositorError) {
    let cause = String(decoding: message.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    switch status {
    case CPNG_OK: return
    case CPNG_TOO_LARGE:
      throw CompositorError(
        .frameTooLarge, "The PNG is larger than \(MediaLimits.maximumPixelCount) pixels.",
        recoverySuggestion: "Reduce the image before using it.", cause: cause)
    case CPNG_NO_MEMORY: throw CompositorError(.resourceExhausted, "There is no memory for the PNG.")
    default:
      throw CompositorError(
        .unreadableMedia, "The PNG is damaged.", recoverySuggestion: "Check that the file was copied whole.", cause: cause)
    }
  }

  // MARK: color

  private static func color(_ info: cpng_info) -> ColorTags {
    var tags = ColorTags.sRGB
    if info.has_code_points {
      // 2 means "unspecified". The matrix must be 0 in a PNG and is taken as 0.
      // Code points from 128 on are not in H.273; they are ours.
      if 1..<128 ~= info.primaries, info.primaries != 2 { tags.primaries = ColorPrimaries(rawValue: info.primaries) }
      if 1..<128 ~= info.transfer, info.transfer != 2 { tags.transfer = TransferFunction(rawValue: info.transfer) }
      tags.range = info.is_full_range ? .full : .limited
      return tags
    }
    return tags
  }

  /// The color stated by chunks other than cICP.
  private static func profile(_ info: cpng_info) -> StillProfile {
    if info.has_code_points { return StillProfile() }
    if let bytes = info.profile {
      return StillProfile(
        embedded: UnsafeBufferPointer(start: bytes, count: info.profile_size), in: info.is_gray ? .gray : .rgb)
    }
    let fault = withUnsafeBytes(of: info.profile_fault) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    if fault.hasPrefix("iCCP") { return StillProfile(refused: fault) }
    guard !info.has_srgb else { return StillProfile() }
    guard info.has_gamma || info.has_chromaticities else {
      return fault.isEmpty ? StillProfile() : StillProfile(refused: fault, of: "The PNG's color information")
    }
    let c = info.chromaticities
    let sRGB = [0.3127, 0.329, 0.64, 0.33, 0.3, 0.6, 0.15, 0.06]
    let points = info.has_chromaticities ? [c.0, c.1, c.2, c.3, c.4, c.5, c.6, c.7] : sRGB
    let known = primaries(points)
    // Writers of PNG state 1/2.2 for the sRGB curve.
    if let transfer = info.has_gamma ? transfer(info.gamma) : .sRGB, let known { return StillProfile(tags: known, transfer) }
    return StillProfile(chromaticities: points, gamma: info.has_gamma ? 100_000 / Double(info.gamma) : nil)
  }

  private static func metadata(_ info: cpng_info) -> HDRMetadata? {
    var metadata = HDRMetadata()
    let d = info.display
    let display = MasteringDisplay(
      red: Chromaticity(x: d.0, y: d.1), green: Chromaticity(x: d.2, y: d.3), blue: Chromaticity(x: d.4, y: d.5),
      white: Chromaticity(x: d.6, y: d.7), maximumLuminance: d.8, minimumLuminance: d.9)
    if info.has_display, display.isPlausible { metadata.masteringDisplay = display }
    if info.has_light {
      metadata.contentLightLevel = ContentLightLevel(
        maximumContentLightLevel: Int(info.maximum_content.rounded()),
        maximumFrameAverageLightLevel: Int(info.maximum_average.rounded()))
    }
    return metadata == HDRMetadata() ? nil : metadata
  }

  /// The known curve with this exponent (times 100000), within 1 %.
  private static func transfer(_ gamma: Int32) -> TransferFunction? {
    let known: [(Int32, TransferFunction)] = [(45_455, .sRGB)]
    return known.first { abs($0.0 - gamma) * 100 <= $0.0 }?.1
  }

  /// The known primaries with these chromaticities, within 0.005.
  private static func primaries(_ found: [Double]) -> ColorPrimaries? {
    let known: [(ColorPrimaries, [Double])] = [
      (.bt709, [0.3127, 0.329, 0.64, 0.33, 0.3, 0.6, 0.15, 0.06]),
      (.displayP3, [0.3127, 0.329, 0.68, 0.32, 0.265, 0.69, 0.15, 0.06]),
      (.bt2020, [0.3127, 0.329, 0.708, 0.292, 0.17, 0.797, 0.131, 0.046]),
    ]
    return known.first { zip($0.1, found).allSatisfy { abs($0 - $1) <= 0.005 } }?.0
  }
}
