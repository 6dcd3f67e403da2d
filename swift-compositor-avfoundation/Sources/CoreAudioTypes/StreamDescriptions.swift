@_exported public import FacadeBase

/// A format of audio, as a code of four characters.
public typealias AudioFormatID = UInt32
/// Details of a format.
public typealias AudioFormatFlags = UInt32

/// The format of a stream of audio.
///
/// Of uncompressed audio a packet is one frame: a sample of each channel. `mBytesPerFrame` counts the samples of all channels if they
/// are interleaved, and those of one channel if not.
public struct AudioStreamBasicDescription: Sendable {
  /// Frames per second.
  public var mSampleRate: Float64
  /// The format.
  public var mFormatID: AudioFormatID
  /// Details of the format.
  public var mFormatFlags: AudioFormatFlags
  /// Bytes of a packet; 0 if they differ.
  public var mBytesPerPacket: UInt32
  /// Frames of a packet; 0 if they differ.
  public var mFramesPerPacket: UInt32
  /// Bytes of a frame; 0 if it is compressed.
  public var mBytesPerFrame: UInt32
  /// The number of channels.
  public var mChannelsPerFrame: UInt32
  /// Bits of a sample; 0 if it is compressed.
  public var mBitsPerChannel: UInt32
  /// 0.
  public var mReserved: UInt32

  /// All zeros.
  public init() {
    self.init(
      mSampleRate: 0, mFormatID: 0, mFormatFlags: 0, mBytesPerPacket: 0, mFramesPerPacket: 0, mBytesPerFrame: 0,
      mChannelsPerFrame: 0, mBitsPerChannel: 0, mReserved: 0)
  }

  /// A format of these values.
  public init(
    mSampleRate: Float64, mFormatID: AudioFormatID, mFormatFlags: AudioFormatFlags, mBytesPerPacket: UInt32,
    mFramesPerPacket: UInt32, mBytesPerFrame: UInt32, mChannelsPerFrame: UInt32, mBitsPerChannel: UInt32, mReserved: UInt32
  ) {
    self.mSampleRate = mSampleRate
    self.mFormatID = mFormatID
    self.mFormatFlags = mFormatFlags
    self.mBytesPerPacket = mBytesPerPacket
    self.mFramesPerPacket = mFramesPerPacket
    self.mBytesPerFrame = mBytesPerFrame
    self.mChannelsPerFrame = mChannelsPerFrame
    self.mBitsPerChannel = mBitsPerChannel
    self.mReserved = mReserved
  }
}

/// Where a packet of compressed audio lies, if packets differ in size.
public struct AudioStreamPacketDescription: Sendable {
  /// Bytes from the beginning of the buffer.
  public var mStartOffset: Int64
  /// Frames of the packet if they differ; else 0.
  public var mVariableFramesInPacket: UInt32
  /// Bytes of the packet.
  public var mDataByteSize: UInt32

  /// All zeros.
  public init() { self.init(mStartOffset: 0, mVariableFramesInPacket: 0, mDataByteSize: 0) }

  /// A packet of these values.
  public init(mStartOffset: Int64, mVariableFramesInPacket: UInt32, mDataByteSize: UInt32) {
    self.mStartOffset = mStartOffset
    self.mVariableFramesInPacket = mVariableFramesInPacket
    self.mDataByteSize = mDataByteSize
  }
}

/// Uncompressed audio.
public let kAudioFormatLinearPCM: AudioFormatID = 0x6c70_636d
/// AAC, low complexity.
public let kAudioFormatMPEG4AAC: AudioFormatID = 0x6161_6320
/// AAC, high efficiency.
public let kAudioFormatMPEG4AAC_HE: AudioFormatID = 0x6161_6368
/// AAC, high efficiency, version 2.
public let kAudioFormatMPEG4AAC_HE_V2: AudioFormatID = 0x6161_6370
/// AAC, low delay.
public let kAudioFormatMPEG4AAC_LD: AudioFormatID = 0x6161_636c
/// AAC, enhanced low delay.
public let kAudioFormatMPEG4AAC_ELD: AudioFormatID = 0x6161_6365
/// Apple Lossless.
public let kAudioFormatAppleLossless: AudioFormatID = 0x616c_6163
/// Apple's spatial audio.
public let kAudioFormatAPAC: AudioFormatID = 0x6170_6163
/// FLAC.
public let kAudioFormatFLAC: AudioFormatID = 0x666c_6163
/// Opus.
public let kAudioFormatOpus: AudioFormatID = 0x6f70_7573
/// MPEG, layer 1.
public let kAudioFormatMPEGLayer1: AudioFormatID = 0x2e6d_7031
/// MPEG, layer 2.
public let kAudioFormatMPEGLayer2: AudioFormatID = 0x2e6d_7032
/// MPEG, layer 3.
public let kAudioFormatMPEGLayer3: AudioFormatID = 0x2e6d_7033
/// AC-3.
public let kAudioFormatAC3: AudioFormatID = 0x6163_2d33
/// Enhanced AC-3.
public let kAudioFormatEnhancedAC3: AudioFormatID = 0x6563_2d33
/// ITU-T G.711, μ-law.
public let kAudioFormatULaw: AudioFormatID = 0x756c_6177
/// ITU-T G.711, A-law.
public let kAudioFormatALaw: AudioFormatID = 0x616c_6177

/// Samples are floating-point numbers.
public let kAudioFormatFlagIsFloat: AudioFormatFlags = 1
/// The first byte of a sample is its highest.
public let kAudioFormatFlagIsBigEndian: AudioFormatFlags = 2
/// Integers have a sign.
public let kAudioFormatFlagIsSignedInteger: AudioFormatFlags = 4
/// Samples fill their bytes.
public let kAudioFormatFlagIsPacked: AudioFormatFlags = 8
/// Samples that do not fill their bytes are in the high bits.
public let kAudioFormatFlagIsAlignedHigh: AudioFormatFlags = 16
/// Each channel has memory of its own.
public let kAudioFormatFlagIsNonInterleaved: AudioFormatFlags = 32
/// No details, which 0 would not say.
public let kAudioFormatFlagsAreAllClear: AudioFormatFlags = 0x8000_0000
/// The byte order of the machine: little-endian.
public let kAudioFormatFlagsNativeEndian: AudioFormatFlags = 0
/// Floating-point numbers of the machine.
public let kAudioFormatFlagsNativeFloatPacked: AudioFormatFlags = 9
/// Samples are floating-point numbers.
public let kLinearPCMFormatFlagIsFloat = kAudioFormatFlagIsFloat
/// The first byte of a sample is its highest.
public let kLinearPCMFormatFlagIsBigEndian = kAudioFormatFlagIsBigEndian
/// Integers have a sign.
public let kLinearPCMFormatFlagIsSignedInteger = kAudioFormatFlagIsSignedInteger
/// Samples fill their bytes.
public let kLinearPCMFormatFlagIsPacked = kAudioFormatFlagIsPacked
/// Samples that do not fill their bytes are in the high bits.
public let kLinearPCMFormatFlagIsAlignedHigh = kAudioFormatFlagIsAlignedHigh
/// Each channel has memory of its own.
public let kLinearPCMFormatFlagIsNonInterleaved = kAudioFormatFlagIsNonInterleaved
