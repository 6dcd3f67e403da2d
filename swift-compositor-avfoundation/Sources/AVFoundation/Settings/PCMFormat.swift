internal import Foundation

/// How uncompressed samples are stored.
struct PCMFormat: Sendable {
  /// A kind of number.
  enum Number: Sendable {
    case int16, int24, int32, float32, float64
  }

  let number: Number
  var isBigEndian = false
  var isInterleaved = true
  let sampleRate: Int
  let channelCount: Int

  /// Bytes of one number.
  var byteCount: Int {
    switch number {
    case .int16: 2
    case .int24: 3
    case .int32, .float32: 4
    case .float64: 8
    }
  }

  private static func number(bits: Int, isFloat: Bool) -> Number? {
    switch (bits, isFloat) {
    case (16, false): .int16
    case (24, false): .int24
    case (32, false): .int32
    case (32, true): .float32
    case (64, true): .float64
    default: nil
    }
  }

  /// The format that settings ask for: 16-bit integers, interleaved, where they do not say.
  ///
  /// - Returns: `nil` for a format that does not exist.
  init?(_ settings: SettingsValues, sampleRate: Int, channelCount: Int) {
    let isFloat = settings.bool(AVLinearPCMIsFloatKey) ?? false
    let bits = settings.int(AVLinearPCMBitDepthKey) ?? (isFloat ? 32 : 16)
    guard let number = Self.number(bits: bits, isFloat: isFloat) else { return nil }
    self.number = number
    isBigEndian = settings.bool(AVLinearPCMIsBigEndianKey) ?? false
    isInterleaved = !(settings.bool(AVLinearPCMIsNonInterleaved) ?? false)
    self.sampleRate = sampleRate
    self.channelCount = channelCount
  }

  /// The format of a stream; `nil` if it is compressed or of another kind of number.
  init?(_ stream: AudioStreamBasicDescription) {
    let flags = stream.mFormatFlags
    let isFloat = flags & kAudioFormatFlagIsFloat != 0
    guard stream.mFormatID == kAudioFormatLinearPCM, isFloat || flags & kAudioFormatFlagIsSignedInteger != 0,
      let number = Self.number(bits: Int(stream.mBitsPerChannel), isFloat: isFloat), stream.mChannelsPerFrame > 0,
      stream.mSampleRate >= 1, stream.mSampleRate.rounded() == stream.mSampleRate
    else { return nil }
    self.number = number
    isBigEndian = flags & kAudioFormatFlagIsBigEndian != 0
    isInterleaved = flags & kAudioFormatFlagIsNonInterleaved == 0
    sampleRate = Int(stream.mSampleRate)
    channelCount = Int(stream.mChannelsPerFrame)
    guard Int(stream.mBytesPerFrame) == byteCount * (isInterleaved ? channelCount : 1) else { return nil }
  }

  /// The format as streams state it.
  var stream: AudioStreamBasicDescription {
    let isFloat = number == .float32 || number == .float64
    var flags = kAudioFormatFlagIsPacked | (isFloat ? kAudioFormatFlagIsFloat : kAudioFormatFlagIsSignedInteger)
    if isBigEndian { flags |= kAudioFormatFlagIsBigEndian }
    if !isInterleaved { flags |= kAudioFormatFlagIsNonInterleaved }
    let frame = UInt32(byteCount * (isInterleaved ? channelCount : 1))
    return AudioStreamBasicDescription(
      mSampleRate: Double(sampleRate), mFormatID: kAudioFormatLinearPCM, mFormatFlags: flags, mBytesPerPacket: frame,
      mFramesPerPacket: 1, mBytesPerFrame: frame, mChannelsPerFrame: UInt32(channelCount),
      mBitsPerChannel: UInt32(byteCount * 8), mReserved: 0)
  }

  /// The stream with the usual order of its channels.
  func formatDescription() throws(AVError) -> CMAudioFormatDescription {
    var (stream, made, layout): (_, CMAudioFormatDescription?, _) = (stream, nil, AudioChannelLayout())
    let tags = [
      1: kAudioChannelLayoutTag_Mono, 2: kAudioChannelLayoutTag_Stereo, 6: kAudioChannelLayoutTag_MPEG_5_1_A,
      8: kAudioChannelLayoutTag_MPEG_7_1_C,
    ]
    layout.mChannelLayoutTag = tags[channelCount] ?? kAudioChannelLayoutTag_Unknown | UInt32(channelCount)
    CMAudioFormatDescriptionCreate(
      allocator: nil, asbd: &stream, layoutSize: MemoryLayout<AudioChannelLayout>.size, layout: &layout, magicCookieSize: 0,
      magicCookie: nil, extensions: nil, formatDescriptionOut: &made)
    guard let made else { throw AVError(.outOfMemory, "There is no memory for a format.") }
    return made
  }
}
