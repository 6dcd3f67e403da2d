public import ArgumentParser
public import Compositor

/// Options for size, frame rate and the encoder. They override the project and the preset.
struct EncodingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      The size of the output in pixels. If its aspect ratio differs from the project's, bars in the background color are added; a \
      project without a size, and the clips of join, are laid out for the new size instead.
      """, valueName: "WxH"))
  var size: PixelSize?

  @Option(
    help: ArgumentHelp(
      "The frame rate of the output, such as 30, 29.97 or 30000/1001. Frames are dropped or repeated.", valueName: "rate"
    ))
  var fps: FrameRateValue?

  @Option(
    help: ArgumentHelp(
      "The average bit rate of video in bits per second, such as 8M or 800k: \(VideoEncodingSettings.Codec.namesWithRateControl).",
      valueName: "rate"))
  var bitRate: BitRate?

  @Option(help: ArgumentHelp("The bit rate of lossy audio in bits per second, such as 160k.", valueName: "rate"))
  var audioBitRate: BitRate?

  @Option(
    help: ArgumentHelp(
      """
      The sample rate of the output in Hz, \(AudioEncodingSettings.sampleRates.readable), such as 48000. By default that of the \
      first clip with audio, or the project's.
      """, valueName: "rate"))
  var sampleRate: Int?

  @Option(
    help: ArgumentHelp(
      """
      The number of audio channels of the output, \(AudioEncodingSettings.channelCounts.readable): 2 for stereo, 6 for 5.1. By \
      default as for --sample-rate.
      """,
      valueName: "number"))
  var channels: Int?

  @Flag(help: "Encode in two passes, to meet --bit-rate more closely.")
  var twoPass = false

  @Option(help: ArgumentHelp("The largest distance between key frames: 48, 48f or 2s.", valueName: "distance"))
  var keyInterval: KeyFrameInterval?

  @Option(
    help: """
      The encoder: software, vaapi or nvenc (h264, hevc and av1). A hardware encoder is used only if it is named; its bytes differ \
      from machine to machine.
      """)
  var encoder: VideoEncodingSettings.Encoder?

  @Option(
    help: ArgumentHelp(
      """
      Threads of the encoder, 1 to 64. The default depends on the frame size: 4 up to 1920x1088, 8 up to 3840x2160, 16 above. The \
      bytes of h264, hevc and av1 depend on it, and on nothing else about the machine.
      """, valueName: "number"))
  var encoderThreads: Int?

  @Flag(
    help: "A draft for previewing: at most 960x540, with fast sampling and fast encoding.")
  var draft = false

  @Option(
    help: """
      The sampling of clips that don't set their own: fast, good or best. By default good if size and rotation are constant, otherwise \
      fast.
      """)
  var sampling: SamplingQuality?

  @Option(help: "The palette of a GIF: shared by all frames, or per-frame.")
  var palette: VideoEncodingSettings.AnimationSettings.Palette?

  @Option(
    help: """
      The dithering of a GIF, for colors between those of its palette: \
      \(VideoEncodingSettings.AnimationSettings.Dithering.allCases.map(\.rawValue).joined(separator: ", ")).
      """)
  var dithering: VideoEncodingSettings.AnimationSettings.Dithering?

  @Option(
    help:
      "How many times a GIF or WebP plays, 1 to 65535, or 0 for endlessly. By default as often as the source that it is made of, if that is an animated image, or endlessly."
  )
  var playCount: Int?

  @Flag(help: "Write a lossless WebP.")
  var lossless = false

  func validate() throws {
    try require(playCount, in: VideoEncodingSettings.AnimationSettings.playCounts, for: "--play-count")
    try require(encoderThreads, in: VideoEncodingSettings.threadCounts, for: "--encoder-threads")
    let bitRates = AudioEncodingSettings.bitRates
    if let audioBitRate, !bitRates.contains(audioBitRate.bitsPerSecond) {
      throw ValidationError("--audio-bit-rate takes \(bitRates.lowerBound / 1000)k to \(bitRates.upperBound / 1000)k.")
    }
    try require(sampleRate, in: AudioEncodingSettings.sampleRates, for: "--sample-rate")
    try require(channels, in: AudioEncodingSettings.channelCounts, for: "--channels")
  }

  /// The name of the first option given that applies only to the video of movies; `nil` if none was.
  var videoOption: String? {
    let options = [
      ("--bit-rate", bitRate != nil), ("--two-pass", twoPass), ("--key-interval", keyInterval != nil),
      ("--encoder", encoder != nil), ("--encoder-threads", encoderThreads != nil), ("--palette", palette != nil),
      ("--dithering", dithering != nil), ("--play-count", playCount != nil), ("--lossless", lossless),
    ]
    return options.first { $0.1 }?.0
  }

  /// The name of the first option given that applies to frames, in movies or as images; `nil` if none was.
  var frameOption: String? {
    let options = [("--size", size != nil), ("--fps", fps != nil), ("--draft", draft)]
    return options.first { $0.1 }?.0
  }

  /// The name of the first option given that applies to audio; `nil` if none was.
  var audioOption: String? {
    let options = [
      ("--audio-bit-rate", audioBitRate != nil), ("--sample-rate", sampleRate != nil), ("--channels", channels != nil),
    ]
    return options.first { $0.1 }?.0
  }

  /// Adds the options that were given to the overrides of an output.
  func apply(to overrides: inout OutputOverrides) {
    (overrides.size, overrides.frameRate, overrides.sampling) = (size, fps?.rate, sampling)
    overrides.bitRate = bitRate?.bitsPerSecond
    overrides.isTwoPass = twoPass ? true : nil
    (overrides.keyFrameInterval, overrides.isDraft) = (keyInterval, draft)
    (overrides.encoder, overrides.encoderThreadCount) = (encoder, encoderThreads)
    (overrides.palette, overrides.dithering, overrides.playCount) = (palette, dithering, playCount)
    overrides.isLossless = lossless ? true : nil
    overrides.audioBitRate = audioBitRate?.bitsPerSecond
    (overrides.sampleRate, overrides.channelCount) = (sampleRate, channels)
  }

  /// Checks that the options match the codecs.
  func check(_ video: VideoEncodingSettings, _ audio: AudioEncodingSettings?, in container: MovieContainer) throws {
    let animations = [("--palette", palette != nil), ("--dithering", dithering != nil)].first { $0.1 }?.0
    if let animations, video.codec != .gif {
      throw ValidationError("\(animations) is for gif, but the codec is \(video.codec.rawValue).")
    }
    if playCount != nil, !video.codec.isAnimation {
      throw ValidationError("--play-count is for gif and webp, but the codec is \(video.codec.rawValue).")
    }
    if encoderThreads != nil, !video.codec.hasThreads {
      throw ValidationError("--encoder-threads: the encoder of \(video.codec.rawValue) uses no threads.")
    }
    if lossless, video.codec != .webp {
      throw ValidationError("--lossless is for webp, but the codec is \(video.codec.rawValue).")
    }
    if keyInterval != nil, !video.codec.hasRateControl {
      throw ValidationError(
        "--key-interval is for \(VideoEncodingSettings.Codec.namesWithRateControl), but the codec is \(video.codec.rawValue).")
    }
    guard let audioOption else { return }
    guard let codec = audio?.settled(for: container).codec, !container.audioCodecs.isEmpty else {
      throw ValidationError("\(audioOption): the output has no audio.")
    }
    guard audioBitRate != nil else { return }
    guard !codec.isLossless else {
      throw ValidationError("--audio-bit-rate is for lossy audio, but the codec is \(codec.rawValue).")
    }
  }
}

extension SamplingQuality: ExpressibleByArgument {}

extension PixelSize: ExpressibleByArgument {
  /// Reads `1280x720`.
  public init?(argument: String) {
    let parts = argument.split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count == 2, let width = Int(parts[0]), let height = Int(parts[1]) else { return nil }
    self.init(width: width, height: height)
    guard isRenderable else { return nil }
  }
}

extension FrameRateValue: ExpressibleByArgument {
  /// Reads a frame rate as in projects, such as `29.97` or `30000/1001`.
  public init?(argument: String) {
    guard let value = try? FrameRateValue(argument) else { return nil }
    self = value
  }
}

extension BitRate: ExpressibleByArgument {
  /// Reads `8M`, `800k` or a number of bits per second.
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
