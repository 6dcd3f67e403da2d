internal import Compositor
internal import Foundation

/// Copies media without encoding it.
public let AVAssetExportPresetPassthrough = "AVAssetExportPresetPassthrough"
/// H.264 and AAC, small.
public let AVAssetExportPresetLowQuality = "AVAssetExportPresetLowQuality"
/// H.264 and AAC, of medium size.
public let AVAssetExportPresetMediumQuality = "AVAssetExportPresetMediumQuality"
/// H.264 and AAC at the size of the source.
public let AVAssetExportPresetHighestQuality = "AVAssetExportPresetHighestQuality"
/// HEVC and AAC at the size of the source.
public let AVAssetExportPresetHEVCHighestQuality = "AVAssetExportPresetHEVCHighestQuality"
/// H.264 and AAC in at most 640 × 480 pixels.
public let AVAssetExportPreset640x480 = "AVAssetExportPreset640x480"
/// H.264 and AAC in at most 960 × 540 pixels.
public let AVAssetExportPreset960x540 = "AVAssetExportPreset960x540"
/// H.264 and AAC in at most 1280 × 720 pixels.
public let AVAssetExportPreset1280x720 = "AVAssetExportPreset1280x720"
/// H.264 and AAC in at most 1920 × 1080 pixels.
public let AVAssetExportPreset1920x1080 = "AVAssetExportPreset1920x1080"
/// H.264 and AAC in at most 3840 × 2160 pixels.
public let AVAssetExportPreset3840x2160 = "AVAssetExportPreset3840x2160"
/// HEVC and AAC in at most 1920 × 1080 pixels.
public let AVAssetExportPresetHEVC1920x1080 = "AVAssetExportPresetHEVC1920x1080"
/// HEVC and AAC in at most 3840 × 2160 pixels.
public let AVAssetExportPresetHEVC3840x2160 = "AVAssetExportPresetHEVC3840x2160"
/// AAC alone.
public let AVAssetExportPresetAppleM4A = "AVAssetExportPresetAppleM4A"
/// ProRes 422 and uncompressed audio.
public let AVAssetExportPresetAppleProRes422LPCM = "AVAssetExportPresetAppleProRes422LPCM"
/// ProRes 4444 and uncompressed audio.
public let AVAssetExportPresetAppleProRes4444LPCM = "AVAssetExportPresetAppleProRes4444LPCM"

/// What a preset of an export session writes.
struct SessionPreset: Sendable {
  let name: String
  var codec: VideoEncodingSettings.Codec? = .h264
  /// The box that pictures are made to fit; they are never enlarged.
  var box: PixelSize?
  var audioCodec: AudioEncodingSettings.Codec? = .aac
  var proResProfile: VideoEncodingSettings.ProResProfile?
  var fileTypes: [AVFileType] = [.mov, .mp4, .m4v]
  var copies = false

  static let all: [SessionPreset] = {
    func box(_ name: String, _ width: Int, _ height: Int, codec: VideoEncodingSettings.Codec = .h264) -> SessionPreset {
      SessionPreset(
        name: name, codec: codec, box: PixelSize(width: width, height: height),
        fileTypes: codec == .h264 ? [.mov, .mp4, .m4v] : [.mov, .mp4])
    }
    return [
      box(AVAssetExportPresetLowQuality, 224, 128), box(AVAssetExportPresetMediumQuality, 568, 320),
      SessionPreset(name: AVAssetExportPresetHighestQuality), box(AVAssetExportPreset640x480, 640, 480),
      box(AVAssetExportPreset960x540, 960, 540), box(AVAssetExportPreset1280x720, 1280, 720),
      box(AVAssetExportPreset1920x1080, 1920, 1080), box(AVAssetExportPreset3840x2160, 3840, 2160),
      SessionPreset(name: AVAssetExportPresetHEVCHighestQuality, codec: .hevc, fileTypes: [.mov, .mp4]),
      box(AVAssetExportPresetHEVC1920x1080, 1920, 1080, codec: .hevc),
      box(AVAssetExportPresetHEVC3840x2160, 3840, 2160, codec: .hevc),
      SessionPreset(name: AVAssetExportPresetAppleM4A, codec: nil, fileTypes: [.m4a]),
      SessionPreset(
        name: AVAssetExportPresetAppleProRes422LPCM, codec: .proRes, audioCodec: .pcmInt16, proResProfile: .standard,
        fileTypes: [.mov]),
      SessionPreset(
        name: AVAssetExportPresetAppleProRes4444LPCM, codec: .proRes, audioCodec: .pcmInt16, proResProfile: .p4444,
        fileTypes: [.mov]),
    ]
  }()

  static let passthrough = SessionPreset(
    name: AVAssetExportPresetPassthrough, codec: nil, audioCodec: nil, fileTypes: [.mov, .mp4, .m4v, .m4a, .wav, .mp3],
    copies: true)

  static func named(_ name: String) -> SessionPreset? {
    name == passthrough.name ? passthrough : all.first { $0.name == name }
  }

  /// Settings that write what the preset says.
  func settings(for edit: TranslatedEdit) -> ExportSettings {
    var settings = ExportSettings(timeRange: edit.timeRange)
    settings.orientation = edit.orientation
    settings.fastStart = true
    settings.render.compositorDeadline = CustomCompositor.deadline
    settings.render.overlays = edit.overlays
    if copies {
      settings.passthrough = .editList
      return settings
    }
    settings.video.chosenCodec = codec
    settings.video.proResProfile = proResProfile
    settings.videoTrack = codec == nil || !edit.hasVideo ? .never : .always
    settings.largestSize = box
    var audio = AudioEncodingSettings()
    audio.chosenCodec = audioCodec
    settings.audio = edit.hasAudio ? audio : nil
    settings.audioFromFirstClip = [.sampleRate, .channelCount]
    settings.largestSampleRate = 48_000
    settings.mostChannels = 2
    return settings
  }
}

extension AVFileType {
  /// The suffix by which the compositor knows the format; `nil` for one that it does not write.
  var suffix: String? {
    switch self {
    case .mov: "mov"
    case .mp4: "mp4"
    case .m4v: "m4v"
    case .m4a: "m4a"
    case .wav: "wav"
    case .mp3: "mp3"
    default: nil
    }
  }
}
