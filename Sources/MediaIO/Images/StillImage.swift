import CompositorAPI

/// One decoded picture with what its file says about it.
struct StillImage {
  /// What kind of file it comes from.
  var container: String
  /// libavcodec's name of the codec: `png`, `jpeg`, `webp`, `av1` …
  var codec: String
  /// The picture as stored.
  var frame: Frame
  /// From stored to upright, from the file's orientation.
  var preferredTransform: AffineMatrix
  /// The profile that the picture was converted by and what it became, in words; nil if it has the codes of its file.
  var colorProfile: String?
  /// What is odd about its color.
  var warnings: [MediaWarning]

  init(
    codec: String, container: String? = nil, frame: Frame, preferredTransform: AffineMatrix = .identity,
    profile: StillProfile = StillProfile()
  ) {
    (self.codec, self.container) = (codec, container ?? codec)
    (self.frame, self.preferredTransform) = (frame, preferredTransform)
    (colorProfile, warnings) = (profile.summary, profile.warnings)
  }

  /// The track that this picture is, shown at all times.
  func trackInfo() -> VideoTrackInfo {
    VideoTrackInfo(
      index: 0, codec: codec, size: frame.size, format: frame.format, attributes: frame.attributes,
      nominalFrameRate: Rational(0, 1), timeRange: TimeRange(start: .zero, duration: .positiveInfinity),
      preferredTransform: preferredTransform, isStill: true, colorProfile: colorProfile)
  }
}

extension StillImage {
  /// Decodes an image file.
  ///
  /// - Parameter usesProfile: Whether an ICC profile, or what a PNG says in its place, counts.
  /// - Throws: `.unreadableMedia` for damaged files, other kinds and images that move, `.truncatedMedia`, `.pictureTooLarge`,
  ///   `.decoderNotFound`, `.conversionNotPossible`, and what opening throws.
  static func decode(path: String, usesProfile: Bool = true) throws(CompositorError) -> StillImage {
    guard case .still(let image) = try ImageFile(path: path, usesProfile: usesProfile) else {
      throw CompositorError(
        .unreadableMedia, "The file is not a still image of a kind that is read.",
        recoverySuggestion: "Convert the picture to PNG.",
        at: ErrorLocation(file: path))
    }
    return image
  }
}

/// Shows one picture at all times.
final class StillImageReader: VideoReader {
  let info: VideoTrackInfo
  private let frame: Frame

  init(_ image: StillImage) {
    info = image.trackInfo()
    frame = image.frame
  }

  func frame(at time: MediaTime) throws(CompositorError) -> DecodedVideoFrame? {
    guard time.isNumeric else {
      throw CompositorError(
        .invalidValue, "A frame was asked for at a time that is not a number of seconds.",
        recoverySuggestion: "Ask for a finite time.")
    }
    return DecodedVideoFrame(frame: frame, presentationTime: .zero, duration: .positiveInfinity)
  }
}
