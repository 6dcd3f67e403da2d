@_exported public import CoreAudioTypes
internal import Foundation

// Keys of settings of audio, as readers and writers take them.

/// The format: one of `kAudioFormatMPEG4AAC` and its kind.
public let AVFormatIDKey = "AVFormatIDKey"
/// Samples per second.
public let AVSampleRateKey = "AVSampleRateKey"
/// The number of channels.
public let AVNumberOfChannelsKey = "AVNumberOfChannelsKey"
/// The order of channels: an `AudioChannelLayout` as data.
public let AVChannelLayoutKey = "AVChannelLayoutKey"
/// Bits of an uncompressed sample: 8, 16, 24 or 32.
public let AVLinearPCMBitDepthKey = "AVLinearPCMBitDepthKey"
/// Whether the first byte of an uncompressed sample is its highest.
public let AVLinearPCMIsBigEndianKey = "AVLinearPCMIsBigEndianKey"
/// Whether uncompressed samples are floating-point numbers.
public let AVLinearPCMIsFloatKey = "AVLinearPCMIsFloatKey"
/// Whether each channel has memory of its own.
public let AVLinearPCMIsNonInterleaved = "AVLinearPCMIsNonInterleaved"
/// Whether each channel has memory of its own.
public let AVLinearPCMIsNonInterleavedKey = AVLinearPCMIsNonInterleaved
/// Bits per second of all channels.
public let AVEncoderBitRateKey = "AVEncoderBitRateKey"
/// Bits per second of each channel.
public let AVEncoderBitRatePerChannelKey = "AVEncoderBitRatePerChannelKey"
/// How the bit rate changes.
public let AVEncoderBitRateStrategyKey = "AVEncoderBitRateStrategyKey"
/// Bits of a sample that a lossless encoder keeps: 16 or 24.
public let AVEncoderBitDepthHintKey = "AVEncoderBitDepthHintKey"
/// How hard the encoder tries.
public let AVEncoderAudioQualityKey = "AVEncoderQualityKey"
/// How hard an encoder of a variable bit rate tries.
public let AVEncoderAudioQualityForVBRKey = "AVEncoderQualityForVBRKey"
/// How hard a change of the sample rate tries.
public let AVSampleRateConverterAudioQualityKey = "AVSampleRateConverterQualityKey"
/// The algorithm by which the sample rate is changed.
public let AVSampleRateConverterAlgorithmKey = "AVSampleRateConverterAlgorithmKey"
/// The best algorithm.
public let AVSampleRateConverterAlgorithm_Mastering = "AVSampleRateConverterAlgorithm_Mastering"
/// The usual algorithm.
public let AVSampleRateConverterAlgorithm_Normal = "AVSampleRateConverterAlgorithm_Normal"
/// The bit rate is always the same.
public let AVAudioBitRateStrategy_Constant = "AVAudioBitRateStrategy_Constant"
/// The bit rate is the same in the long run.
public let AVAudioBitRateStrategy_LongTermAverage = "AVAudioBitRateStrategy_LongTermAverage"
/// The bit rate changes within limits.
public let AVAudioBitRateStrategy_VariableConstrained = "AVAudioBitRateStrategy_VariableConstrained"
/// The bit rate changes.
public let AVAudioBitRateStrategy_Variable = "AVAudioBitRateStrategy_Variable"

/// How hard an encoder tries.
public enum AVAudioQuality: Int, Sendable {
  /// Least.
  case min = 0
  /// Little.
  case low = 0x20
  /// As a rule.
  case medium = 0x40
  /// More.
  case high = 0x60
  /// Most.
  case max = 0x7f
}
