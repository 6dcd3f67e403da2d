import CCompositorFFmpeg
public import CompositorAPI
import CompositorMediaIO

/// How pictures are encoded.
public struct VideoEncodingSettings: Hashable, Sendable, Codable {
  /// A picture codec.
  public enum Codec: String, Hashable, Sendable, Codable, CaseIterable {
    /// H.264, by libx264: 8 and 10 bit, 4:2:0, 4:2:2 and 4:4:4.
    case h264
    /// HEVC, by libx265: 8, 10 and 12 bit, 4:2:0, 4:2:2 and 4:4:4.
    case hevc
    /// AV1, by libaom: 8, 10 and 12 bit, 4:2:0, 4:2:2 and 4:4:4.
    case av1
    /// Apple ProRes: 10-bit 4:2:2, or 4:4:4 with and without alpha.
    case proRes = "prores"
    /// FFV1 version 3: lossless, 8 to 16 bit, with and without alpha, also RGB.
    case ffv1
  }

  /// What steers the size of the result.
  public enum Quality: Hashable, Sendable, Codable {
    /// The codec's own default: CRF 23 (H.264), 28 (HEVC), 32 (AV1), the profile's nominal rate (ProRes), lossless (FFV1).
    case automatic
    /// Constant quality; smaller is better. H.264 and HEVC: the rate factor (CRF), 0 … 51; AV1: 0 … 63. ProRes: the quantiser
    /// scale, 1 … 31.
    case constant(Double)
    /// Average bits a second, 1000 … 2,000,000,000. H.264, HEVC and AV1 only.
    case bitRate(Int)
  }

  /// How much time the encoder may spend to save bits. H.264, HEVC and AV1 only.
  public enum Speed: String, Hashable, Sendable, Codable, CaseIterable {
    /// libx264's and libx265's presets of the same names, fastest first; libaom's speeds 8 to 1.
    case ultrafast, superfast, veryfast, faster, fast, medium, slow, slower, veryslow
  }

  /// A ProRes profile.
  public enum ProResProfile: String, Hashable, Sendable, Codable, CaseIterable {
    /// 4:2:2, lowest rate.
    case proxy
    /// 4:2:2, low rate.
    case lt
    /// 4:2:2.
    case standard
    /// 4:2:2, high quality.
    case hq
    /// 4:4:4, with alpha where the frames have it.
    case p4444 = "4444"
    /// 4:4:4, highest quality, with alpha where the frames have it.
    case p4444XQ = "4444xq"

    /// Whether chroma has full resolution.
    public var is4444: Bool { self == .p4444 || self == .p4444XQ }
  }

  /// The codec.
  public var codec: Codec
  /// What steers the size of the result.
  public var quality: Quality
  /// Speed against size. Default medium.
  public var speed: Speed
  /// The largest distance of key frames, in frames, 1 … 100,000; nil leaves it to the codec (250 for H.264 and HEVC).
  /// FFV1 and ProRes have key frames only.
  public var keyFrameInterval: Int?
  /// The ProRes profile; nil takes HQ for 4:2:2 frames and 4444 for 4:4:4 ones.
  public var proResProfile: ProResProfile?
  /// Threads of the encoder, 1 … 64; nil takes as many as it likes. The bytes of H.264 and HEVC depend on this number, and
  /// are the same in each run for one number.
  public var threadCount: Int?

  /// Makes settings; H.264 at the codec's own quality unless told otherwise.
  public init(
    codec: Codec = .h264, quality: Quality = .automatic, speed: Speed = .medium, keyFrameInterval: Int? = nil,
    proResProfile: ProResProfile? = nil, threadCount: Int? = nil
  ) {
    self.codec = codec
    self.quality = quality
    self.speed = speed
    self.keyFrameInterval = keyFrameInterval
    self.proResProfile = proResProfile
    self.threadCount = threadCount
  }

  /// Reads settings; those of earlier versions name the speed `preset`. What is missing has its default.
  ///
  /// - Throws: `DecodingError` if a value is of another kind or unknown.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let older = try decoder.container(keyedBy: OlderKeys.self)
    self.init(
      codec: try values.read(.codec, or: .h264), quality: try values.read(.quality, or: .automatic),
      speed: try values.read(.speed, or: older.read(.preset, or: .medium)),
      keyFrameInterval: try values.decodeIfPresent(Int.self, forKey: .keyFrameInterval),
      proResProfile: try values.decodeIfPresent(ProResProfile.self, forKey: .proResProfile),
      threadCount: try values.decodeIfPresent(Int.self, forKey: .threadCount))
  }

  private enum CodingKeys: CodingKey { case codec, quality, speed, keyFrameInterval, proResProfile, threadCount }

  private enum OlderKeys: CodingKey { case preset }

  /// Whether an encoder for the codec is there on this machine.
  public var isAvailable: Bool { cff_encoder_exists(codec.encoderName) }

  /// Frame formats the encoder takes with these settings, as installed here. Empty where ``isAvailable`` is false.
  public var acceptedFormats: [PixelFormat] {
    PixelFormat.all.filter { format in
      guard cff_encoder_accepts(codec.encoderName, format.name) else { return false }
      guard codec == .proRes, let profile = proResProfile else { return true }
      return profile.is4444 == (format.subsampling == .s444)
    }
  }

  /// The accepted format that loses least of `format`: the same one where it is accepted; else one that keeps, in this
  /// order, alpha, chroma resolution, bit depth, and the kind of components; among equals the cheapest.
  ///
  /// - Returns: nil where ``isAvailable`` is false.
  public func acceptedFormat(nearest format: PixelFormat) -> PixelFormat? {
    acceptedFormats.min { loss(of: format, in: $0).lexicographicallyPrecedes(loss(of: format, in: $1)) }
  }

  private func loss(of format: PixelFormat, in candidate: PixelFormat) -> [Int] {
    func chroma(_ f: PixelFormat) -> Int { 2 - f.subsampling.horizontalShift - f.subsampling.verticalShift }
    let depth = min(format.bitDepth, 16)
    return [
      candidate == format ? 0 : 1,
      format.hasAlpha && !candidate.hasAlpha ? 1 : 0,
      max(0, chroma(format) - chroma(candidate)),
      max(0, depth - candidate.bitDepth),
      format.isRGB == candidate.isRGB ? 0 : 1,
      chroma(candidate), candidate.bitDepth, candidate.hasAlpha ? 1 : 0, candidate.layout == .planar ? 0 : 1,
    ]
  }
}

extension VideoEncodingSettings.Codec {
  /// libavcodec's name of the encoder.
  var encoderName: String {
    switch self {
    case .h264: "libx264"
    case .hevc: "libx265"
    case .av1: "libaom-av1"
    case .proRes: "prores_ks"
    case .ffv1: "ffv1"
    }
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
