internal import Foundation

/// What a stream holds, as a code of four characters.
public typealias CMMediaType = FourCharCode
/// A codec of pictures, or the pixel format of those that are not compressed.
public typealias CMVideoCodecType = FourCharCode

/// Pictures.
public let kCMMediaType_Video: CMMediaType = 0x7669_6465
/// Audio.
public let kCMMediaType_Audio: CMMediaType = 0x736f_756e
/// Pictures and audio in one stream.
public let kCMMediaType_Muxed: CMMediaType = 0x6d75_7878
/// Text.
public let kCMMediaType_Text: CMMediaType = 0x7465_7874
/// Captions that the player draws.
public let kCMMediaType_ClosedCaption: CMMediaType = 0x636c_6370
/// Subtitles.
public let kCMMediaType_Subtitle: CMMediaType = 0x7362_746c
/// The clock of the recording.
public let kCMMediaType_TimeCode: CMMediaType = 0x746d_6364
/// Data beside the media.
public let kCMMediaType_Metadata: CMMediaType = 0x6d65_7461

/// H.264.
public let kCMVideoCodecType_H264: CMVideoCodecType = 0x6176_6331
/// HEVC.
public let kCMVideoCodecType_HEVC: CMVideoCodecType = 0x6876_6331
/// HEVC with alpha.
public let kCMVideoCodecType_HEVCWithAlpha: CMVideoCodecType = 0x6d75_7861
/// JPEG.
public let kCMVideoCodecType_JPEG: CMVideoCodecType = 0x6a70_6567
/// MPEG-4, part 2.
public let kCMVideoCodecType_MPEG4Video: CMVideoCodecType = 0x6d70_3476
/// VP9.
public let kCMVideoCodecType_VP9: CMVideoCodecType = 0x7670_3039
/// AV1.
public let kCMVideoCodecType_AV1: CMVideoCodecType = 0x6176_3031
/// ProRes 422 HQ.
public let kCMVideoCodecType_AppleProRes422HQ: CMVideoCodecType = 0x6170_6368
/// ProRes 422.
public let kCMVideoCodecType_AppleProRes422: CMVideoCodecType = 0x6170_636e
/// ProRes 422 LT.
public let kCMVideoCodecType_AppleProRes422LT: CMVideoCodecType = 0x6170_6373
/// ProRes 422 Proxy.
public let kCMVideoCodecType_AppleProRes422Proxy: CMVideoCodecType = 0x6170_636f
/// ProRes 4444.
public let kCMVideoCodecType_AppleProRes4444: CMVideoCodecType = 0x6170_3468
/// ProRes 4444 XQ.
public let kCMVideoCodecType_AppleProRes4444XQ: CMVideoCodecType = 0x6170_3478

/// An argument cannot be used.
public let kCMFormatDescriptionError_InvalidParameter: OSStatus = -12710
/// There is no memory.
public let kCMFormatDescriptionError_AllocationFailed: OSStatus = -12711
/// There is no such value.
public let kCMFormatDescriptionError_ValueNotAvailable: OSStatus = -12718

extension CMFormatDescription {
  /// What a stream holds.
  public struct MediaType: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The code of four characters.
    public let rawValue: CMMediaType
    /// A type by its code.
    public init(rawValue: CMMediaType) { self.rawValue = rawValue }
    /// The four characters.
    public var description: String { characters(rawValue) }
    /// Pictures.
    public static let video = MediaType(rawValue: kCMMediaType_Video)
    /// Audio.
    public static let audio = MediaType(rawValue: kCMMediaType_Audio)
    /// Pictures and audio in one stream.
    public static let muxed = MediaType(rawValue: kCMMediaType_Muxed)
    /// Text.
    public static let text = MediaType(rawValue: kCMMediaType_Text)
    /// Captions that the player draws.
    public static let closedCaption = MediaType(rawValue: kCMMediaType_ClosedCaption)
    /// Subtitles.
    public static let subtitle = MediaType(rawValue: kCMMediaType_Subtitle)
    /// The clock of the recording.
    public static let timeCode = MediaType(rawValue: kCMMediaType_TimeCode)
    /// Data beside the media.
    public static let metadata = MediaType(rawValue: kCMMediaType_Metadata)
  }

  /// A codec, or the format of media that are not compressed.
  public struct MediaSubType: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The code of four characters.
    public let rawValue: FourCharCode
    /// A type by its code.
    public init(rawValue: FourCharCode) { self.rawValue = rawValue }
    /// The four characters.
    public var description: String { characters(rawValue) }
    /// H.264.
    public static let h264 = MediaSubType(rawValue: kCMVideoCodecType_H264)
    /// HEVC.
    public static let hevc = MediaSubType(rawValue: kCMVideoCodecType_HEVC)
    /// HEVC with alpha.
    public static let hevcWithAlpha = MediaSubType(rawValue: kCMVideoCodecType_HEVCWithAlpha)
    /// JPEG.
    public static let jpeg = MediaSubType(rawValue: kCMVideoCodecType_JPEG)
    /// MPEG-4, part 2.
    public static let mpeg4Video = MediaSubType(rawValue: kCMVideoCodecType_MPEG4Video)
    /// VP9.
    public static let vp9 = MediaSubType(rawValue: kCMVideoCodecType_VP9)
    /// AV1.
    public static let av1 = MediaSubType(rawValue: kCMVideoCodecType_AV1)
    /// ProRes 422 HQ.
    public static let proRes422HQ = MediaSubType(rawValue: kCMVideoCodecType_AppleProRes422HQ)
    /// ProRes 422.
    public static let proRes422 = MediaSubType(rawValue: kCMVideoCodecType_AppleProRes422)
    /// ProRes 422 LT.
    public static let proRes422LT = MediaSubType(rawValue: kCMVideoCodecType_AppleProRes422LT)
    /// ProRes 422 Proxy.
    public static let proRes422Proxy = MediaSubType(rawValue: kCMVideoCodecType_AppleProRes422Proxy)
    /// ProRes 4444.
    public static let proRes4444 = MediaSubType(rawValue: kCMVideoCodecType_AppleProRes4444)
    /// Uncompressed audio.
    public static let linearPCM = MediaSubType(rawValue: kAudioFormatLinearPCM)
    /// AAC, low complexity.
    public static let mpeg4AAC = MediaSubType(rawValue: kAudioFormatMPEG4AAC)
    /// Apple Lossless.
    public static let appleLossless = MediaSubType(rawValue: kAudioFormatAppleLossless)
    /// FLAC.
    public static let flac = MediaSubType(rawValue: kAudioFormatFLAC)
    /// Opus.
    public static let opus = MediaSubType(rawValue: kAudioFormatOpus)
    /// MPEG, layer 3.
    public static let mpegLayer3 = MediaSubType(rawValue: kAudioFormatMPEGLayer3)
  }
}

/// A code as its four characters, those that cannot be printed as dots.
private func characters(_ code: FourCharCode) -> String {
  let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: code >> $0) }
  return String(decoding: bytes.map { (32..<127).contains($0) ? $0 : 0x2e }, as: UTF8.self)
}
