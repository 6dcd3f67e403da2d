import CCompositorJPEG
package import CompositorAPI
import CompositorMediaIO
import CompositorPlatform

/// Encodes frames as JPEG (ITU-T T.81) in JFIF: Y, Cb, Cr of BT.601 in full range, an ICC profile if the color is not sRGB.
package enum JPEGWriter {
  /// The quality from which chroma is not subsampled.
  private static let fullChromaQuality = 90

  /// Encodes a frame that ``ImageFileWriter/validate(_:_:_:as:path:)`` has accepted.
  package static func encode(_ frame: Frame, settings: ImageFileSettings, path: String) throws(CompositorError) -> [UInt8] {
    let quality = settings.quality ?? ImageFileSettings.defaultQuality
    let profile = try ImageProfile.bytes(for: frame.attributes.color, path: path)
    let density = density(of: frame.attributes.pixelAspectRatio.reduced)
    var (encoded, count) = (UnsafeMutablePointer<UInt8>?.none, 0)
    var message = [CChar](repeating: 0, count: 256)
    let status = frame.withUnsafePlanes { planes in
      profile.withUnsafeBufferPointer { profile in
        var picture = cjpeg_picture(
          base: planes[0].base.assumingMemoryBound(to: UInt8.self), stride: planes[0].stride,
          width: UInt32(frame.size.width), height: UInt32(frame.size.height), is_bgra: frame.format == .bgra,
          x_density: density.x, y_density: density.y, quality: Int32(quality), is_420: quality < fullChromaQuality,
          profile: profile.isEmpty ? nil : profile.baseAddress, profile_size: profile.count)
        return cjpeg_write(&picture, &encoded, &count, &message)
      }
    }
    return try bytes(status, encoded, count, message, path: path)
  }

  /// Copies the encoder's bytes and frees them.
  static func bytes(
    _ status: cjpeg_status, _ encoded: UnsafeMutablePointer<UInt8>?, _ count: Int, _ message: [CChar], path: String
  ) throws(CompositorError) -> [UInt8] {
    defer { cjpeg_free(encoded) }
    guard status == CJPEG_OK, let encoded else {
      let text = String(decoding: message.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      throw CompositorError(
        status == CJPEG_NO_MEMORY ? .resourceExhausted : .encodeFailed, "The JPEG could not be encoded.", cause: text,
        at: ErrorLocation(file: path))
    }
    return Array(UnsafeBufferPointer(start: encoded, count: count))
  }

  /// Pixels per unit across and down. Wide pixels are fewer across.
  private static func density(of aspect: Rational) -> (x: UInt16, y: UInt16) {
    guard let x = UInt16(exactly: aspect.denominator), let y = UInt16(exactly: aspect.numerator), x > 0, y > 0 else {
      return (1, 1)
    }
    return (x, y)
  }
}

/// ICC profiles of written images.
enum ImageProfile {
  /// The profile of a color; empty for sRGB, the color of files without a profile.
  static func bytes(for color: ColorTags, path: String) throws(CompositorError) -> [UInt8] {
    guard color.primaries != .bt709 || color.transfer != .sRGB else { return [] }
    if let bytes = ImageProfileBytes.make(color) { return bytes }
    throw CompositorError(
      .unsupportedOutput, "An image cannot state \(color.shortName) by an ICC profile.",
      recoverySuggestion: "Write .png, or render in sRGB or Display P3.", at: ErrorLocation(file: path))
  }
}

/// Writes files whose bytes are in memory.
enum FileBytes {
  /// Creates a file or replaces its contents. The file is durable when this method returns and removed on failure.
  static func create(_ bytes: [UInt8], to path: String) throws(CompositorError) -> Int64 {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw WriteFailure(errno: errno).writing(path) }
    var number = put(bytes, descriptor)
    // Some files cannot be made durable, which EINVAL tells.
    if number == 0, fsync(descriptor) != 0, errno != EINVAL { number = errno }
    if close(descriptor) != 0, number == 0 { number = errno }
    guard number == 0 else {
      unlink(path)
      throw WriteFailure(errno: number).writing(path)
    }
    return Int64(bytes.count)
  }

  /// Writes all bytes. Returns errno, or 0 on success.
  private static func put(_ bytes: [UInt8], _ descriptor: Int32) -> Int32 {
    bytes.withUnsafeBytes { buffer in
      var written = 0
      while written < buffer.count {
        guard let base = buffer.baseAddress else { return 0 }
        let count = write(descriptor, base + written, buffer.count - written)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return count < 0 ? errno : EIO }
        written += count
      }
      return 0
    }
  }
}
