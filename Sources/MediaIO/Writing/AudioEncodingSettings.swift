import CCompositorFFmpeg
public import CompositorAPI

/// How sound is encoded.
public struct AudioEncodingSettings: Hashable, Sendable, Codable {
  /// A sound codec.
  public enum Codec: String, Hashable, Sendable, Codable, CaseIterable {
    /// AAC low complexity.
    case aac
    /// 16-bit integers, little-endian, rounded to nearest and clipped.
    case pcmInt16 = "pcm-s16"
    /// 24-bit integers, little-endian, rounded to nearest and clipped.
    case pcmInt24 = "pcm-s24"
    /// 32-bit floating point, little-endian, not clipped.
    case pcmFloat32 = "pcm-f32"

    /// Reads a word; what earlier versions wrote in camel case is read too.
    public init(from decoder: any Decoder) throws { self = try Self.word(from: decoder) }
  }

  /// The codec.
  public var codec: Codec
  /// Samples a second, 8000 … 192,000.
  public var sampleRate: Int
  /// Channels, 1 … 8, in the usual order of that number (2: left, right; 6: 5.1).
  public var channelCount: Int
  /// Bits a second, AAC only; nil takes 96,000 a channel.
  public var bitRate: Int?

  /// Makes settings; AAC, 48 kHz, stereo unless told otherwise.
  public init(codec: Codec = .aac, sampleRate: Int = 48_000, channelCount: Int = 2, bitRate: Int? = nil) {
    self.codec = codec
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.bitRate = bitRate
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

  /// The rates of ISO/IEC 14496-3, table 1.18, from 8000 on.
  private static let aacSampleRates = [
    96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000,
  ]

  func validate() throws(CompositorError) {
    guard isAvailable else {
      throw CompositorError(
        .encoderNotFound, "libavcodec has no encoder \(codec.encoderName).",
        recoverySuggestion: "Install a build of FFmpeg's libraries with it, or choose another audio codec.")
    }
    guard (8_000...192_000).contains(sampleRate) else {
      throw CompositorError(
        .unsupportedOutput, "Audio of \(sampleRate) samples a second cannot be written.",
        recoverySuggestion: "Use 8000 to 192000, usually 48000.")
    }
    guard codec != .aac || Self.aacSampleRates.contains(sampleRate) else {
      throw CompositorError(
        .unsupportedOutput, "AAC has no rate of \(sampleRate) samples a second.",
        recoverySuggestion: "Use one of \(Self.aacSampleRates.map(String.init).joined(separator: ", ")).")
    }
    guard (1...8).contains(channelCount) else {
      throw CompositorError(
        .unsupportedOutput, "Audio of \(channelCount) channels cannot be written.", recoverySuggestion: "Use 1 to 8 channels.")
    }
    if let bitRate, !(8_000...1_024_000).contains(bitRate) {
      throw CompositorError(
        .unsupportedOutput, "Audio cannot be encoded at \(bitRate) bits a second.", recoverySuggestion: "Use 8000 to 1024000.")
    }
  }
}

extension AudioEncodingSettings.Codec {
  /// libavcodec's name of the encoder.
  var encoderName: String {
    switch self {
    case .aac: "aac"
    case .pcmInt16: "pcm_s16le"
    case .pcmInt24: "pcm_s24le"
    case .pcmFloat32: "pcm_f32le"
    }
  }
}

extension AudioEncodingSettings.Codec: SpelledWord {}
