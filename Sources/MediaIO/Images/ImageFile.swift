import CCompositorFFmpeg
import CompositorAPI

/// The contents of an image file: one image, or several with their times. A GIF, AVIF or similar file with one image is a
/// still.
enum ImageFile {
  case still(StillImage)
  /// An animated image that libavformat reads as a movie, and how often it is played if the header states it: 0 for endlessly.
  case movie(playCount: Int?)
  /// An animated WebP, which libavformat cannot read.
  case animation(WebPAnimation)

  /// `nil` if the file isn't an image.
  ///
  /// - Parameter usesProfile: Whether an ICC profile, or equivalent PNG chunks, are applied.
  /// - Throws: The errors of ``StillImage/decode(path:usesProfile:)``.
  init?(path: String, usesProfile: Bool = true) throws(CompositorError) {
    let beginning = try RegularFile.beginning(of: path, count: ForeignFormat.byteCount)
    let format = ImageFormat(beginning: Array(beginning.prefix(ImageFormat.headerByteCount)))
    if format == nil || format == .tiff, let foreign = ForeignFormat(beginning: beginning, name: path) {
      throw foreign.error(path)
    }
    guard let format else { return nil }
    if format == .jpeg, JPEGStream.isNamed(path) {
      self = .movie(playCount: nil)
      return
    }
    let bytes = try RegularFile.contents(of: path)
    // A TGA is only recognizable by its lengths.
    if format == .tga, TGAHeader(bytes).map({ $0.minimumByteCount > bytes.count }) ?? true { return nil }
    do throws(CompositorError) {
      self = try ImageFile.read(format, bytes, path: path, usesProfile: usesProfile)
    } catch {
      throw error.locating(ErrorLocation(file: path))
    }
  }

  private static func read(
    _ format: ImageFormat, _ bytes: [UInt8], path: String, usesProfile: Bool
  ) throws(CompositorError) -> ImageFile {
    let header = ImageHeader(format, bytes)
    try header.check(format)
    switch format {
    case .png where header.isAnimated: return .movie(playCount: header.playCount)
    case .png:
      return .still(try PNGDecoder.decode(bytes, usesProfile: usesProfile, orientation: header.orientation))
    case .jpeg where JPEGStream.isStream(bytes): return .movie(playCount: nil)
    case .jpeg: return .still(try JPEGDecoder.decode(bytes, usesProfile: usesProfile))
    case .webp where header.isAnimated:
      let animation = try WebPAnimation(bytes, usesProfile: usesProfile)
      // Damage has to show when the file is opened, as with a movie.
      let first = try animation.canvas(0, after: nil)
      guard animation.frames.count == 1 else { return .animation(animation) }
      let profile = animation.profile
      return .still(StillImage(codec: "webp", frame: try profile.apply(to: first), profile: profile))
    case .gif where header.isAnimated: return .movie(playCount: header.playCount)
    case .gif: return .still(try onlyPicture(of: path))
    case .avif where header.isAnimated: if try !hasOnePicture(path) { return .movie(playCount: nil) }
    case .jpegXL where header.isAnimated:
      guard cff_demuxer_exists("jpegxl_anim") else {
        throw CompositorError(
          .decoderNotFound, "The JPEG XL moves, and the installed libavformat reads JPEG XL stills only.",
          recoverySuggestion: "Install FFmpeg 6.1 or later, or convert the file to a movie.")
      }
      return .movie(playCount: nil)
    default: break
    }
    return .still(try still(format, bytes, header, usesProfile: usesProfile))
  }

  /// The image of a format that libavcodec decodes.
  private static func still(
    _ format: ImageFormat, _ bytes: [UInt8], _ header: ImageHeader, usesProfile: Bool
  ) throws(CompositorError) -> StillImage {
    if format == .tiff { try TIFFPages.check(bytes) }
    let isInInks = format == .tiff && header.components == .cmyk
    // Without its profile, the colors of inks are unknown.
    let profile = usesProfile || isInInks ? header.profile.map { StillProfile(embedded: $0, in: header.components) } : nil
    if isInInks, profile?.converts != true {
      throw ICCProfile.unknownInks(of: "TIFF", cause: profile?.warnings.first?.message)
    }
    let codec = format.codec(bytes)
    let picture =
      format == .avif
      ? try AVIFDecoder.decode(bytes, usesProfile: usesProfile)
      : try ImageDecoder.still(
        isInInks ? TIFFPages.withoutInks(bytes) : bytes, codec: codec, title: format.title,
        containerColor: format == .tiff ? .sRGB : .unsaid, profile: profile, usesProfile: usesProfile || isInInks
      ) { frame in
        var frame = frame
        if isInInks { frame.attributes.alphaMode = .opaque }
        if header.isPremultiplied, frame.attributes.alphaMode == .straight { frame.attributes.alphaMode = .premultiplied }
        return frame
      }
    var image = StillImage(
      codec: codec, container: format.rawValue, frame: picture.frame,
      preferredTransform: header.orientation.transform(size: picture.frame.displaySize), profile: picture.profile)
    if format == .tiff { image.warnings += TIFFPages(bytes).warnings }
    return image
  }

  /// Whether a file that libavformat reads as a movie has only one image.
  private static func hasOnePicture(_ path: String) throws(CompositorError) -> Bool {
    let demuxer = try Demuxer(path: path)
    var (hasOne, failure) = (false, cff_failure())
    let stream = cff_demuxer_video_stream(demuxer.handle, 0)
    guard cff_demuxer_has_one_packet(demuxer.handle, stream, &hasOne, &failure) == CFF_OK else {
      throw failure.readingError("The file cannot be read", at: ErrorLocation())
    }
    return hasOne
  }

  /// The only image of a GIF, on its canvas.
  private static func onlyPicture(of path: String) throws(CompositorError) -> StillImage {
    let demuxer = try Demuxer(path: path)
    let stream = Int(cff_demuxer_video_stream(demuxer.handle, 0))
    let decoder = stream < 0 ? nil : try VideoDecoder(demuxer, stream: stream, options: VideoReaderOptions())
    guard let picture = try decoder?.next() else {
      throw CompositorError(
        .unreadableMedia, "The GIF has no image.", recoverySuggestion: "Check that the file was copied whole.",
        cause: decoder?.firstDamage)
    }
    return StillImage(codec: "gif", frame: picture.frame)
  }
}
