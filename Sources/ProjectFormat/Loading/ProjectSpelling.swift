package import CompositorAPI

extension RecoveryOption.Setting {
  /// The key of a project that has the setting, with the object that it is in; `nil` if no key of its own has it.
  package var projectKey: String? {
    switch self {
    case .frameRate: "output.frameRate"
    case .preset: "output.preset"
    case .audioTracks: "output.audioTracks"
    case .keptMetadata: "output.metadataFrom"
    case .alpha: "output.alpha"
    case .playCount: "output.playCount"
    case .audio: "output.audio"
    case .audioCodec: "output.audio.codec"
    case .sampleRate: "output.audio.sampleRate"
    case .channelCount: "output.audio.channels"
    case .captions: "captions"
    default: nil
    }
  }
}

extension RecoveryOption {
  /// The value in a clip, an asset or captions, after its key: `channels: [0, 1] of a clip`; `nil` for settings of other places.
  package var projectPart: String? {
    switch (setting, value) {
    case (.shownTrack, _): "videoTrack of a clip"
    case (.captionPresentation, let value?): "as: \"\(value)\""
    case (.deinterlacing, let value?): "deinterlace: \"\(value)\" for the asset"
    case (.heardChannels, let value?):
      "channels: \(value.contains(",") ? "[\(value.replacing(",", with: ", "))]" : value) of a clip"
    case (.ends, let value): value.map { "ends: \"\($0)\"" } ?? "ends of a clip"
    case (.clipAudio, let value?): "audio: \(value) for the clip"
    case (.clipStart, let value?): "at: \"\(value)\""
    case (.holdsLastFrame, let value?): "hold: \(value)"
    case (.loop, let value?): "loop: \(value)"
    case (.instructionBackground, let value?): "background: \"\(value)\", in output or in the instruction"
    case (.timelineBackground, let value?): "background: \"\(value)\" in output"
    case (.blending, let value?): "blending: \(value)"
    case (.bitDepth, "10"): "format: \"yuv420p10\" in the project's output"
    default: nil
    }
  }
}

extension SettingSpelling {
  /// Keys of a project, with their values: `output.frameRate: 25`.
  package static let project = SettingSpelling { option in
    if let part = option.projectPart { return part }
    guard let key = option.setting.projectKey else { return nil }
    return option.value.map { "\(key): \($0)" } ?? key
  }
}
