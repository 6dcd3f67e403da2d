internal import Compositor
internal import Foundation

/// How a writer encodes pictures.
struct VideoInputSettings: Sendable {
  /// How pictures of another size are made to fit.
  enum Scaling: Sendable {
    case resize, aspect, aspectFill, fit
  }

  let encoding: VideoEncodingSettings
  let size: PixelSize
  var scaling = Scaling.resize
  /// Color that settings name; parts that they do not name are `nil`.
  var primaries: ColorPrimaries?
  var transfer: TransferFunction?
  var matrix: MatrixCoefficients?
  var pixelAspectRatio = Rational.one
  /// The format that the profile asks for; `nil` for the codec's usual one.
  var format: PixelFormat?
  /// Frames per second that the encoder is to expect; `nil` to take them from the first frames.
  var expectedRate: Double?

  private static let codecs: [String: (VideoEncodingSettings.Codec, VideoEncodingSettings.ProResProfile?)] = [
    "avc1": (.h264, nil), "hvc1": (.hevc, nil), "apcn": (.proRes, .standard), "apch": (.proRes, .hq), "apcs": (.proRes, .lt),
    "apco": (.proRes, .proxy), "ap4h": (.proRes, .p4444),
  ]
  private static let keys: Set<String> = [
    AVVideoCodecKey, AVVideoWidthKey, AVVideoHeightKey, AVVideoCompressionPropertiesKey, AVVideoColorPropertiesKey,
    AVVideoPixelAspectRatioKey, AVVideoCleanApertureKey, AVVideoScalingModeKey, AVVideoAllowWideColorKey,
  ]
  /// Properties of an encoder. Those that have no effect are listed in the guide.
  private static let properties: Set<String> = [
    AVVideoAverageBitRateKey, AVVideoQualityKey, AVVideoMaxKeyFrameIntervalKey, AVVideoMaxKeyFrameIntervalDurationKey,
    AVVideoExpectedSourceFrameRateKey, AVVideoProfileLevelKey, AVVideoAllowFrameReorderingKey, AVVideoH264EntropyModeKey,
    AVVideoAverageNonDroppableFrameRateKey, AVVideoPixelAspectRatioKey, AVVideoCleanApertureKey, "RealTime",
    "HDRMetadataInsertionMode", "AllowOpenGOP", "AllowTemporalCompression", "DataRateLimits",
  ]

  /// Reads settings of an input.
  ///
  /// - Parameter hint: The format of the samples, which gives the size if settings do not.
  /// - Throws: `.encoderNotFound`, `.formatUnsupported` or `.invalidVideoComposition`: what cannot be done.
  init(_ settings: [String: Any], hint: CMFormatDescription?) throws(AVError) {
    let values = SettingsValues(settings)
    try Self.check(Set(settings.keys), among: Self.keys, of: "outputSettings")
    guard let name = values.string(AVVideoCodecKey), let (codec, profile) = Self.codecs[name] else {
      throw AVError(
        .encoderNotFound, "There is no encoder for \(values.string(AVVideoCodecKey) ?? "a missing AVVideoCodecKey").",
        suggestion: "Use AVVideoCodecType.h264, .hevc or one of ProRes.")
    }
    let width = values.int(AVVideoWidthKey) ?? hint.map { Int($0.dimensions.width) } ?? 0
    let height = values.int(AVVideoHeightKey) ?? hint.map { Int($0.dimensions.height) } ?? 0
    guard width > 0, height > 0 else {
      throw AVError(
        .formatUnsupported, "A size of \(width) × \(height) cannot be written.",
        suggestion: "Set AVVideoWidthKey and AVVideoHeightKey.")
    }
    size = PixelSize(width: width, height: height)
    var encoding = VideoEncodingSettings(codec: codec, proResProfile: profile)
    let properties = values.nested(AVVideoCompressionPropertiesKey) ?? SettingsValues([:])
    try Self.check(Set(properties.values.keys), among: Self.properties, of: AVVideoCompressionPropertiesKey)
    try Self.set(properties, in: &encoding)
    format = try EncoderLimits.set(properties, in: &encoding)
    self.encoding = encoding
    expectedRate = properties.double(AVVideoExpectedSourceFrameRateKey)
    try setColor(values.nested(AVVideoColorPropertiesKey))
    try setShape(values, properties)
  }

  private static func check(_ keys: Set<String>, among known: Set<String>, of owner: String) throws(AVError) {
    guard let unknown = keys.subtracting(known).min() else { return }
    throw AVError(.formatUnsupported, "\(owner): “\(unknown)” is not known here.", suggestion: "Remove it.")
  }

  private static func set(_ properties: SettingsValues, in encoding: inout VideoEncodingSettings) throws(AVError) {
    if let rate = properties.int(AVVideoAverageBitRateKey), rate > 0, encoding.codec != .proRes {
      encoding.quality = .bitRate(rate)
    } else if let quality = properties.double(AVVideoQualityKey), encoding.codec != .proRes {
      guard (0...1).contains(quality) else {
        throw AVError(.formatUnsupported, "A quality of \(quality) is not in 0 … 1.")
      }
      // Rate factors of libx264 and libx265: 40 is poor, 26 is medium, 12 hardly differs from the source.
      encoding.quality = .constant(40 - 28 * quality)
    }
    if let interval = properties.int(AVVideoMaxKeyFrameIntervalKey), interval > 0, encoding.codec != .proRes {
      encoding.keyFrameInterval = interval
    } else if let duration = properties.double(AVVideoMaxKeyFrameIntervalDurationKey), duration > 0, encoding.codec != .proRes {
      encoding.keyFrameDuration = MediaTime(value: Int64(duration * 90_000), timescale: 90_000)
    }
  }

  private mutating func setColor(_ colors: SettingsValues?) throws(AVError) {
    guard let colors else { return }
    primaries = try ColorNames.value(
      of: colors.string(AVVideoColorPrimariesKey), in: ColorNames.primaries, property: AVVideoColorPrimariesKey)
    transfer = try ColorNames.value(
      of: colors.string(AVVideoTransferFunctionKey), in: ColorNames.transferFunctions, property: AVVideoTransferFunctionKey)
    matrix = try ColorNames.value(
      of: colors.string(AVVideoYCbCrMatrixKey), in: ColorNames.matrices, property: AVVideoYCbCrMatrixKey)
  }

  private mutating func setShape(_ values: SettingsValues, _ properties: SettingsValues) throws(AVError) {
    let modes: [String: Scaling] = [
      AVVideoScalingModeResize: .resize, AVVideoScalingModeResizeAspect: .aspect,
      AVVideoScalingModeResizeAspectFill: .aspectFill, AVVideoScalingModeFit: .fit,
    ]
    if let name = values.string(AVVideoScalingModeKey) {
      guard let mode = modes[name] else { throw AVError(.formatUnsupported, "There is no scaling mode “\(name)”.") }
      scaling = mode
    }
    let aspect = values.nested(AVVideoPixelAspectRatioKey) ?? properties.nested(AVVideoPixelAspectRatioKey)
    if let across = aspect?.int(AVVideoPixelAspectRatioHorizontalSpacingKey), across > 0,
      let down = aspect?.int(AVVideoPixelAspectRatioVerticalSpacingKey), down > 0
    {
      pixelAspectRatio = Rational(across, down)
    }
  }

  /// The format of frames for the encoder.
  func format(in container: MovieContainer, source: PixelBufferFormat?) -> PixelFormat? {
    if let format { return format }
    if encoding.codec == .proRes { return encoding.acceptedFormat(nearest: source?.format ?? .yuv422p10, in: container) }
    return .yuv420p
  }

  /// The track that is written.
  ///
  /// - Parameters:
  ///   - color: That of the first frame.
  ///   - source: The format of the first frame.
  func description(
    in container: MovieContainer, color: ColorTags = .bt709, source: PixelBufferFormat? = nil, timing: MovieTimeUnits
  ) -> VideoTrackDescription {
    let format = format(in: container, source: source) ?? .yuv420p
    var tags = ColorTags(
      primaries: primaries ?? color.primaries, transfer: transfer ?? color.transfer, matrix: matrix ?? color.matrix,
      range: .limited)
    if tags.matrix == .identity, !format.isRGB { tags.matrix = tags.primaries == .bt2020 ? .bt2020 : .bt709 }
    let attributes = FrameAttributes(
      color: tags, pixelAspectRatio: pixelAspectRatio, alphaMode: format.hasAlpha ? .straight : .opaque)
    return VideoTrackDescription(size: size, format: format, attributes: attributes, timing: timing, encoding: encoding)
  }
}
