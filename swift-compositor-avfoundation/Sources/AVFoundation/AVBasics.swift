@_exported public import AVFAudio
@_exported public import CoreGraphics
@_exported public import CoreMedia
@_exported public import CoreVideo
@_exported public import Dispatch
@_exported public import QuartzCore

/// What a track holds.
public struct AVMediaType: RawRepresentable, Hashable, Sendable {
  /// The code of four characters.
  public let rawValue: String
  /// A type by its code.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// A type by its code.
  public init(_ rawValue: String) { self.rawValue = rawValue }
  /// Pictures.
  public static let video = AVMediaType("vide")
  /// Audio.
  public static let audio = AVMediaType("soun")
  /// Text.
  public static let text = AVMediaType("text")
  /// Captions that are drawn by the player.
  public static let closedCaption = AVMediaType("clcp")
  /// Subtitles.
  public static let subtitle = AVMediaType("sbtl")
  /// The clock of the recording.
  public static let timecode = AVMediaType("tmcd")
  /// Data beside the media.
  public static let metadata = AVMediaType("meta")
  /// Pictures and audio in one track.
  public static let muxed = AVMediaType("muxx")
}

/// A property of a track by which it may be chosen.
public struct AVMediaCharacteristic: RawRepresentable, Hashable, Sendable {
  /// The name.
  public let rawValue: String
  /// A characteristic by its name.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// It is seen.
  public static let visual = AVMediaCharacteristic(rawValue: "AVMediaCharacteristicVisual")
  /// It is heard.
  public static let audible = AVMediaCharacteristic(rawValue: "AVMediaCharacteristicAudible")
  /// It is read.
  public static let legible = AVMediaCharacteristic(rawValue: "AVMediaCharacteristicLegible")
  /// It has alpha.
  public static let containsAlphaChannel = AVMediaCharacteristic(rawValue: "AVMediaCharacteristicContainsAlphaChannel")
}

/// The format of a file.
public struct AVFileType: RawRepresentable, Hashable, Sendable {
  /// The uniform type identifier.
  public let rawValue: String
  /// A format by its uniform type identifier.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// A format by its uniform type identifier.
  public init(_ rawValue: String) { self.rawValue = rawValue }
  /// QuickTime.
  public static let mov = AVFileType("com.apple.quicktime-movie")
  /// MPEG-4.
  public static let mp4 = AVFileType("public.mpeg-4")
  /// MPEG-4 as iTunes names it.
  public static let m4v = AVFileType("com.apple.m4v-video")
  /// MPEG-4 with audio alone.
  public static let m4a = AVFileType("com.apple.m4a-audio")
  /// Mobile phones of the third generation.
  public static let mobile3GPP = AVFileType("public.3gpp")
  /// Core Audio.
  public static let caf = AVFileType("com.apple.coreaudio-format")
  /// Waveform audio.
  public static let wav = AVFileType("com.microsoft.waveform-audio")
  /// Audio interchange.
  public static let aiff = AVFileType("public.aiff-audio")
  /// Audio interchange, compressed.
  public static let aifc = AVFileType("public.aifc-audio")
  /// Adaptive multi-rate speech.
  public static let amr = AVFileType("org.3gpp.adaptive-multi-rate-audio")
  /// MPEG audio layer 3.
  public static let mp3 = AVFileType("public.mp3")
  /// A picture in JPEG.
  public static let jpg = AVFileType("public.jpeg")
  /// A picture in HEVC.
  public static let heic = AVFileType("public.heic")
  /// A picture in HEIF.
  public static let heif = AVFileType("public.heif")
}

/// How pitch and speed of audio are related.
public struct AVAudioTimePitchAlgorithm: RawRepresentable, Hashable, Sendable {
  /// The name.
  public let rawValue: String
  /// An algorithm by its name.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Keeps the pitch; for speech.
  public static let timeDomain = AVAudioTimePitchAlgorithm(rawValue: "TimeDomain")
  /// Keeps the pitch; for music.
  public static let spectral = AVAudioTimePitchAlgorithm(rawValue: "Spectral")
  /// The pitch follows the speed.
  public static let varispeed = AVAudioTimePitchAlgorithm(rawValue: "Varispeed")
}

/// The largest rectangle of an aspect ratio that fits into another one, at its center.
public func AVMakeRect(aspectRatio: CGSize, insideRect boundingRect: CGRect) -> CGRect {
  guard aspectRatio.width > 0, aspectRatio.height > 0 else { return boundingRect }
  let scale = min(boundingRect.width / aspectRatio.width, boundingRect.height / aspectRatio.height)
  let size = CGSize(width: aspectRatio.width * scale, height: aspectRatio.height * scale)
  return CGRect(
    x: boundingRect.midX - size.width / 2, y: boundingRect.midY - size.height / 2, width: size.width, height: size.height)
}
