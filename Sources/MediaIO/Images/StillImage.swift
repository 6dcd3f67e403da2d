import CompositorAPI

/// A decoded image with the properties that its file states.
struct StillImage {
  /// Short name of the file's format.
  var container: String
  /// libavcodec's name of the codec: `png`, `jpeg`, `webp`, `av1` …
  var codec: String
  /// The image as stored.
  var frame: Frame
  /// The transform from stored to upright, from the file's orientation.
  var preferredTransform: AffineMatrix
  /// The profile with which the image was converted and the resulting color, as a description; `nil` if it has the codes of its
  /// file.
  var colorProfile: String?
  /// Warnings about the image's color.
  var warnings: [MediaWarning]

  init(
    codec: String, container: String? = nil, frame: Frame, preferredTransform: AffineMatrix = .identity,
    profile: StillProfile = StillProfile()
  ) {
    (self.codec, self.container) = (codec, container ?? codec)
    (self.frame, self.preferredTransform) = (frame, preferredTransform)
    (colorProfile, warnings) = (profile.summary, profile.warnings)
  }

  /// The track of this image, shown at all times.
  func trackInfo() -> VideoTrackInfo {
    var info = VideoTrackInfo(
      index: 0, codec: codec, size: frame.size, format: frame.format, attributes: frame.attributes,
      nominalFrameRate: Rational(0, 1), timeRange: TimeRange(start: .zero, duration: .positiveInfinity))
    info.isStill = true
    (info.preferredTransform, info.colorProfile) = (preferredTransform, colorProfile)
    return info
  }
}

extension StillImage {
  /// Decodes an image file.
  ///
  /// - Parameter usesProfile: Whether an ICC profile, or equivalent PNG chunks, are applied.
  /// - Throws: `.unreadableMedia` for damaged files, unsupported formats and animations, `.truncatedMedia`, `.frameTooLarge`,
  ///   `.decoderNotFound`, `.conversionNotPossible`, and the errors of opening the file.
  static func decode(path: String, usesProfile: Bool = true) throws(CompositorError) -> StillImage {
    guard case .still(let image) = try ImageFile(path: path, usesProfile: usesProfile) else {
      throw CompositorError(
        .unreadableMedia, "The file is not a still image of a supported format.",
        recoverySuggestion: "Convert the image to PNG.",
        at: ErrorLocation(file: path))
    }
    return image
  }
}

/// Shows one image at all times.
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
        .invalidValue, "A frame was requested at a time that is not a number of seconds.",
        recoverySuggestion: "Request a finite time.")
    }
    return DecodedVideoFrame(frame: frame, presentationTime: .zero, duration: .positiveInfinity)
  }
}
