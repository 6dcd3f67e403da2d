import CCompositorFFmpeg
import CompositorAPI

/// Decodes images in memory with libavcodec's decoders.
enum ImageDecoder {
  /// Decodes the first image of an image file or of a coded picture.
  ///
  /// - Parameters:
  ///   - codec: libavcodec's name of the codec.
  ///   - title: The format's name for people.
  ///   - containerColor: The container's color tags, which take precedence over the image's own.
  ///   - rgbaDepth: 8 or 16 to convert any image to `rgba` or `rgba16`; 0 for components as they are coded.
  /// - Returns: The image, and the ICC profile that the decoder found in its file.
  /// - Throws: `.decoderNotFound`, `.unreadableMedia`, `.frameTooLarge`, `.conversionNotPossible`, `.resourceExhausted`.
  static func frame(
    _ bytes: [UInt8], codec: String, title: String, containerColor: cff_color = .unsaid, rgbaDepth: Int = 0
  ) throws(CompositorError) -> (frame: Frame, profile: [UInt8]?) {
    var (picture, failure) = (cff_picture(), cff_failure())
    let status = codec.withCString { name in
      var options = cff_image_options(
        codec: name, maximum_pixels: Int64(MediaLimits.maximumPixelCount), rgba_depth: Int32(rgbaDepth),
        container_color: containerColor)
      return bytes.withUnsafeBufferPointer { cff_image_decode($0.baseAddress, $0.count, &options, &picture, &failure) }
    }
    guard status == CFF_OK else { throw error(failure, title) }
    var stream = cff_stream()
    stream.container_color = containerColor
    var wrapping = PictureWrapping(stream: stream, codec: codec, isImage: true)
    var count = 0
    let profile = cff_picture_profile(&picture, &count).map { Array(UnsafeBufferPointer(start: $0, count: count)) }
    return (try wrapping.frame(picture), profile)
  }

  /// Decodes an image and converts it with its profile: the file's, else the one that the decoder finds.
  ///
  /// - Parameters:
  ///   - profile: The profile found in the file; `nil` if there is none.
  ///   - prepare: Processes the decoded image before a profile is applied, for example to join it with its alpha.
  static func still(
    _ bytes: [UInt8], codec: String, title: String, containerColor: cff_color, profile: StillProfile?, usesProfile: Bool,
    prepare: (Frame) throws(CompositorError) -> Frame
  ) throws(CompositorError) -> (frame: Frame, profile: StillProfile) {
    let decoded = try frame(bytes, codec: codec, title: title, containerColor: containerColor)
    guard usesProfile, let profile = profile ?? decoded.profile.map({ StillProfile(embedded: $0, in: nil) }) else {
      return (try prepare(decoded.frame), StillProfile())
    }
    guard profile.converts, !decoded.frame.format.isRGB else {
      return (try profile.apply(to: try prepare(decoded.frame)), profile)
    }
    let depth = decoded.frame.format.bitDepth > 8 ? 16 : 8
    let packed = try frame(bytes, codec: codec, title: title, containerColor: containerColor, rgbaDepth: depth).frame
    return (try profile.apply(to: try prepare(packed)), profile)
  }

  private static func error(_ failure: cff_failure, _ title: String) -> CompositorError {
    switch failure.status {
    case CFF_NO_DECODER:
      CompositorError(
        .decoderNotFound, "The installed libavcodec cannot decode \(title).",
        recoverySuggestion: "Install FFmpeg's libraries with this decoder, or convert the image to PNG.",
        cause: failure.sentence)
    case CFF_UNREADABLE:
      CompositorError(
        .unreadableMedia, "The \(title) is damaged, or libavcodec does not support its variant.",
        recoverySuggestion: "Check that the file was copied whole, or convert the image to PNG.", cause: failure.sentence)
    default: failure.readingError("The \(title) cannot be decoded", at: ErrorLocation())
    }
  }
}

extension cff_color {
  /// Primaries and curve of sRGB, assumed for TIFF. libavcodec tags gray TIFF with a guess.
  static let sRGB = cff_color(primaries: 1, transfer: 13, matrix: 2, range: 0, location: 0)
  /// All parts unspecified.
  static let unsaid = cff_color(primaries: 2, transfer: 2, matrix: 2, range: 0, location: 0)
}

/// Numbers and strings at offsets from the first byte; `nil` past the end.
extension RandomAccessCollection where Element == UInt8, Index == Int {
  /// `count` bytes from `offset` on.
  func part(at offset: Int, byteCount count: Int) -> SubSequence? {
    guard offset >= 0, count >= 0, offset <= self.count, count <= self.count - offset else { return nil }
    return self[(startIndex + offset)..<(startIndex + offset + count)]
  }

  /// A big-endian number of at most 7 bytes.
  func bigEndian(at offset: Int, byteCount count: Int) -> Int? {
    guard count < 8 || self.part(at: offset, byteCount: 1)?.first == 0 else { return nil }
    return part(at: offset, byteCount: count)?.reduce(0) { $0 << 8 | Int($1) }
  }

  /// A little-endian number of at most 7 bytes.
  func littleEndian(at offset: Int, byteCount count: Int) -> Int? {
    guard count < 8 else { return nil }
    return part(at: offset, byteCount: count)?.reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  func text(at offset: Int, byteCount count: Int) -> String? {
    part(at: offset, byteCount: count).map { String(decoding: $0, as: UTF8.self) }
  }
}
