import CCompositorJPEG
import CompositorAPI

/// Decodes JPEG. Y′CbCr components stay as coded, planar and full range; gray gets neutral chroma.
///
/// 4:2:0, 4:2:2 and 4:4:4 are passed on unchanged. Other samplings become 4:4:4, and R, G, B becomes `rgba`. Color follows
/// JFIF: the BT.601 matrix with sRGB's primaries and curve, or with those of an ICC profile that is equivalent to tags, and
/// centered chroma. With any other profile the image is converted (``StillProfile``) from libjpeg's R, G, B. C, M, Y, K needs a
/// profile: without one, the colors of its inks are unknown.
enum JPEGDecoder {
  static func decode(_ bytes: [UInt8], usesProfile: Bool = true) throws(CompositorError) -> StillImage {
    let (picture, profile) = try bytes.withUnsafeBufferPointer { buffer in
      Result { () throws(CompositorError) in
        let components = try components(buffer)
        let profile = usesProfile || components == .cmyk ? embeddedProfile(bytes, components) : StillProfile()
        guard components != .cmyk || profile.converts else { throw unknownInks(profile) }
        let coded = try decode(buffer, asRGBA: profile.converts)
        return (try profile.apply(to: coded.frame, isInverted: coded.isInverted), profile)
      }
    }.get()
    let orientation = ExifOrientation.read(fromJPEG: bytes) ?? .upright
    return StillImage(
      codec: "jpeg", frame: picture, preferredTransform: orientation.transform(size: picture.displaySize), profile: profile)
  }

  /// The profile in numbered APP2 segments (ICC.1:2022, B.4).
  private static func embeddedProfile(_ bytes: [UInt8], _ components: ICCProfile.Space) -> StillProfile {
    let parts = JPEGSegments.contents(of: 0xe2, "ICC_PROFILE\0", in: bytes).filter { $0.count > 2 }
      .sorted { $0[$0.startIndex] < $1[$1.startIndex] }
    guard let first = parts.first else { return StillProfile() }
    guard Int(first[first.startIndex + 1]) == parts.count else {
      return StillProfile(refused: "the file has \(parts.count) of its \(first[first.startIndex + 1]) parts")
    }
    return StillProfile(embedded: parts.flatMap { $0.dropFirst(2) }, in: components)
  }

  private static func unknownInks(_ profile: StillProfile) -> CompositorError {
    ICCProfile.unknownInks(of: "JPEG", cause: profile.warnings.first?.message)
  }

  private static func components(_ bytes: UnsafeBufferPointer<UInt8>) throws(CompositorError) -> ICCProfile.Space {
    var reader: OpaquePointer?
    var info = cjpeg_info()
    var message = [CChar](repeating: 0, count: 256)
    let status = cjpeg_open(
      bytes.baseAddress, bytes.count, Int64(MediaLimits.maximumPixelCount), false, &reader, &info, &message)
    cjpeg_close(reader)
    try check(status, message)
    return info.layout == CJPEG_CMYK ? .cmyk : info.is_gray ? .gray : .rgb
  }

  private static func decode(
    _ bytes: UnsafeBufferPointer<UInt8>, asRGBA: Bool
  ) throws(CompositorError) -> (frame: Frame, isInverted: Bool) {
    var reader: OpaquePointer?
    var info = cjpeg_info()
    var message = [CChar](repeating: 0, count: 256)
    let status = cjpeg_open(
      bytes.baseAddress, bytes.count, Int64(MediaLimits.maximumPixelCount), asRGBA, &reader, &info, &message)
    defer { cjpeg_close(reader) }
    try check(status, message)
    let color =
      info.layout == CJPEG_RGBA || info.layout == CJPEG_CMYK
      ? ColorTags.sRGB
      : ColorTags(primaries: .bt709, transfer: .sRGB, matrix: .bt601_625, range: .full, chromaLocation: .center)
    var frame = MutableFrame(
      format: format(info.layout), size: PixelSize(width: Int(info.width), height: Int(info.height)),
      attributes: FrameAttributes(color: color))
    let read = frame.withUnsafeMutablePlanes { planes in
      let targets = (0..<planes.count).map { Optional(planes[$0].base.assumingMemoryBound(to: UInt8.self)) }
      let strides = (0..<planes.count).map { planes[$0].stride }
      let missing = 3 - targets.count
      return cjpeg_read(
        reader, targets + [UnsafeMutablePointer<UInt8>?](repeating: nil, count: missing),
        strides + [Int](repeating: 0, count: missing), &message)
    }
    try check(read, message)
    return (frame.freeze(), info.is_inverted)
  }

  private static func format(_ layout: cjpeg_layout) -> PixelFormat {
    switch layout {
    case CJPEG_420: .yuv420p
    case CJPEG_422: .yuv422p
    case CJPEG_444: .yuv444p
    default: .rgba
    }
  }

  private static func check(_ status: cjpeg_status, _ message: [CChar]) throws(CompositorError) {
    let cause = String(decoding: message.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    switch status {
    case CJPEG_OK: return
    case CJPEG_TRUNCATED:
      throw CompositorError(
        .truncatedMedia, "The JPEG ends before its image does.",
        recoverySuggestion: "\(DamageAdvice.fetchAgain).", cause: cause)
    case CJPEG_TOO_LARGE:
      throw CompositorError(
        .frameTooLarge, "The JPEG is larger than \(MediaLimits.maximumPixelCount) pixels.",
        recoverySuggestion: "Reduce the image before using it.", cause: cause)
    case CJPEG_UNUSUAL:
      throw CompositorError(
        .conversionNotPossible, "The JPEG's encoding is not supported.",
        recoverySuggestion: "Convert it to R, G, B with 8 bits.",
        cause: cause)
    case CJPEG_NO_MEMORY: throw CompositorError(.resourceExhausted, "There is no memory for the JPEG.")
    default:
      throw CompositorError(
        .unreadableMedia, "The JPEG is damaged.", recoverySuggestion: "Check that the file was copied whole.", cause: cause)
    }
  }
}

/// The application segments of a JPEG before its image data.
enum JPEGSegments {
  /// The contents of all segments of a marker that begin with a name, without the name, in file order. A damaged segment ends
  /// the list.
  static func contents(of marker: UInt8, _ name: String, in bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var found: [ArraySlice<UInt8>] = []
    var position = 2
    while position + 4 <= bytes.count, bytes[position] == 0xff {
      let length = Int(bytes[position + 2]) << 8 | Int(bytes[position + 3])
      // Start of scan or end of image: no more segments of this kind.
      guard ![0xda, 0xd9].contains(bytes[position + 1]), length >= 2, position + 2 + length <= bytes.count else { break }
      let segment = bytes[(position + 4)..<(position + 2 + length)]
      if bytes[position + 1] == marker, segment.starts(with: name.utf8) { found.append(segment.dropFirst(name.utf8.count)) }
      position += 2 + length
    }
    return found
  }
}
