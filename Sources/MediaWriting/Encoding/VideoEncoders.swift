public import CompositorAPI

extension VideoEncodingSettings {
  /// The kind of encoder.
  public enum Encoder: String, Hashable, Sendable, Codable, CaseIterable {
    /// An encoder on the processor: the same bytes on every machine of one architecture with the same versions of the encoders'
    /// libraries. On x86-64, this requires AVX2 for H.264.
    case software
    /// A VA-API device (Intel, AMD): H.264, HEVC and AV1. The bytes depend on device and driver.
    case vaapi
    /// An NVIDIA device: H.264, HEVC and AV1. The bytes depend on device and driver.
    case nvenc
  }

  /// A DNxHR profile.
  public enum DNxHRProfile: String, Hashable, Sendable, Codable, CaseIterable {
    /// 8-bit 4:2:2, lowest rate.
    case lb
    /// 8-bit 4:2:2.
    case sq
    /// 8-bit 4:2:2, high quality.
    case hq
    /// 10-bit 4:2:2, high quality.
    case hqx
    /// 10-bit 4:4:4.
    case p444 = "444"

    /// Pixel format of the frames.
    public var format: PixelFormat {
      switch self {
      case .lb, .sq, .hq: .planar(.s422, bitDepth: 8)
      case .hqx: .planar(.s422, bitDepth: 10)
      case .p444: .planar(.s444, bitDepth: 10)
      }
    }

    /// The default profile for a pixel format.
    init(usualFor format: PixelFormat) {
      self = format.subsampling == .s444 ? .p444 : format.bitDepth > 8 ? .hqx : .hq
    }
  }

  /// Settings for animated GIF and WebP.
  public struct AnimationSettings: Hashable, Sendable, Codable {
    /// The source of a GIF's 256 colors.
    public enum Palette: String, Hashable, Sendable, Codable, CaseIterable {
      /// One palette for all frames, which are rendered twice for it.
      case shared
      /// A palette for each frame: more colors in all, but a larger file, and colors that flicker from frame to frame.
      case perFrame = "per-frame"
    }

    /// The dithering of colors between those of the palette.
    public enum Dithering: String, Hashable, Sendable, Codable, CaseIterable {
      /// The nearest color: smallest, with bands.
      case none
      /// An ordered pattern, which is static where the frame is.
      case bayer
      /// Error diffusion by Floyd and Steinberg.
      case floydSteinberg = "floyd-steinberg"
      /// Error diffusion by Frankie Sierra, over two rows.
      case sierra2
      /// Error diffusion by Frankie Sierra with the fewest terms.
      case sierra2Lite = "sierra2-4a"
    }

    /// The source of a GIF's 256 colors. Default `.shared`.
    public var palette = Palette.shared
    /// The dithering of colors between those of the palette. Default `.sierra2Lite`.
    public var dithering = Dithering.sierra2Lite
    /// Number of times the animation plays, 1 … 65,535; 0 for endlessly. `nil` (the default) plays it as often as the only source if that
    /// is an animated image, and endlessly otherwise.
    public var playCount: Int?
    /// Whether a WebP is lossless. Default false.
    public var isLossless = false

    /// Creates settings.
    public init(
      palette: Palette = .shared, dithering: Dithering = .sierra2Lite, playCount: Int? = nil, isLossless: Bool = false
    ) {
      self.palette = palette
      self.dithering = dithering
      self.playCount = playCount
      self.isLossless = isLossless
    }
  }

  /// libavcodec's name of the encoder; `nil` if there is none of this kind.
  var encoderName: String? {
    switch (encoder, codec) {
    case (.vaapi, .h264), (.vaapi, .hevc), (.vaapi, .av1): "\(codec.rawValue)_vaapi"
    case (.nvenc, .h264), (.nvenc, .hevc), (.nvenc, .av1): "\(codec.rawValue)_nvenc"
    case (.software, _): codec.softwareEncoderName
    default: nil
    }
  }
}

extension VideoEncodingSettings.AnimationSettings {
  func validate() throws(CompositorError) {
    guard let playCount, !Self.playCounts.contains(playCount) else { return }
    throw CompositorError(
      .unsupportedOutput, "An animation cannot play \(playCount) times.",
      recoverySuggestion: "Use 1 to \(Self.playCounts.upperBound), or 0 to play without end.")
  }
}

extension VideoEncodingSettings.AnimationSettings.Dithering {
  /// libavfilter's name.
  var filterName: String {
    switch self {
    case .none, .bayer, .sierra2: rawValue
    case .floydSteinberg: "floyd_steinberg"
    case .sierra2Lite: "sierra2_4a"
    }
  }
}

extension VideoEncodingSettings.Codec {
  /// libavcodec's name of the software encoder.
  fileprivate var softwareEncoderName: String {
    switch self {
    case .h264: "libx264"
    case .hevc: "libx265"
    case .av1: "libaom-av1"
    case .proRes: "prores_ks"
    case .ffv1: "ffv1"
    case .vp9: "libvpx-vp9"
    case .dnxhr: "dnxhd"
    case .gif: "gif"
    case .webp: "libwebp_anim"
    case .raw: "rawvideo"
    }
  }
}
