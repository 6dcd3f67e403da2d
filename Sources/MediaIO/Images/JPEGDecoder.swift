import CCompositorJPEG
import CompositorAPI

/// Decodes JPEG: Y′CbCr components stay as they are coded, planar and full range; gray gets neutral chroma.
///
/// 4:2:0, 4:2:2 and 4:4:4 are handed on untouched, other samplings become 4:4:4, R, G, B becomes `rgba`. Color is JFIF's: the
/// BT.601 matrix with sRGB's primaries and curve, or those of an ICC profile of a known space, chroma centered. Four-ink pictures are refused.
enum JPEGDecoder {
  static func decode(_ bytes: [UInt8]) throws(CompositorError) -> StillImage {
    let result = bytes.withUnsafeBufferPointer { buffer in
      Result { () throws(CompositorError) in try decode(buffer) }
    }
    var frame = try result.get()
    _ = ICCProfile(fromJPEG: bytes)?.describe(&frame.attributes.color)
    let orientation = ExifOrientation.read(fromJPEG: bytes) ?? .upright
    return StillImage(codec: "jpeg", frame: frame, preferredTransform: orientation.transform(size: frame.displaySize))
  }

  private static func decode(_ bytes: UnsafeBufferPointer<UInt8>) throws(CompositorError) -> Frame {
    var reader: OpaquePointer?
    var info = cjpeg_info()
    var message = [CChar](repeating: 0, count: 256)
    let status = cjpeg_open(
      bytes.baseAddress, bytes.count, Int64(MediaLimits.maximumPixelCount), &reader, &info, &message)
    defer { cjpeg_close(reader) }
    try check(status, message)
    let color =
      info.layout == CJPEG_RGBA
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
    return frame.freeze()
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
        .truncatedMedia, "The JPEG ends before its picture does.", recoverySuggestion: "Fetch the file again.", cause: cause)
    case CJPEG_TOO_LARGE:
      throw CompositorError(
        .pictureTooLarge, "The JPEG is larger than \(MediaLimits.maximumPixelCount) pixels.",
        recoverySuggestion: "Reduce the picture before using it.", cause: cause)
    case CJPEG_UNUSUAL:
      throw CompositorError(
        .conversionNotPossible, "The JPEG is coded in a way that is not read.",
        recoverySuggestion: "Convert it to R, G, B with 8 bits.",
        cause: cause)
    case CJPEG_NO_MEMORY: throw CompositorError(.resourceExhausted, "There is no memory for the JPEG.")
    default:
      throw CompositorError(
        .unreadableMedia, "The JPEG is damaged.", recoverySuggestion: "Check that the file was copied whole.", cause: cause)
    }
  }
}

/// The segments of a JPEG that carry what applications add, before its picture.
enum JPEGSegments {
  /// The contents of all segments of a marker whose contents begin with a name, without the name, in the order of the file. A
  /// damaged segment ends the list.
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
