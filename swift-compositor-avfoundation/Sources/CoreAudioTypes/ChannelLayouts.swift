internal import Foundation
/// Which loudspeaker a channel is for.
public typealias AudioChannelLabel = UInt32
/// A known order of channels.
public typealias AudioChannelLayoutTag = UInt32

/// A set of channels, in the order of its bits.
public struct AudioChannelBitmap: OptionSet, Hashable, Sendable {
  /// The bits as stored.
  public let rawValue: UInt32
  /// Channels from their bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// How the coordinates of a channel are meant.
public struct AudioChannelFlags: OptionSet, Hashable, Sendable {
  /// The bits as stored.
  public let rawValue: UInt32
  /// Flags from their bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// A channel.
public struct AudioChannelDescription: Sendable {
  /// The loudspeaker.
  public var mChannelLabel: AudioChannelLabel
  /// How the coordinates are meant.
  public var mChannelFlags: AudioChannelFlags
  /// Where the loudspeaker is.
  public var mCoordinates: (Float32, Float32, Float32)

  /// No channel.
  public init() { self.init(mChannelLabel: 0, mChannelFlags: [], mCoordinates: (0, 0, 0)) }

  /// A channel of these values.
  public init(mChannelLabel: AudioChannelLabel, mChannelFlags: AudioChannelFlags, mCoordinates: (Float32, Float32, Float32)) {
    self.mChannelLabel = mChannelLabel
    self.mChannelFlags = mChannelFlags
    self.mCoordinates = mCoordinates
  }
}

/// The order of the channels.
public struct AudioChannelLayout: Sendable {
  /// A known order, or one that says where else it is stated.
  public var mChannelLayoutTag: AudioChannelLayoutTag
  /// The channels, if the tag says so.
  public var mChannelBitmap: AudioChannelBitmap
  /// The number of descriptions, if the tag says so.
  public var mNumberChannelDescriptions: UInt32
  /// The first description, which others may follow in memory.
  public var mChannelDescriptions: AudioChannelDescription

  /// An order that is not known.
  public init() {
    self.init(
      mChannelLayoutTag: 0, mChannelBitmap: [], mNumberChannelDescriptions: 0,
      mChannelDescriptions: AudioChannelDescription())
  }

  /// An order of these values.
  public init(
    mChannelLayoutTag: AudioChannelLayoutTag, mChannelBitmap: AudioChannelBitmap, mNumberChannelDescriptions: UInt32,
    mChannelDescriptions: AudioChannelDescription
  ) {
    self.mChannelLayoutTag = mChannelLayoutTag
    self.mChannelBitmap = mChannelBitmap
    self.mNumberChannelDescriptions = mNumberChannelDescriptions
    self.mChannelDescriptions = mChannelDescriptions
  }
}

/// An order of channels that keeps its memory.
public struct ManagedAudioChannelLayout: Sendable {
  private let bytes: Data

  /// A copy of an order.
  public init(audioChannelLayoutPointer: UnsafePointer<AudioChannelLayout>) {
    let count = Int(audioChannelLayoutPointer.pointee.mNumberChannelDescriptions)
    let size = MemoryLayout<AudioChannelLayout>.size + max(0, count - 1) * MemoryLayout<AudioChannelDescription>.stride
    bytes = Data(bytes: audioChannelLayoutPointer, count: size)
  }

  /// An order by its tag.
  public init(tag: AudioChannelLayoutTag) {
    var layout = AudioChannelLayout()
    layout.mChannelLayoutTag = tag
    self.init(audioChannelLayoutPointer: &layout)
  }

  /// The tag.
  public var tag: AudioChannelLayoutTag { withUnsafePointer { $0.pointee.mChannelLayoutTag } }

  /// The number of channels.
  public var numberOfChannels: Int {
    withUnsafePointer { layout in
      switch layout.pointee.mChannelLayoutTag {
      case kAudioChannelLayoutTag_UseChannelDescriptions: Int(layout.pointee.mNumberChannelDescriptions)
      case kAudioChannelLayoutTag_UseChannelBitmap: layout.pointee.mChannelBitmap.rawValue.nonzeroBitCount
      default: Int(AudioChannelLayoutTag_GetNumberOfChannels(layout.pointee.mChannelLayoutTag))
      }
    }
  }

  /// Lends the order, which is valid during the call.
  ///
  /// - Throws: The errors of `body`.
  public func withUnsafePointer<Result>(_ body: (UnsafePointer<AudioChannelLayout>) throws -> Result) rethrows -> Result {
    try bytes.withUnsafeBytes { bytes in
      guard let layout = bytes.baseAddress?.assumingMemoryBound(to: AudioChannelLayout.self) else {
        preconditionFailure("An order of channels has bytes.")
      }
      return try body(layout)
    }
  }
}

/// The number of channels of a known order; 0 if the tag says that it is stated elsewhere.
public func AudioChannelLayoutTag_GetNumberOfChannels(_ inLayoutTag: AudioChannelLayoutTag) -> UInt32 {
  inLayoutTag & 0xffff
}

/// The order is that of descriptions.
public let kAudioChannelLayoutTag_UseChannelDescriptions: AudioChannelLayoutTag = 0
/// The order is that of bits.
public let kAudioChannelLayoutTag_UseChannelBitmap: AudioChannelLayoutTag = 1 << 16
/// One channel.
public let kAudioChannelLayoutTag_Mono: AudioChannelLayoutTag = 100 << 16 | 1
/// Left, right.
public let kAudioChannelLayoutTag_Stereo: AudioChannelLayoutTag = 101 << 16 | 2
/// Left, right, for headphones.
public let kAudioChannelLayoutTag_StereoHeadphones: AudioChannelLayoutTag = 102 << 16 | 2
/// One channel.
public let kAudioChannelLayoutTag_MPEG_1_0 = kAudioChannelLayoutTag_Mono
/// Left, right.
public let kAudioChannelLayoutTag_MPEG_2_0 = kAudioChannelLayoutTag_Stereo
/// Left, right, center.
public let kAudioChannelLayoutTag_MPEG_3_0_A: AudioChannelLayoutTag = 113 << 16 | 3
/// Left, right, center, left surround, right surround.
public let kAudioChannelLayoutTag_MPEG_5_0_A: AudioChannelLayoutTag = 117 << 16 | 5
/// Left, right, center, low frequencies, left surround, right surround.
public let kAudioChannelLayoutTag_MPEG_5_1_A: AudioChannelLayoutTag = 121 << 16 | 6
/// 5.1 and left and right of the center.
public let kAudioChannelLayoutTag_MPEG_7_1_A: AudioChannelLayoutTag = 126 << 16 | 8
/// 5.1 and left and right rear surround.
public let kAudioChannelLayoutTag_MPEG_7_1_C: AudioChannelLayoutTag = 128 << 16 | 8
/// 5.1 in the order of AAC: center, left, right, left surround, right surround, low frequencies.
public let kAudioChannelLayoutTag_AAC_5_1: AudioChannelLayoutTag = 124 << 16 | 6
/// An order that is not known.
public let kAudioChannelLayoutTag_Unknown: AudioChannelLayoutTag = 0xffff_0000
