import CCompositorFFmpeg
public import CompositorAPI
import CompositorMediaIO

/// Settings for encoding video.
public struct VideoEncodingSettings: Hashable, Sendable, Codable {
  /// A video codec.
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
    /// VP9, by libvpx: 8, 10 and 12 bit, 4:2:0, 4:2:2 and 4:4:4; alpha in 8-bit 4:2:0.
    case vp9
    /// Avid DNxHR (SMPTE VC-3): 8 and 10 bit 4:2:2, 10 bit 4:4:4.
    case dnxhr
    /// Animated GIF: palettes of 256 colors, one of which may be transparent.
    case gif
    /// Animated WebP, by libwebp: 8 bit, lossy or lossless, with and without alpha.
    case webp
    /// No compression: the frames' own bytes, for another program.
    case raw
  }

  /// The setting that controls the size of the result.
  public enum Quality: Hashable, Sendable, Codable {
    /// The codec's own default: CRF 23 (H.264), 28 (HEVC), 32 (AV1), 31 (VP9), 75 (WebP), the profile's nominal rate (ProRes, DNxHR),
    /// lossless (FFV1).
    case automatic
    /// Constant quality. H.264 and HEVC: the rate factor (CRF), 0 … 51; AV1 and VP9: 0 … 63; ProRes: the quantizer scale, 1 …
    /// 31. For these, smaller is better. WebP: 0 … 100, larger is better.
    case constant(Double)
    /// Average bit rate in bits per second, 1000 … 2,000,000,000. H.264, HEVC, AV1 and VP9 only.
    case bitRate(Int)
  }

  /// The time the encoder may spend to save bits. H.264, HEVC, AV1 and VP9 only.
  public enum Speed: String, Hashable, Sendable, Codable, CaseIterable {
    /// Presets of libx264 and libx265, fastest first; libaom's speeds 8 to 1, libvpx' 5 to 0.
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
    /// 4:4:4, with alpha if the frames have it.
    case p4444 = "4444"
    /// 4:4:4, highest quality, with alpha if the frames have it.
    case p4444XQ = "4444xq"

    /// Whether chroma has full resolution.
    public var is4444: Bool { self == .p4444 || self == .p4444XQ }
  }

  /// The requested codec; `nil` to use the default for the file format and the composition's color.
  public var chosenCodec: Codec?
  /// The setting that controls the size of the result.
  public var quality: Quality
  /// Speed against size. Default `.medium`.
  public var speed: Speed
  /// Maximum distance of key frames, in frames, 1 … 100,000; `nil` leaves it to ``keyFrameDuration`` or the codec (250 for
  /// H.264 and HEVC). FFV1, ProRes and DNxHR have key frames only; GIF and WebP have none.
  public var keyFrameInterval: Int?
  /// Maximum distance of key frames as a time, > 0, if ``keyFrameInterval`` is `nil`: the number of frames that start in it.
  public var keyFrameDuration: MediaTime?
  /// Whether the movie is encoded twice, the second time with the statistics of the first: the size then follows the bit rate
  /// more closely, and bits are spent where they are needed. Requires ``Quality/bitRate(_:)``; H.264, HEVC, AV1 and VP9 in
  /// software.
  public var isTwoPass = false
  /// The highest H.264 profile that may be used, for 8-bit 4:2:0 frames; `nil` for the one that speed and frame format result in. In
  /// software only.
  public var h264Profile: H264Profile?
  /// The level that the stream states and whose limits on size and frame rate it keeps; `nil` for the lowest one that suffices. For
  /// H.264, the number of reference frames follows from it, too. H.264 and HEVC in software only. It doesn't limit the bit rate unless
  /// there is a ``maximumBitRate``.
  public var level: CodecLevel?
  /// Maximum number of consecutive B-frames, 0 … 16. With 0, frames are stored in the order in which they are shown; `nil` for the number
  /// that follows from ``speed``. H.264 and HEVC in software only.
  public var maximumBFrameCount: Int?
  /// Maximum bit rate in bits per second, 1000 … 2,000,000,000: that at which a decoder's buffer of ``bufferSize`` is filled. Frames get a
  /// lower quality instead of emptying it. `nil` for no limit. H.264 and HEVC in software only.
  public var maximumBitRate: Int?
  /// Size of the decoder's buffer in bits, 1000 … 2,000,000,000, which ``maximumBitRate`` requires; `nil` for one second at that rate.
  public var bufferSize: Int?
  /// The kind of encoder. Default `.software`.
  public var encoder = Encoder.software
  /// The DNxHR profile; `nil` for HQ with 8-bit 4:2:2 frames, HQX with 10-bit ones and 444 with 4:4:4.
  public var dnxhrProfile: DNxHRProfile?
  /// Settings for animated images.
  public var animation = AnimationSettings()
  /// The ProRes profile; `nil` for HQ with 4:2:2 frames and 4444 with 4:4:4.
  public var proResProfile: ProResProfile?
  /// Number of encoder threads, 1 … 64; `nil` for a number that follows from the frame size: 4 up to 1920x1088 pixels (fewer
  /// for H.264 if more gain nothing), 8 up to 3840x2160, 16 above. The bytes of H.264, HEVC and AV1 depend on this number, and
  /// are the same on every machine for one number.
  public var threadCount: Int?

  /// Creates settings, by default at the codec's own quality.
  ///
  /// - Parameter codec: The codec; `nil` for the default of the export: HEVC for HDR and H.264 otherwise, or the file format's
  ///   own if it cannot hold that one. Without an export, as in a `MovieWriter`, it is H.264.
  public init(
    codec: Codec? = nil, quality: Quality = .automatic, speed: Speed = .medium, keyFrameInterval: Int? = nil,
    proResProfile: ProResProfile? = nil, threadCount: Int? = nil
  ) {
    chosenCodec = codec
    self.quality = quality
    self.speed = speed
    self.keyFrameInterval = keyFrameInterval
    self.proResProfile = proResProfile
    self.threadCount = threadCount
  }

  /// Decodes settings. Missing values have their defaults.
  ///
  /// - Throws: `DecodingError` if a value has another type or is unknown.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      codec: try values.decodeIfPresent(Codec.self, forKey: .chosenCodec), quality: try values.read(.quality, or: .automatic),
      speed: try values.read(.speed, or: .medium),
      keyFrameInterval: try values.decodeIfPresent(Int.self, forKey: .keyFrameInterval),
      proResProfile: try values.decodeIfPresent(ProResProfile.self, forKey: .proResProfile),
      threadCount: try values.decodeIfPresent(Int.self, forKey: .threadCount))
    keyFrameDuration = try values.decodeIfPresent(MediaTime.self, forKey: .keyFrameDuration)
    isTwoPass = try values.read(.isTwoPass, or: false)
    encoder = try values.read(.encoder, or: .software)
    dnxhrProfile = try values.decodeIfPresent(DNxHRProfile.self, forKey: .dnxhrProfile)
    animation = try values.read(.animation, or: AnimationSettings())
    h264Profile = try values.decodeIfPresent(H264Profile.self, forKey: .h264Profile)
    level = try values.decodeIfPresent(CodecLevel.self, forKey: .level)
    maximumBFrameCount = try values.decodeIfPresent(Int.self, forKey: .maximumBFrameCount)
    maximumBitRate = try values.decodeIfPresent(Int.self, forKey: .maximumBitRate)
    bufferSize = try values.decodeIfPresent(Int.self, forKey: .bufferSize)
  }

  // Earlier versions always wrote `chosenCodec`, as `codec`.
  private enum CodingKeys: String, CodingKey {
    case chosenCodec = "codec"
    case quality, speed, keyFrameInterval, proResProfile, threadCount
    case keyFrameDuration, isTwoPass, encoder, dnxhrProfile, animation
    case h264Profile, level, maximumBFrameCount, maximumBitRate, bufferSize
  }

  /// The codec; H.264 if none was chosen.
  public var codec: Codec {
    get { chosenCodec ?? .h264 }
    set { chosenCodec = newValue }
  }

  /// Whether libavcodec has an encoder for the codec here. Whether a device responds is only known after trying it.
  public var isAvailable: Bool { encoderName.map { cff_encoder_exists($0) } ?? false }

  /// Pixel formats that the installed encoder accepts with these settings; empty if ``isAvailable`` is false.
  public var acceptedFormats: [PixelFormat] {
    guard let encoderName, isAvailable else { return [] }
    switch codec {
    // Palettes are found in R, G, B; libwebp converts R, G, B to its own Y′CbCr.
    case .gif, .webp: return [.bgra]
    case .h264 where encoder == .vaapi: return [.nv12]
    case _ where encoder == .vaapi: return [.nv12, .p010]
    default: break
    }
    return PixelFormat.all.filter { format in
      cff_encoder_accepts(encoderName, format.name) && isOfProfile(format)
    }
  }

  private func isOfProfile(_ format: PixelFormat) -> Bool {
    switch codec {
    case .h264: h264Profile == nil || (format.bitDepth == 8 && format.subsampling == .s420)
    case .proRes: proResProfile.map { $0.is4444 == (format.subsampling == .s444) } ?? true
    case .dnxhr: !format.isRGB && (dnxhrProfile.map { $0 == DNxHRProfile(usualFor: format) || $0.format == format } ?? true)
    default: true
    }
  }

  /// The accepted format that loses least of `format`: the same one if it is accepted, else one that keeps, in this order,
  /// alpha, chroma resolution, bit depth, and the kind of components. Among equals it is the cheapest.
  ///
  /// - Returns: `nil` if ``isAvailable`` is false.
  ///
  /// - Parameter container: The file or stream to write, which may hold fewer formats than the codec; `nil` for any.
  public func acceptedFormat(nearest format: PixelFormat, in container: MovieContainer? = nil) -> PixelFormat? {
    acceptedFormats.filter { container?.holds($0) ?? true }.min {
      loss(of: format, in: $0).lexicographicallyPrecedes(loss(of: format, in: $1))
    }
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
