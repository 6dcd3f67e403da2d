import CCompositorFFmpeg
public import CompositorAPI
import CompositorMediaIO

/// Settings for encoding audio.
public struct AudioEncodingSettings: Hashable, Sendable {
  /// An audio codec.
  public enum Codec: String, Hashable, Sendable, Codable, CaseIterable {
    /// AAC low complexity.
    case aac
    /// Apple Lossless, of 24 or 16 bits.
    case alac
    /// FLAC, lossless, of 24 or 16 bits.
    case flac
    /// Opus.
    case opus
    /// MPEG-1 and MPEG-2 layer III, by LAME; one or two channels.
    case mp3
    /// 16-bit integers, little-endian, rounded to nearest and clipped.
    case pcmInt16 = "pcm-s16"
    /// 24-bit integers, little-endian, rounded to nearest and clipped.
    case pcmInt24 = "pcm-s24"
    /// 32-bit floating point, little-endian, not clipped.
    case pcmFloat32 = "pcm-f32"

    /// Whether the bytes depend on the processor's vendor: libopus uses the processor's approximation of 1/√x in its searches,
    /// whose last digits differ between vendors. The other codecs give the same bytes on every machine of one architecture.
    package var dependsOnProcessorMaker: Bool { self == .opus }
  }

  /// The requested codec; `nil` to use the default of the file format.
  public var chosenCodec: Codec?
  /// Sample rate in Hz, 8000 … 192,000; codecs have lists of their own (Opus: 48,000, 24,000, 16,000, 12,000, 8000).
  public var sampleRate: Int
  /// Number of channels, 1 … 8, in the usual order of that number (2: left, right; 6: 5.1); 1 or 2 for MP3.
  public var channelCount: Int
  /// Bit rate of a lossy codec in bits per second, 8000 … 1,024,000; `nil` for 96,000 per channel (AAC and MP3) or 64,000
  /// (Opus).
  public var bitRate: Int?
  /// Bits per sample of FLAC and ALAC, 16 or 24; `nil` for 24. Samples are rounded to nearest without dither, so unchanged
  /// audio of no more bits stays bit-exact.
  public var bitDepth: Int?

  /// Creates settings, by default for 48 kHz and stereo.
  ///
  /// - Parameter codec: The codec; `nil` for the default of the file format: AAC in a movie, the extension's codec in an audio
  ///   file.
  public init(
    codec: Codec? = nil, sampleRate: Int = 48_000, channelCount: Int = 2, bitRate: Int? = nil, bitDepth: Int? = nil
  ) {
    chosenCodec = codec
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.bitRate = bitRate
    self.bitDepth = bitDepth
  }

  /// The codec; AAC if none was chosen.
  public var codec: Codec {
    get { chosenCodec ?? .aac }
    set { chosenCodec = newValue }
  }

  /// The same settings, with the container's default codec if none was chosen.
  public func settled(for container: MovieContainer) -> AudioEncodingSettings {
    var settled = self
    settled.chosenCodec = chosenCodec ?? container.audioCodecs.first
    return settled
  }

  /// Whether an encoder for the codec is installed.
  public var isAvailable: Bool { cff_encoder_exists(codec.encoderName) }

  /// The number of samples in `duration`: `duration · sampleRate` rounded to nearest, halves up.
  ///
  /// Audio that accompanies video has this length for the end of the frames.
  public func sampleCount(lasting duration: MediaTime) -> Int64 {
    guard duration.isNumeric, duration.value > 0 else { return 0 }
    return duration.rounded(toUnitsOf: Rational(1, sampleRate))
  }
}

extension AudioEncodingSettings: Codable {
  // Earlier versions always wrote `chosenCodec`, as `codec`.
  private enum CodingKeys: String, CodingKey {
    case chosenCodec = "codec"
    case sampleRate, channelCount, bitRate, bitDepth
  }
}

extension AudioEncodingSettings {
  func validate() throws(CompositorError) {
    guard isAvailable else {
      throw CompositorError(
        .encoderNotFound, "libavcodec has no encoder \(codec.encoderName).",
        recoverySuggestion: "Install a build of FFmpeg's libraries with it, or choose another audio codec.")
    }
    try validateRate()
    try validateChannels()
    if let bitRate, !Self.bitRates.contains(bitRate) {
      throw CompositorError(
        .unsupportedOutput, "Audio cannot be encoded at \(bitRate) bits a second.",
        recoverySuggestion: "Use \(Self.bitRates.readable).", at: ErrorLocation(path: "audio.bitRate"))
    }
    if let bitRate, let most = mostBits, bitRate > most {
      throw CompositorError(
        .unsupportedOutput,
        "\(codec.name) has at most \(most) bits a second for \(channelCount) channel\(channelCount == 1 ? "" : "s") at \(sampleRate) Hz, not \(bitRate).",
        recoverySuggestion: "Use \(most) or less.", at: ErrorLocation(path: "audio.bitRate"))
    }
    if let bitDepth, codec.hasBitDepth ? ![16, 24].contains(bitDepth) : true {
      throw CompositorError(
        .unsupportedOutput, "\(codec.rawValue) has no samples of \(bitDepth) bits to choose.",
        recoverySuggestion: codec.hasBitDepth ? "Use 16 or 24." : "Leave the bit depth out, or use flac or alac.",
        at: ErrorLocation(path: "audio.bitDepth"))
    }
  }

  /// The highest bit rate of codecs that have one: libopus takes 256 kbit/s for each channel, and MP3 has tables (ISO/IEC 13818-3) for
  /// rates from 32 kHz and below.
  private var mostBits: Int? {
    switch codec {
    case .opus: 256_000 * channelCount
    case .mp3: sampleRate >= 32_000 ? 320_000 : 160_000
    default: nil
    }
  }

  private func validateRate() throws(CompositorError) {
    guard Self.sampleRates.contains(sampleRate) else {
      throw CompositorError(
        .unsupportedOutput, "Audio of \(sampleRate) samples a second cannot be written.",
        recoverySuggestion: "Use \(Self.sampleRates.readable), usually 48000.", at: ErrorLocation(path: "audio.sampleRate"))
    }
    guard !cff_audio_encoder_takes_rate(codec.encoderName, Int32(sampleRate)) else { return }
    let rates = Self.usualRates.filter { cff_audio_encoder_takes_rate(codec.encoderName, Int32($0)) }
    throw CompositorError(
      .unsupportedOutput, "\(codec.name) has no rate of \(sampleRate) samples a second.",
      recoverySuggestion: "Use \(alternatives(rates.map(String.init))).",
      at: ErrorLocation(path: "audio.sampleRate"))
  }

  private func validateChannels() throws(CompositorError) {
    guard Self.channelCounts.contains(channelCount) else {
      throw CompositorError(
        .unsupportedOutput, "Audio of \(channelCount) channels cannot be written.",
        recoverySuggestion: "Use \(Self.channelCounts.readable) channels.", at: ErrorLocation(path: "audio.channels"))
    }
    guard !codec.takes(channelCount: channelCount) else { return }
    let counts = Self.channelCounts.filter { codec.takes(channelCount: $0) }
    throw CompositorError(
      .unsupportedOutput, "\(codec.name) cannot hold \(channelCount) channels in their usual order.",
      recoverySuggestion: "Use \(alternatives(counts.map(String.init))) channel\(counts == [1] ? "" : "s"), or another codec.",
      at: ErrorLocation(path: "audio.channels"))
  }

  /// Sample rates listed by any codec, from 8000 Hz.
  private static let usualRates = [
    192_000, 176_400, 96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000,
  ]

  /// The sample rate that the codec supports and that loses least of audio at `rate`: the rate itself, or the next higher one,
  /// or the highest.
  package func supportedSampleRate(nearest rate: Int) -> Int {
    func takes(_ rate: Int) -> Bool {
      Self.sampleRates.contains(rate) && cff_audio_encoder_takes_rate(codec.encoderName, Int32(rate))
    }
    guard !takes(rate) else { return rate }
    let rates = Self.usualRates.filter(takes)
    return rates.last { $0 >= rate } ?? rates.first ?? 48_000
  }

  /// The number of channels that the codec supports and that loses least of audio with `count` channels. Layouts other than
  /// mono, stereo, 5.1 and 7.1 are held by the next larger one, in which each channel has a place.
  package func supportedChannelCount(nearest count: Int) -> Int {
    let counts = [1, 2, 6, 8].filter { codec.takes(channelCount: $0) }
    return counts.first { $0 >= count } ?? counts.last ?? 2
  }

  /// Bit rate for the encoder in bits per second; 0 for lossless codecs.
  var encoderBitRate: Int64 {
    codec.isLossless ? 0 : Int64(bitRate ?? codec.usualBitRatePerChannel * channelCount)
  }

  /// Significant bits of integers; 0 if the encoder's name implies them.
  var encoderBitDepth: Int32 { codec.hasBitDepth ? Int32(bitDepth ?? 24) : 0 }
}

extension AudioEncodingSettings.Codec {
  /// libavcodec's name of the encoder.
  var encoderName: String {
    switch self {
    case .aac: "aac"
    case .alac: "alac"
    case .flac: "flac"
    case .opus: "libopus"
    case .mp3: "libmp3lame"
    case .pcmInt16: "pcm_s16le"
    case .pcmInt24: "pcm_s24le"
    case .pcmFloat32: "pcm_f32le"
    }
  }

  /// The name in messages.
  fileprivate var name: String {
    switch self {
    case .aac, .alac, .flac, .mp3: rawValue.uppercased()
    case .opus: "Opus"
    case .pcmInt16, .pcmInt24, .pcmFloat32: rawValue
    }
  }

  /// Whether the bit depth can be chosen.
  fileprivate var hasBitDepth: Bool { self == .flac || self == .alac }

  /// Whether audio is unchanged by encoding, except for its bit depth.
  package var isLossless: Bool {
    switch self {
    case .pcmInt16, .pcmInt24, .pcmFloat32, .flac, .alac: true
    case .aac, .opus, .mp3: false
    }
  }

  /// Default bit rate per channel of a lossy codec, in bits per second.
  fileprivate var usualBitRatePerChannel: Int {
    switch self {
    case .aac, .mp3: 96_000
    case .opus: 64_000
    case .alac, .flac, .pcmInt16, .pcmInt24, .pcmFloat32: 0
    }
  }

  /// Whether the codec supports the usual order of this number of channels. Opus uses another layout for four channels.
  fileprivate func takes(channelCount: Int) -> Bool {
    if self == .opus, channelCount == 4 { return false }
    return cff_audio_encoder_takes_channels(encoderName, Int32(channelCount))
  }
}
