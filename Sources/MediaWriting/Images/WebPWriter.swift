import CCompositorFFmpeg
import CompositorAPI
import CompositorMediaIO

/// Encodes frames as WebP (RFC 9649) with libavcodec's libwebp encoder, and adds an ICC profile if the color is not sRGB.
enum WebPWriter {
  /// The effort of lossless compression, 0 … 100.
  private static let losslessEffort = 75.0

  /// Encodes a frame that ``ImageFileWriter/validate(_:_:_:as:path:)`` has accepted.
  static func encode(_ frame: Frame, settings: ImageFileSettings, path: String) throws(CompositorError) -> [UInt8] {
    let profile = try ImageProfile.bytes(for: frame.attributes.color, path: path)
    let quality = settings.isLossless ? losslessEffort : Double(settings.quality ?? ImageFileSettings.defaultQuality)
    var (encoded, count) = (UnsafeMutablePointer<UInt8>?.none, 0)
    var failure = cff_failure()
    let status = frame.withUnsafePlanes { planes in
      cff_webp_encode(
        planes[0].base.assumingMemoryBound(to: UInt8.self), planes[0].stride, Int32(frame.size.width), Int32(frame.size.height),
        settings.isLossless, quality, &encoded, &count, &failure)
    }
    defer { cff_webp_free(encoded) }
    guard status == CFF_OK, let encoded else {
      guard status != CFF_NO_ENCODER else {
        throw CompositorError(
          .encoderNotFound, "There is no encoder for WebP on this machine.",
          recoverySuggestion: "Install FFmpeg's libraries with libwebp, or write .png.", at: ErrorLocation(file: path))
      }
      throw CompositorError(
        status == CFF_NO_RESOURCE ? .resourceExhausted : .encodeFailed, "The WebP could not be encoded.",
        cause: String(cString: cff_failure_message(&failure)), at: ErrorLocation(file: path))
    }
    let bytes = Array(UnsafeBufferPointer(start: encoded, count: count))
    return profile.isEmpty
      ? bytes : adding(profile, to: bytes, size: frame.size, hasAlpha: frame.attributes.alphaMode == .straight)
  }

  private static let header = 12
  private static let profileFlag: UInt8 = 0x20
  private static let alphaFlag: UInt8 = 0x10

  /// The same file with a profile, inserted with an extended header (RFC 9649, 2.7).
  private static func adding(_ profile: [UInt8], to file: [UInt8], size: PixelSize, hasAlpha: Bool) -> [UInt8] {
    var flags = profileFlag | (hasAlpha ? alphaFlag : 0)
    var rest = file[header...]
    if rest.starts(with: Array("VP8X".utf8)), rest.count > 18 {
      flags |= rest[rest.startIndex + 8]
      rest = rest.dropFirst(18)
    }
    let extended = [flags, 0, 0, 0] + littleEndian(size.width - 1, byteCount: 3) + littleEndian(size.height - 1, byteCount: 3)
    let chunks = chunk("VP8X", extended) + chunk("ICCP", profile) + rest
    return Array("RIFF".utf8) + littleEndian(chunks.count + 4, byteCount: 4) + Array("WEBP".utf8) + chunks
  }

  private static func chunk(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
    let padding: [UInt8] = bytes.count.isMultiple(of: 2) ? [] : [0]
    return Array(name.utf8) + littleEndian(bytes.count, byteCount: 4) + bytes + padding
  }

  private static func littleEndian(_ number: Int, byteCount: Int) -> [UInt8] {
    (0..<byteCount).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }
}
