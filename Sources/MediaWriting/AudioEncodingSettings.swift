import CCompositorFFmpeg
public import CompositorAPI
import CompositorMediaIO

/// How audio is encoded.
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

    /// Reads a word; what earlier versions wrote in camel case is read too.
    public init(from decoder: any Decoder) throws { self = try Self.word(from: decoder) }
  }

  /// The codec that was asked for; nil where that is left to the file that is written.
  public var chosenCodec: Codec?
  /// Samples a second, 8000 … 192,000; codecs have lists of their own (Opus: 48,000, 24,000, 16,000, 12,000, 8000).
  public var sampleRate: Int
  /// Channels, 1 … 8, in the usual order of that number (2: left, right; 6: 5.1); of MP3 1 or 2.
  public var channelCount: Int
  /// Bits a second of a lossy codec, 8000 … 1,024,000; nil takes 96,000 a channel for AAC and MP3, 64,000 for Opus.
  public var bitRate: Int?
  /// Bits of a sample in FLAC and ALAC, 16 or 24; nil takes 24. Samples are rounded to nearest, without dither, so audio that has no more
  /// bits and is not changed comes out as it was, bit by bit.
  public var bitDepth: Int?

  /// Makes settings; 48 kHz and stereo unless told otherwise.
  ///
  /// - Parameter codec: The codec; nil takes what is usual in the file that is written: AAC in a movie, what its name says in a file of
  ///   audio alone.
  public init(
    codec: Codec? = nil, sampleRate: Int = 48_000, channelCount: Int = 2, bitRate: Int? = nil, bitDepth: Int? = nil
  ) {
    chosenCodec = codec
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.bitRate = bitRate
    self.bitDepth = bitDepth
  }

  /// The codec; AAC where none was chosen.
  public var codec: Codec {
    get { chosenCodec ?? .aac }
    set { chosenCodec = newValue }
  }

  /// The same with the codec that is usual in a container, where none was chosen.
  public func settled(for container: MovieContainer) -> AudioEncodingSettings {
    var settled = self
    settled.chosenCodec = chosenCodec ?? container.audioCodecs.first
    return settled
  }

  /// Whether an encoder for the codec is there on this machine.
  public var isAvailable: Bool { cff_encoder_exists(codec.encoderName) }

  /// The number of samples that last as long as `duration`: `duration · sampleRate` rounded to nearest, halves up.
  ///
  /// Sound that accompanies pictures has this length for the pictures' end.
  public func sampleCount(lasting duration: MediaTime) -> Int64 {
    guard duration.isNumeric, duration.value > 0 else { return 0 }
    return duration.rounded(toUnitsOf: Rational(1, sampleRate))
  }
}

extension AudioEncodingSettings: Codable {
  // `chosenCodec` was once always there, as `codec`.
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
    if let bitRate, !(8_000...1_024_000).contains(bitRate) {
      throw CompositorError(
        .unsupportedOutput, "Audio cannot be encoded at \(bitRate) bits a second.", recoverySuggestion: "Use 8000 to 1024000.")
    }
    if let bitDepth, codec.hasBitDepth ? ![16, 24].contains(bitDepth) : true {
      throw CompositorError(
        .unsupportedOutput, "\(codec.rawValue) has no samples of \(bitDepth) bits to choose.",
        recoverySuggestion: codec.hasBitDepth ? "Use 16 or 24." : "Leave the bit depth out, or use flac or alac.")
    }
  }

  private func validateRate() throws(CompositorError) {
    guard (8_000...192_000).contains(sampleRate) else {
      throw CompositorError(
        .unsupportedOutput, "Audio of \(sampleRate) samples a second cannot be written.",
        recoverySuggestion: "Use 8000 to 192000, usually 48000.")
    }
    guard !cff_audio_encoder_takes_rate(codec.encoderName, Int32(sampleRate)) else { return }
    let rates = Self.usualRates.filter { cff_audio_encoder_takes_rate(codec.encoderName, Int32($0)) }
    throw CompositorError(
      .unsupportedOutput, "\(codec.name) has no rate of \(sampleRate) samples a second.",
      recoverySuggestion: "Use one of \(rates.map(String.init).joined(separator: ", ")).")
  }

  private func validateChannels() throws(CompositorError) {
    guard (1...8).contains(channelCount) else {
      throw CompositorError(
        .unsupportedOutput, "Audio of \(channelCount) channels cannot be written.", recoverySuggestion: "Use 1 to 8 channels.")
    }
    guard !codec.takes(channelCount: channelCount) else { return }
    let counts = (1...8).filter { codec.takes(channelCount: $0) }
    throw CompositorError(
      .unsupportedOutput, "\(codec.name) cannot hold \(channelCount) channels in their usual order.",
      recoverySuggestion: "Use \(counts.map(String.init).joined(separator: ", ")) channels, or another codec.")
  }

  /// Rates that any codec lists, from 8000 on.
  private static let usualRates = [
    192_000, 176_400, 96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000,
  ]

  /// Bits a second for the encoder; 0 for codecs without loss.
  var encoderBitRate: Int64 {
    codec.isLossless ? 0 : Int64(bitRate ?? codec.usualBitRatePerChannel * channelCount)
  }

  /// Significant bits of whole numbers; 0 where the encoder's name says it.
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

  /// Whether the bits of a sample can be chosen.
  fileprivate var hasBitDepth: Bool { self == .flac || self == .alac }

  /// Whether audio comes out as it went in, but for the depth of its samples.
  package var isLossless: Bool { ![.aac, .mp3, .opus].contains(self) }

  /// Bits a second for each channel of a lossy codec.
  fileprivate var usualBitRatePerChannel: Int {
    switch self {
    case .aac, .mp3: 96_000
    case .opus: 64_000
    case .alac, .flac, .pcmInt16, .pcmInt24, .pcmFloat32: 0
    }
  }

  /// Whether the codec has the usual order of so many channels. Opus' four channels are another layout.
  fileprivate func takes(channelCount: Int) -> Bool {
    if self == .opus, channelCount == 4 { return false }
    return cff_audio_encoder_takes_channels(encoderName, Int32(channelCount))
  }
}

extension AudioEncodingSettings.Codec: SpelledWord {}
