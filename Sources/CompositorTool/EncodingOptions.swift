public import ArgumentParser
public import CompositorAPI
import CompositorExport
import CompositorHost
import CompositorMediaIO
public import CompositorMediaWriting
public import CompositorProjectFormat

/// Size, rate and how the encoder works, over what a project and a preset say.
struct EncodingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Columns and rows of what is written. Another aspect than the project's gets bars in its background color; a project that \
      leaves its size open, and the clips of join, are laid out anew.
      """, valueName: "WxH"))
  var size: PixelSize?

  @Option(
    help: ArgumentHelp(
      "Frames a second of what is written, such as 30, 29.97 or 30000/1001: frames are left out or repeated.", valueName: "rate"
    ))
  var fps: FrameRateValue?

  @Option(
    help: ArgumentHelp(
      "Average bits a second of video, such as 8M or 800k: \(VideoEncodingSettings.Codec.namesWithRateControl).",
      valueName: "rate"))
  var bitRate: BitRate?

  @Option(help: ArgumentHelp("Bits a second of lossy audio, such as 160k.", valueName: "rate"))
  var audioBitRate: BitRate?

  @Flag(help: "Encode twice, to come closer to --bit-rate.")
  var twoPass = false

  @Option(help: ArgumentHelp("The largest distance of key frames: 48, 48f or 2s.", valueName: "distance"))
  var keyInterval: KeyFrameInterval?

  @Option(
    help: """
      What encodes: software, vaapi or nvenc (h264, hevc and av1). A device's bytes differ from machine to machine; none is used unless \
      named.
      """)
  var encoder: VideoEncodingSettings.Encoder?

  @Flag(
    help: "A draft to look at, not to keep: at most 960x540, sampled cheaply, encoded fast.")
  var draft = false

  @Option(
    help: """
      How pictures are resampled whose clips do not say it: fast, good or best. By default good where size and rotation hold still, else \
      fast.
      """)
  var sampling: SamplingQuality?

  @Option(help: "Whether all frames of a GIF share a palette, or each has its own: shared or per-frame.")
  var palette: VideoEncodingSettings.AnimationSettings.Palette?

  @Option(
    help: """
      How a GIF shows colors between those of its palette: \
      \(VideoEncodingSettings.AnimationSettings.Dithering.allCases.map(\.rawValue).joined(separator: ", ")).
      """)
  var dithering: VideoEncodingSettings.AnimationSettings.Dithering?

  @Option(help: "How often a GIF or WebP plays, 1 to 65535; without end unless given.")
  var playCount: Int?

  @Flag(help: "Write a WebP without loss.")
  var lossless = false

  func validate() throws {
    if let playCount, !(1...65_535).contains(playCount) { throw ValidationError("--play-count takes 1 to 65535.") }
    if let audioBitRate, !(8000...1_024_000).contains(audioBitRate.bitsPerSecond) {
      throw ValidationError("--audio-bit-rate takes 8k to 1024k.")
    }
  }

  /// The first option given that is for the video of movies alone.
  var videoOption: String? {
    let options = [
      ("--bit-rate", bitRate != nil), ("--two-pass", twoPass), ("--key-interval", keyInterval != nil),
      ("--encoder", encoder != nil), ("--palette", palette != nil), ("--dithering", dithering != nil),
      ("--play-count", playCount != nil), ("--lossless", lossless),
    ]
    return options.first { $0.1 }?.0
  }

  /// The first option given that is for frames, in movies or as images.
  var frameOption: String? {
    let options = [("--size", size != nil), ("--fps", fps != nil), ("--draft", draft)]
    return options.first { $0.1 }?.0
  }

  /// Puts what was given over video settings.
  func apply(to video: inout VideoEncodingSettings) {
    if let bitRate { video.quality = .bitRate(bitRate.bitsPerSecond) }
    if twoPass { video.isTwoPass = true }
    if let encoder { video.encoder = encoder }
    if draft, video.codec.hasRateControl { video.speed = .ultrafast }
    switch keyInterval {
    case .frames(let count): (video.keyFrameInterval, video.keyFrameDuration) = (count, nil)
    case .time(let time): (video.keyFrameInterval, video.keyFrameDuration) = (nil, time)
    case nil: break
    }
    if let palette { video.animation.palette = palette }
    if let dithering { video.animation.dithering = dithering }
    if let playCount { video.animation.playCount = playCount }
    if lossless { video.animation.isLossless = true }
  }

  /// Puts what was given over the settings of an export.
  func apply(to settings: inout ExportSettings) {
    if let size { settings.size = size }
    if let fps { settings.frameRate = fps.rate }
    if let sampling { settings.render.sampling = sampling }
    guard draft else { return }
    settings.largestSize = PixelSize(width: 960, height: 540)
    settings.render.quality = .draft
  }

  /// What was given must go together with the codecs.
  func check(_ video: VideoEncodingSettings, _ audio: AudioEncodingSettings?, in container: MovieContainer) throws {
    let animations = [("--palette", palette != nil), ("--dithering", dithering != nil)].first { $0.1 }?.0
    if let animations, video.codec != .gif {
      throw ValidationError("\(animations) is for gif, and the codec is \(video.codec.rawValue).")
    }
    if playCount != nil, !video.codec.isAnimation {
      throw ValidationError("--play-count is for gif and webp, and the codec is \(video.codec.rawValue).")
    }
    if lossless, video.codec != .webp {
      throw ValidationError("--lossless is for webp, and the codec is \(video.codec.rawValue).")
    }
    if keyInterval != nil, !video.codec.hasRateControl {
      throw ValidationError(
        "--key-interval is for \(VideoEncodingSettings.Codec.namesWithRateControl), and the codec is \(video.codec.rawValue).")
    }
    guard audioBitRate != nil else { return }
    guard let codec = audio?.settled(for: container).codec, !container.audioCodecs.isEmpty else {
      throw ValidationError("--audio-bit-rate: nothing is heard.")
    }
    guard !codec.isLossless else {
      throw ValidationError("--audio-bit-rate is for lossy audio, and the codec is \(codec.rawValue).")
    }
  }
}

extension SamplingQuality: ExpressibleByArgument {}

extension PixelSize: ExpressibleByArgument {
  /// Reads `1280x720`.
  public init?(argument: String) {
    let parts = argument.split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count == 2, let width = Int(parts[0]), let height = Int(parts[1]), (1...16_384).contains(width),
      (1...16_384).contains(height)
    else { return nil }
    self.init(width: width, height: height)
  }
}

extension FrameRateValue: ExpressibleByArgument {
  /// Reads a rate as projects write it.
  public init?(argument: String) {
    guard let value = try? FrameRateValue(argument) else { return nil }
    self = value
  }
}

extension BitRate: ExpressibleByArgument {
  /// Reads `8M`, `800k` or a number.
  public init?(argument: String) { self.init(argument) }
}

extension KeyFrameInterval: ExpressibleByArgument {
  /// Reads a number of frames, or a time.
  public init?(argument: String) {
    guard let value = try? KeyFrameInterval(argument) else { return nil }
    self = value
  }
}

extension VideoEncodingSettings.Encoder: ExpressibleByArgument {}
extension VideoEncodingSettings.AnimationSettings.Palette: ExpressibleByArgument {}
extension VideoEncodingSettings.AnimationSettings.Dithering: ExpressibleByArgument {}
