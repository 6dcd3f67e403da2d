public import CompositorAPI

/// The pictures of a movie that is to be written.
public struct VideoTrackDescription: Hashable, Sendable {
  /// Stored columns and rows of every frame.
  public var size: PixelSize
  /// Format of every frame: one of ``VideoEncodingSettings/acceptedFormats``.
  public var format: PixelFormat
  /// Colour, pixel aspect, alpha and HDR metadata to be written into the stream and the container.
  public var attributes: FrameAttributes
  /// How frame times are counted.
  public var timing: MovieTimeUnits
  /// How pictures are encoded.
  public var encoding: VideoEncodingSettings

  /// Makes a description.
  public init(
    size: PixelSize, format: PixelFormat, attributes: FrameAttributes = FrameAttributes(), timing: MovieTimeUnits,
    encoding: VideoEncodingSettings = VideoEncodingSettings()
  ) {
    self.size = size
    self.format = format
    self.attributes = attributes
    self.timing = timing
    self.encoding = encoding
  }
}

/// What a movie is to hold. A value: ``validate()`` checks it without touching a file.
public struct MovieDescription: Hashable, Sendable {
  /// The file format. It is named here, so a partial file may have any name.
  public var container: MovieContainer
  /// The pictures.
  public var video: VideoTrackDescription
  /// The sound; nil for a silent movie without a sound track.
  public var audio: AudioEncodingSettings?
  /// Entries for the whole file, such as `title`.
  public var metadata: [String: String]
  /// When the movie was made, in whole seconds since 1970-01-01 UTC. nil writes no date, so that equal input gives equal
  /// bytes.
  public var creationSecondsSince1970: Int?

  /// Makes a description.
  public init(
    container: MovieContainer, video: VideoTrackDescription, audio: AudioEncodingSettings? = nil,
    metadata: [String: String] = [:], creationSecondsSince1970: Int? = nil
  ) {
    self.container = container
    self.video = video
    self.audio = audio
    self.metadata = metadata
    self.creationSecondsSince1970 = creationSecondsSince1970
  }

  /// Checks that the container, the codecs, the frame format and the size go together, and that the encoders are there.
  ///
  /// - Throws: `.unsupportedOutput` where they do not (the message names what is allowed), `.encoderNotFound` where an encoder
  ///   is missing on this machine.
  public func validate() throws(CompositorError) {
    try validateCodecs()
    try video.timing.validate()
    try video.validateFormat()
    try video.validateSize()
    try video.encoding.validateRanges()
    try audio?.validate()
  }

  private func validateCodecs() throws(CompositorError) {
    try container.validate(video.encoding.codec, audio?.codec)
    try validateRange()
    guard video.encoding.isAvailable else {
      throw CompositorError(
        .encoderNotFound, "libavcodec has no encoder \(video.encoding.codec.encoderName).",
        recoverySuggestion: "Install a build of FFmpeg's libraries with it, or choose another codec.")
    }
  }
}

extension MovieDescription {
  /// QuickTime's colour atom has no range, and neither has ProRes: a full-range picture would be read as a limited one.
  private func validateRange() throws(CompositorError) {
    guard video.attributes.color.range == .full, !video.format.isRGB else { return }
    let hasNoRange = video.encoding.codec == .proRes || (video.encoding.codec == .ffv1 && container != .mkv)
    guard hasNoRange else { return }
    throw CompositorError(
      .unsupportedOutput,
      "\(video.encoding.codec.rawValue) in .\(container.rawValue) cannot say that pictures have full range.",
      recoverySuggestion: "Write limited range, or FFV1 into .mkv.")
  }
}

extension VideoTrackDescription {
  func validateFormat() throws(CompositorError) {
    let accepted = encoding.acceptedFormats
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
    let maximum = 16_384
    guard (1...maximum).contains(size.width), (1...maximum).contains(size.height) else {
      throw CompositorError(
        .unsupportedOutput, "Frames of \(size) cannot be written.", recoverySuggestion: "Use 1x1 to \(maximum)x\(maximum).")
    }
    // libavutil's av_image_check_size: rows of 8 bytes a pixel, with a margin of 128, must stay below 2 GiB together.
    guard (size.width + 128) * (size.height + 128) < Int(Int32.max) / 8 else {
      throw CompositorError(
        .unsupportedOutput, "Frames of \(size) have too many pixels for any codec.",
        recoverySuggestion: "Use at most 16254x16254, or 16384x16128.")
    }
    guard encoding.codec != .hevc || min(size.width, size.height) >= 16 else {
      throw CompositorError(
        .unsupportedOutput, "hevc cannot encode frames of \(size).", recoverySuggestion: "Use at least 16x16, or another codec."
      )
    }
    let aspect = attributes.pixelAspectRatio
    guard (1...Int(UInt16.max)).contains(aspect.reduced.numerator), (1...Int(UInt16.max)).contains(aspect.reduced.denominator)
    else {
      throw CompositorError(
        .unsupportedOutput, "A pixel aspect of \(aspect) cannot be written.",
        recoverySuggestion: "Use a ratio of terms 1 to 65535.")
    }
    guard [.h264, .hevc, .av1].contains(encoding.codec) else { return }
    let columns = 1 << format.subsampling.horizontalShift
    let rows = 1 << format.subsampling.verticalShift
    guard size.width % columns == 0, size.height % rows == 0 else {
      let even = PixelSize(width: (size.width + columns - 1) & -columns, height: (size.height + rows - 1) & -rows)
      throw CompositorError(
        .unsupportedOutput, "\(encoding.codec.rawValue) cannot encode \(format.subsampling.notation) frames of \(size).",
        recoverySuggestion: "Use an even size such as \(even), 4:4:4 frames, or FFV1.")
    }
  }
}

extension ChromaSubsampling {
  /// `4:2:0`.
  var notation: String { rawValue.map(String.init).joined(separator: ":") }
}

extension MovieContainer {
  /// - Throws: `.unsupportedOutput` where the container cannot hold one of the codecs.
  package func validate(
    _ video: VideoEncodingSettings.Codec, _ audio: AudioEncodingSettings.Codec?
  ) throws(CompositorError) {
    func refuse(_ codec: String, _ others: [String]) -> CompositorError {
      let holding = MovieContainer.allCases.filter { container in
        container.videoCodecs.contains(video) && audio.map(container.audioCodecs.contains) ?? true
      }
      let suffixes = holding.map { ".\($0.rawValue)" }.joined(separator: " or ")
      return CompositorError(
        .unsupportedOutput, "A .\(rawValue) file cannot hold \(codec).",
        recoverySuggestion: "Use \(others.joined(separator: " or ")), or write \(suffixes).")
    }
    guard videoCodecs.contains(video) else { throw refuse(video.rawValue, videoCodecs.map(\.rawValue)) }
    if let audio, !audioCodecs.contains(audio) { throw refuse(audio.rawValue, audioCodecs.map(\.rawValue)) }
  }
}

extension VideoEncodingSettings {
  /// Checks quality, rate, key frame distance and threads against what the codec has.
  ///
  /// - Throws: `.unsupportedOutput` for a number that the codec does not take.
  package func validateRanges() throws(CompositorError) {
    func refuse(_ message: String, _ recoverySuggestion: String) -> CompositorError {
      CompositorError(.unsupportedOutput, message, recoverySuggestion: recoverySuggestion)
    }
    switch (codec, quality) {
    case (_, .automatic): break
    case (.h264, .constant(let factor)), (.hevc, .constant(let factor)):
      guard (0...51).contains(factor) else { throw refuse("There is no quality \(factor).", "Use a rate factor of 0 to 51.") }
    case (.av1, .constant(let factor)):
      guard (0...63).contains(factor) else { throw refuse("There is no quality \(factor).", "Use a rate factor of 0 to 63.") }
    case (.proRes, .constant(let scale)):
      guard (1...31).contains(scale) else { throw refuse("There is no quality \(scale).", "Use a scale of 1 to 31.") }
    case (.h264, .bitRate(let rate)), (.hevc, .bitRate(let rate)), (.av1, .bitRate(let rate)):
      guard (1_000...2_000_000_000).contains(rate) else {
        throw refuse("Pictures cannot be encoded at \(rate) bits a second.", "Use 1000 to 2000000000.")
      }
    case (.ffv1, _): throw refuse("FFV1 is lossless: it has no quality to choose.", "Leave the quality out.")
    case (.proRes, .bitRate): throw refuse("ProRes has no bit rate to choose.", "Choose a profile or a constant quality.")
    }
    if let keyFrameInterval, !(1...100_000).contains(keyFrameInterval) {
      throw refuse("Key frames cannot be \(keyFrameInterval) frames apart.", "Use 1 to 100000.")
    }
    if let threadCount, !(1...64).contains(threadCount) {
      throw refuse("An encoder cannot run on \(threadCount) threads.", "Use 1 to 64.")
    }
  }
}
