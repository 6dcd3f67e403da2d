import CompositorAPI

/// One decoded picture with what its file says about it.
struct StillImage {
  /// `png` or `jpeg`.
  var codec: String
  /// The picture as stored.
  var frame: Frame
  /// From stored to upright, from the file's orientation.
  var preferredTransform: AffineMatrix

  /// The kinds of files that are read here, by their first bytes.
  enum Kind {
    case png
    case jpeg

    /// nil where the bytes begin something else.
    init?(beginning bytes: [UInt8]) {
      if bytes.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) {
        self = .png
      } else if bytes.starts(with: [0xff, 0xd8, 0xff]) {
        self = .jpeg
      } else {
        return nil
      }
    }

    /// The kind of a file; nil where it is not a still image of these kinds.
    ///
    /// - Throws: `.fileNotFound`, `.sourceRefused`, `.unreadableMedia`.
    init?(path: String) throws(CompositorError) {
      self.init(beginning: try RegularFile.beginning(of: path, count: 8))
    }
  }

  /// Decodes a PNG or JPEG file.
  ///
  /// - Throws: `.unreadableMedia` for damaged files and other kinds, `.truncatedMedia`, `.pictureTooLarge`,
  ///   `.conversionNotPossible`, and what opening throws.
  static func decode(path: String) throws(CompositorError) -> StillImage {
    let bytes = try RegularFile.contents(of: path)
    do throws(CompositorError) {
      switch Kind(beginning: bytes) {
      case .png: return try PNGDecoder.decode(bytes)
      case .jpeg: return try JPEGDecoder.decode(bytes)
      case nil:
        throw CompositorError(
          .unreadableMedia, "The file is neither PNG nor JPEG.", remedy: "Convert the picture to PNG.")
      }
    } catch {
      throw error.locating(ErrorLocation(file: path))
    }
  }

  /// The track that this picture is, shown at all times.
  func trackInfo() -> VideoTrackInfo {
    VideoTrackInfo(
      index: 0, codec: codec, size: frame.size, format: frame.format, attributes: frame.attributes,
      nominalFrameRate: Rational(0, 1), timeRange: TimeRange(start: .zero, duration: .positiveInfinity),
      preferredTransform: preferredTransform, isStill: true)
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
        .invalidValue, "A frame was asked for at a time that is not a number of seconds.", remedy: "Ask for a finite time.")
    }
    return DecodedVideoFrame(frame: frame, presentationTime: .zero, duration: .positiveInfinity)
  }
}
