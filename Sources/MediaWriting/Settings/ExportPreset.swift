public import CompositorAPI

/// A named set of export settings: container, codec, profile, depth, color, quality or rate, largest size, audio.
///
/// ```swift
/// try await edit.export(to: "for-the-phone.mp4", preset: .phone)
/// var settings = ExportSettings()
/// ExportPreset.archive.apply(to: &settings)
/// ```
///
/// Values that a preset leaves open follow the edit and its sources.
public enum ExportPreset: String, Hashable, Sendable, Codable, CaseIterable {
  /// For phones: H.264 High of at most 1080p, AAC. Plays everywhere.
  case phone
  /// For web browsers: H.264 of at most 1080p with a key frame every two seconds, AAC.
  case web
  /// For archiving: FFV1 and FLAC, lossless.
  case archive
  /// For editing programs: ProRes 422 and PCM.
  case edit
  /// An animated GIF of at most 480 pixels and 20 frames per second.
  case gif
  /// An animated WebP of at most 640 pixels and 30 frames per second.
  case webp
  /// BT.709 in H.264, 8 bits.
  case h264
  /// BT.709 in HEVC.
  case hevc
  /// HEVC Main 10.
  case hevc10 = "hevc-10"
  /// AV1.
  case av1
  /// VP9 and Opus in WebM.
  case vp9
  /// VP9 with alpha, and Opus, in WebM.
  case vp9Alpha = "vp9-alpha"
  /// ProRes 422 and PCM.
  case proRes422 = "prores-422"
  /// ProRes 4444 with alpha, and PCM.
  case proRes4444 = "prores-4444"
  /// DNxHR LB and PCM.
  case dnxhrLB = "dnxhr-lb"
  /// DNxHR SQ and PCM.
  case dnxhrSQ = "dnxhr-sq"
  /// DNxHR HQ and PCM.
  case dnxhrHQ = "dnxhr-hq"
  /// DNxHR HQX, 10 bits, and PCM.
  case dnxhrHQX = "dnxhr-hqx"
  /// DNxHR 444, 10 bits, and PCM.
  case dnxhr444 = "dnxhr-444"
  /// FFV1, lossless.
  case ffv1
  /// BT.709 in H.264, 8 bits.
  case h264SDR = "h264-sdr"
  /// BT.709 in HEVC.
  case hevcSDR = "hevc-sdr"
  /// HLG in HEVC Main 10.
  case hevcHLG = "hevc-hlg"
  /// PQ in HEVC Main 10: HDR10.
  case hevcPQ = "hevc-pq"
  /// HLG in AV1, 10 bits.
  case av1HLG = "av1-hlg"
  /// PQ in AV1, 10 bits.
  case av1PQ = "av1-pq"
  /// HLG in ProRes 422 HQ, for another grading.
  case proResHLG = "prores-hlg"
  /// PQ in ProRes 422 HQ, for another grading.
  case proResPQ = "prores-pq"
  /// HLG in FFV1, lossless.
  case ffv1HLG = "ffv1-hlg"
  /// PQ in FFV1, lossless.
  case ffv1PQ = "ffv1-pq"
  /// Audio alone: AAC.
  case aac
  /// Audio alone: MP3.
  case mp3
  /// Audio alone: Opus.
  case opus
  /// Audio alone: FLAC, lossless.
  case flac
  /// Audio alone: 24-bit PCM.
  case wav

  /// A preset's settings. A value of `nil` follows the edit, its sources and the file to write.
  public struct Definition: Hashable, Sendable {
    /// The preset's purpose, in a phrase.
    public let summary: String
    /// File formats that may be written, the default first.
    public let containers: [MovieContainer]
    /// Video encoding settings; `nil` for audio alone.
    public let video: VideoEncodingSettings?
    /// Pixel format of the frames.
    public var format: PixelFormat?
    /// Bits per component, if there is no ``format``.
    public var bitDepth: Int?
    /// Whether frames have the chroma subsampling and bit depth of the finest source.
    public var followsSourceLayout = false
    /// Color of the frames.
    public var color: ColorTags?
    /// Whether the frames keep alpha.
    public var keepsAlpha = false
    /// The bounding box that larger frames are scaled into, in either orientation.
    public var largestSize: PixelSize?
    /// Maximum frame rate in frames per second; faster movies drop frames evenly to stay below it.
    public var highestFrameRate: Int?
    /// Audio encoding settings.
    public var audio: AudioEncodingSettings?
    /// Whether audio has the channel count and sample rate of the richest source, unless others are requested.
    public var keepsSourceAudio = false

    fileprivate init(_ summary: String, _ containers: [MovieContainer]? = nil, _ video: VideoEncodingSettings?) {
      self.summary = summary
      self.video = video
      self.containers =
        containers
        ?? MovieContainer.allCases.filter { container in video.map { container.videoCodecs.contains($0.codec) } ?? false }
    }

    fileprivate func with(_ change: (inout Definition) -> Void) -> Definition {
      var copy = self
      change(&copy)
      return copy
    }
  }

  /// The preset's settings.
  public var definition: Definition {
    switch self {
    case .phone: .phone
    case .web: .web
    case .archive: .archive
    case .edit: .edit
    case .gif: .gif
    case .webp: .webp
    case .h264: Definition("what every player shows", nil, .init(codec: .h264)).with { $0.color = .bt709 }
    case .h264SDR: Definition("the same as h264", nil, .init(codec: .h264)).with { $0.color = .bt709 }
    case .hevc: Definition("half the size of H.264, newer players", nil, .init(codec: .hevc)).with { $0.color = .bt709 }
    case .hevcSDR: Definition("the same as hevc", nil, .init(codec: .hevc)).with { $0.color = .bt709 }
    case .hevc10: Definition("10 bits, the sources' color", nil, .init(codec: .hevc)).with { $0.bitDepth = 10 }
    case .hevcHLG: Definition("HDR as broadcast", nil, .init(codec: .hevc)).with { $0.color = .bt2100HLG }
    case .hevcPQ: Definition("HDR10", nil, .init(codec: .hevc)).with { $0.color = .bt2100PQ }
    case .av1: Definition("smallest, slowest", [.mp4, .mkv, .webm], .init(codec: .av1))
    case .av1HLG: Definition("HDR as broadcast, smallest", nil, .init(codec: .av1)).with { $0.color = .bt2100HLG }
    case .av1PQ: Definition("HDR10, smallest", nil, .init(codec: .av1)).with { $0.color = .bt2100PQ }
    case .vp9: Definition("web pages without H.264", [.webm, .mkv], .init(codec: .vp9)).with { $0.audio = .init(codec: .opus) }
    case .vp9Alpha: .vp9Alpha
    case .proRes422: .proRes422
    case .proRes4444: .proRes4444
    case .proResHLG: .grading(in: .bt2100HLG)
    case .proResPQ: .grading(in: .bt2100PQ)
    case .dnxhrLB: .dnxhr("offline editing", .lb)
    case .dnxhrSQ: .dnxhr("editing programs", .sq)
    case .dnxhrHQ: .dnxhr("editing programs, high quality", .hq)
    case .dnxhrHQX: .dnxhr("finishing in 10 bits", .hqx)
    case .dnxhr444: .dnxhr("graphics and grading", .p444)
    case .ffv1: Definition("without loss", nil, .init(codec: .ffv1)).with { $0.followsSourceLayout = true }
    case .ffv1HLG: Definition("HLG without loss", nil, .init(codec: .ffv1)).with { $0.color = .bt2100HLG }
    case .ffv1PQ: Definition("PQ without loss", nil, .init(codec: .ffv1)).with { $0.color = .bt2100PQ }
    case .aac: .audio("audio for phones", [.m4a], .init(codec: .aac, bitRate: 192_000))
    case .mp3: .audio("audio for everything", [.mp3], .init(codec: .mp3, bitRate: 192_000))
    case .opus: .audio("audio for the web, smallest", [.opus, .ogg], .init(codec: .opus, bitRate: 128_000))
    case .flac: .audio("audio without loss", [.flac, .ogg], .init(codec: .flac))
    case .wav: .audio("audio for editing programs", [.wav], .init(codec: .pcmInt24))
    }
  }

  /// The color of the frames; `nil` follows the edit and its sources.
  public var color: ColorTags? { definition.color }

  /// Video encoding settings; without a codec for presets of audio alone.
  public var video: VideoEncodingSettings { definition.video ?? VideoEncodingSettings() }

  /// The first of the preset's containers that can be written to a stream; `nil` if none can.
  package var streamableContainer: MovieContainer? { definition.containers.first(where: \.isStreamable) }
}

extension ExportPreset.Definition {
  fileprivate static let phone = Self("phones, televisions and everything else", [.mp4, .m4v, .mov], .init(codec: .h264)).with {
    ($0.format, $0.color, $0.largestSize, $0.highestFrameRate) = (.yuv420p, .bt709, .fullHD, 60)
    $0.audio = .init(codec: .aac, bitRate: 160_000)
  }

  fileprivate static let web = Self(
    "web pages", [.mp4], .init(codec: .h264, speed: .slow).with { $0.keyFrameDuration = .seconds(2) }
  ).with {
    ($0.format, $0.color, $0.largestSize, $0.highestFrameRate) = (.yuv420p, .bt709, .fullHD, 60)
    $0.audio = .init(codec: .aac, bitRate: 128_000)
  }

  fileprivate static let archive = Self("keeping, without loss", [.mkv], .init(codec: .ffv1)).with {
    $0.followsSourceLayout = true
    $0.keepsSourceAudio = true
    $0.audio = .init(codec: .flac)
  }

  fileprivate static let edit = Self("editing programs", [.mov], .init(codec: .proRes, proResProfile: .standard)).with {
    ($0.format, $0.audio) = (.planar(.s422, bitDepth: 10), .init(codec: .pcmInt24))
  }

  fileprivate static let gif = Self("messages and web pages, without audio", [.gif], .init(codec: .gif)).with {
    ($0.largestSize, $0.highestFrameRate) = (PixelSize(width: 480, height: 480), 20)
  }

  fileprivate static let webp = Self("messages and web pages, without audio", [.webp], .init(codec: .webp)).with {
    ($0.largestSize, $0.highestFrameRate) = (PixelSize(width: 640, height: 640), 30)
  }

  fileprivate static let vp9Alpha = Self("transparent movies on web pages", [.webm, .mkv], .init(codec: .vp9)).with {
    ($0.format, $0.keepsAlpha) = (.planar(.s420, bitDepth: 8, alpha: true), true)
    ($0.color, $0.audio) = (.bt709, .init(codec: .opus))
  }

  fileprivate static let proRes422 = Self("editing programs", [.mov, .mkv], .init(codec: .proRes, proResProfile: .standard))
    .with {
      ($0.format, $0.audio) = (.planar(.s422, bitDepth: 10), .init(codec: .pcmInt24))
    }

  fileprivate static let proRes4444 = Self("graphics with alpha", [.mov, .mkv], .init(codec: .proRes, proResProfile: .p4444))
    .with {
      ($0.format, $0.keepsAlpha) = (.planar(.s444, bitDepth: 10, alpha: true), true)
      $0.audio = .init(codec: .pcmInt24)
    }

  fileprivate static func grading(in color: ColorTags) -> Self {
    Self("another grading", nil, .init(codec: .proRes, proResProfile: .hq)).with { $0.color = color }
  }

  fileprivate static func dnxhr(_ summary: String, _ profile: VideoEncodingSettings.DNxHRProfile) -> Self {
    ExportPreset.Definition(summary, [.mov], VideoEncodingSettings(codec: .dnxhr).with { $0.dnxhrProfile = profile }).with {
      ($0.format, $0.audio) = (profile.format, .init(codec: .pcmInt24))
      // 8 bits are too few for HDR.
      if profile.format.bitDepth < 10 { $0.color = .bt709 }
    }
  }

  fileprivate static func audio(_ summary: String, _ containers: [MovieContainer], _ audio: AudioEncodingSettings) -> Self {
    ExportPreset.Definition(summary, containers, nil).with { $0.audio = audio }
  }
}

extension VideoEncodingSettings {
  fileprivate func with(_ change: (inout VideoEncodingSettings) -> Void) -> VideoEncodingSettings {
    var copy = self
    change(&copy)
    return copy
  }
}

extension PixelSize {
  fileprivate static var fullHD: PixelSize { PixelSize(width: 1920, height: 1080) }
}
