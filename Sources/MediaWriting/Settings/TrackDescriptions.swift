public import CompositorAPI
import CompositorMediaIO

/// The video track of a movie to write.
public struct VideoTrackDescription: Hashable, Sendable {
  /// Stored size of every frame in pixels.
  public var size: PixelSize
  /// Format of every frame: one of ``VideoEncodingSettings/acceptedFormats``.
  public var format: PixelFormat
  /// Color, pixel aspect, alpha and HDR metadata to write into the stream and the container.
  public var attributes: FrameAttributes
  /// Units of frame times.
  public var timing: MovieTimeUnits
  /// Video encoding settings.
  public var encoding: VideoEncodingSettings
  /// The transform that players apply: quarter rotations with or without mirroring, from stored display space (pixel aspect
  /// applied, y down) to upright, as in `VideoTrackInfo.preferredTransform`. Its offset is ignored because it follows from the
  /// size. Matroska cannot hold a transform.
  public var preferredTransform: AffineMatrix
  /// The language as a BCP 47 tag (`de`, `pt-BR`); `nil` for none. Containers hold the language without region or script.
  public var language: String?
  /// The track's title for people; `nil` for none.
  public var title: String?
  /// Other metadata of the track. Only Matroska can hold any.
  public var metadata: [String: String]
  /// The encoding pass.
  package var pass = EncodingPass.only
  /// The palette of a GIF; `nil` to make one for each frame.
  package var palette: ColorPalette?

  /// Creates a description.
  public init(
    size: PixelSize, format: PixelFormat, attributes: FrameAttributes = FrameAttributes(), timing: MovieTimeUnits,
    encoding: VideoEncodingSettings = VideoEncodingSettings(), preferredTransform: AffineMatrix = .identity,
    language: String? = nil, title: String? = nil, metadata: [String: String] = [:]
  ) {
    self.size = size
    self.format = format
    self.attributes = attributes
    self.timing = timing
    self.encoding = encoding
    self.preferredTransform = preferredTransform
    self.language = language
    self.title = title
    self.metadata = metadata
  }
}

extension VideoTrackDescription {
  /// Checks the properties that concern the encoder.
  func validate(in container: MovieContainer) throws(CompositorError) {
    if encoding.encoderName == nil { try encoding.validateRanges() }
    guard encoding.isAvailable else {
      throw CompositorError(
        .encoderNotFound, "libavcodec has no encoder \(encoding.encoderName ?? encoding.codec.rawValue).",
        recoverySuggestion: encoding.encoder == .software
          ? "Install a build of FFmpeg's libraries with it, or choose another codec."
          : "Choose the software encoder, or install a build of FFmpeg's libraries with it.")
    }
    try timing.validate()
    try container.validate(timing)
    try validateFormat(in: container)
    try validateSize()
    try encoding.validateRanges()
    try validateLevel()
    _ = try orientation()
  }

  /// The orientation in which players show the frames.
  ///
  /// - Throws: `.unsupportedOutput` if the transform does more than quarter rotations and mirroring.
  func orientation() throws(CompositorError) -> Orientation {
    let matrix = preferredTransform
    let isUnscaled = [matrix.a, matrix.b, matrix.c, matrix.d].allSatisfy { abs($0) < 1e-4 || abs(abs($0) - 1) < 1e-4 }
    guard isUnscaled, let orientation = Orientation(of: matrix) else {
      throw CompositorError(
        .unsupportedOutput, "A track's transform can only rotate by quarter turns and mirror.",
        recoverySuggestion: "Render the frames upright, or use the transform of an `Orientation`.")
    }
    return orientation
  }

  func validateFormat(in container: MovieContainer) throws(CompositorError) {
    let accepted = encoding.acceptedFormats.filter(container.holds)
    guard accepted.contains(format) else {
      throw CompositorError(
        .unsupportedOutput, "\(encoding.codec.rawValue) cannot encode \(format) frames.",
        recoverySuggestion: "Convert to one of \(accepted.map(\.name).joined(separator: ", ")).")
    }
    if format.hasAlpha, attributes.alphaMode == .premultiplied {
      throw CompositorError(
        .unsupportedOutput, "Movies hold straight alpha, and these frames are premultiplied.",
        recoverySuggestion: "Convert the frames to straight alpha.")
    }
  }

  func validateSize() throws(CompositorError) {
    let maximum = PixelSize.renderableSides.upperBound
    guard size.isRenderable else {
      throw CompositorError(
        .unsupportedOutput, "Frames of \(size) cannot be written.", recoverySuggestion: "Use 1x1 to \(maximum)x\(maximum).",
        at: ErrorLocation(path: "video.size"))
    }
    // libavutil's av_image_check_size: all rows together, at 8 bytes per pixel with a margin of 128, must stay below 2 GiB.
    guard (size.width + 128) * (size.height + 128) < Int(Int32.max) / 8 else {
      throw CompositorError(
        .unsupportedOutput, "Frames of \(size) have too many pixels for any codec.",
        recoverySuggestion: "Use at most 16254x16254, or 16384x16128.", at: ErrorLocation(path: "video.size"))
    }
    try validateLimitsOfCodec(maximum)
    let aspect = attributes.pixelAspectRatio
    guard (1...Int(UInt16.max)).contains(aspect.reduced.numerator), (1...Int(UInt16.max)).contains(aspect.reduced.denominator)
    else {
      throw CompositorError(
        .unsupportedOutput, "A pixel aspect of \(aspect) cannot be written.",
        recoverySuggestion: "Use a ratio of terms 1 to 65535.")
    }
    try validateSubsampling()
  }

  private func validateLimitsOfCodec(_ maximum: Int) throws(CompositorError) {
    guard encoding.codec != .hevc || min(size.width, size.height) >= 16 else {
      throw CompositorError(
        .unsupportedOutput, "hevc cannot encode frames of \(size).",
        recoverySuggestion: "Use at least 16x16, or another codec.", at: ErrorLocation(path: "video.size"))
    }
    guard encoding.codec != .dnxhr || (size.width >= 256 && size.height >= 120) else {
      throw CompositorError(
        .unsupportedOutput, "dnxhr cannot encode frames of \(size).",
        recoverySuggestion: "Use at least 256x120, or another codec.", at: ErrorLocation(path: "video.size"))
    }
    guard encoding.codec != .webp || max(size.width, size.height) < maximum else {
      throw CompositorError(
        .unsupportedOutput, "webp cannot encode frames of \(size).", recoverySuggestion: "Use at most 16383x16383.",
        at: ErrorLocation(path: "video.size"))
    }
  }

  /// Checks that each sample of chroma stands for as many pixels as the others, which encoders demand.
  private func validateSubsampling() throws(CompositorError) {
    guard encoding.codec.hasRateControl else { return }
    let columns = 1 << format.subsampling.horizontalShift
    let rows = 1 << format.subsampling.verticalShift
    guard size.width % columns == 0, size.height % rows == 0 else {
      let even = PixelSize(width: (size.width + columns - 1) & -columns, height: (size.height + rows - 1) & -rows)
      throw CompositorError(
        .unsupportedOutput, "\(encoding.codec.rawValue) cannot encode \(format.subsampling.notation) frames of \(size).",
        advice: Advice(
          "Use an even size such as \(even), 4:4:4 frames, or FFV1.", writing: WrittenLiteral(value: .string("\(even)"))),
        at: ErrorLocation(path: "video.size"))
    }
  }
}

extension ChromaSubsampling {
  /// `4:2:0`.
  var notation: String { rawValue.map(String.init).joined(separator: ":") }
}

/// An audio track of a movie to write.
public struct AudioTrackDescription: Hashable, Sendable {
  /// Audio encoding settings.
  public var encoding: AudioEncodingSettings
  /// The language as a BCP 47 tag (`de`, `pt-BR`); `nil` for none. Containers hold the language without region or script.
  public var language: String?
  /// The track's title for people, such as “Director's comments”; `nil` for none.
  public var title: String?
  /// Whether players choose this track by default. At most one track can be the default; without one, it is the first.
  public var isDefault: Bool
  /// Other metadata of the track. Only Matroska can hold any.
  public var metadata: [String: String]

  /// Creates a description.
  public init(
    encoding: AudioEncodingSettings = AudioEncodingSettings(), language: String? = nil, title: String? = nil,
    isDefault: Bool = false, metadata: [String: String] = [:]
  ) {
    self.encoding = encoding
    self.language = language
    self.title = title
    self.isDefault = isDefault
    self.metadata = metadata
  }
}
