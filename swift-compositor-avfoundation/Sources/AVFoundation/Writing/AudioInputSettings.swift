internal import AVFAudio
internal import Compositor
internal import Foundation

/// How a writer encodes audio.
struct AudioInputSettings: Sendable {
  let encoding: AudioEncodingSettings

  /// Reads settings of an input.
  ///
  /// - Parameter hint: The format of the samples, which gives rate and channels if settings do not.
  /// - Throws: `.encoderNotFound` or `.formatUnsupported`: what cannot be done.
  init(_ settings: [String: Any], hint: CMFormatDescription?) throws(AVError) {
    let values = SettingsValues(settings)
    let stream = hint?.audioStreamBasicDescription
    guard let identifier = values.int(AVFormatIDKey).flatMap(AudioFormatID.init(exactly:)) else {
      throw AVError(.formatUnsupported, "The settings name no format.", suggestion: "Set AVFormatIDKey.")
    }
    let rate = values.double(AVSampleRateKey) ?? stream?.mSampleRate ?? 0
    let channels = values.int(AVNumberOfChannelsKey) ?? stream.map { Int($0.mChannelsPerFrame) } ?? 0
    guard rate >= 1, rate == rate.rounded(), channels > 0 else {
      throw AVError(
        .formatUnsupported, "\(channels) channels at \(rate) Hz cannot be written.",
        suggestion: "Set AVSampleRateKey and AVNumberOfChannelsKey.")
    }
    var encoding = AudioEncodingSettings(
      codec: try Self.codec(identifier, values), sampleRate: Int(rate), channelCount: channels)
    if encoding.codec == .aac || encoding.codec == .mp3 || encoding.codec == .opus {
      encoding.bitRate =
        values.int(AVEncoderBitRateKey) ?? values.int(AVEncoderBitRatePerChannelKey).map { $0 * channels }
    }
    if encoding.codec == .alac { encoding.bitDepth = (values.int(AVEncoderBitDepthHintKey) ?? 16) > 16 ? 24 : 16 }
    try Self.check(layout: values.values[AVChannelLayoutKey], of: channels)
    self.encoding = encoding
  }

  private static func codec(
    _ identifier: AudioFormatID, _ values: SettingsValues
  ) throws(AVError) -> AudioEncodingSettings.Codec {
    switch identifier {
    case kAudioFormatMPEG4AAC: return .aac
    case kAudioFormatAppleLossless: return .alac
    case kAudioFormatMPEGLayer3: return .mp3
    case kAudioFormatOpus: return .opus
    case kAudioFormatFLAC: return .flac
    case kAudioFormatLinearPCM:
      let format = PCMFormat(values, sampleRate: 1, channelCount: 1)
      if let format, !format.isBigEndian, format.isInterleaved {
        switch format.number {
        case .int16: return .pcmInt16
        case .int24: return .pcmInt24
        case .float32: return .pcmFloat32
        case .int32, .float64: break
        }
      }
      throw AVError(
        .formatUnsupported, "Uncompressed audio of this form cannot be written.",
        suggestion: "Use interleaved little-endian integers of 16 or 24 bits, or floating-point numbers of 32 bits.")
    default:
      throw AVError(
        .encoderNotFound, "There is no encoder for the audio format \(identifier).",
        suggestion: "Use kAudioFormatMPEG4AAC, kAudioFormatAppleLossless or kAudioFormatLinearPCM.")
    }
  }

  /// Channels are taken in the usual order of their number.
  private static func check(layout: Any?, of channels: Int) throws(AVError) {
    let data = (layout as? Data) ?? (layout as? NSData).map { Data(referencing: $0) }
    guard channels > 2, let data, data.count >= 4 else { return }
    let tag = data.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
    let usual = [
      kAudioChannelLayoutTag_MPEG_3_0_A, kAudioChannelLayoutTag_MPEG_5_1_A, kAudioChannelLayoutTag_MPEG_7_1_C,
    ]
    guard usual.contains(tag) || tag & 0xffff_0000 == kAudioChannelLayoutTag_Unknown else {
      throw AVError(
        .formatUnsupported, "The channels are in an order that cannot be written.",
        suggestion: "Use kAudioChannelLayoutTag_MPEG_5_1_A for six channels.")
    }
  }
}
