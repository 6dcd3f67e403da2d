import Compositor

extension SettingSpelling {
  /// Options of the tool: `--fps 25`. Where a project is as likely as a file, its key is named, too. Operations are its commands.
  static let options = SettingSpelling(operation: { "`compositor \($0.command)`" }) { option in
    option.toolWords
      ?? RecoveryOption.optionNames[option.setting].map { name in
        let words = option.value.map { "\(name) \($0)" } ?? name
        return alternatives.contains(option.setting) ? "\(words) or, in a project, \(option.projectWords)" : words
      }
  }

  /// The same for what renders a plan, which has the settings of plugins already: the command that makes it takes them.
  static let planOptions = SettingSpelling(operation: { SettingSpelling.options($0) }) { option in
    let words = SettingSpelling.options(option)
    return planned.contains(option.setting) ? "`compositor plan \(words)`" : words
  }

  /// Settings that a plan has, and that rendering it doesn't take.
  private static let planned: Set<RecoveryOption.Setting> = [
    .trustedPlugins, .requiredIsolation, .pluginDeadline, .pluginMemory,
  ]

  /// Settings that projects often have.
  private static let alternatives: Set<RecoveryOption.Setting> = [
    .frameRate, .audioTracks, .captions, .keptMetadata, .captionPresentation,
  ]
}

extension ProgramOperation {
  /// The command that does it.
  fileprivate var command: String {
    switch self {
    case .probe: "probe"
    case .render: "render"
    case .plan: "plan"
    case .listCompositors: "compositors"
    case .listPlugins: "plugins list"
    case .inspectPlugin: "plugins inspect"
    case .checkPlugin: "plugins check"
    }
  }
}

extension RecoveryOption {
  /// The options that are a setting, before the setting's value.
  fileprivate static let optionNames: [Setting: String] = [
    .frameRate: "--fps",
    .passthrough: "--passthrough",
    .audio: "--no-audio",
    .keptMetadata: "--keep-metadata",
    .preset: "--preset",
    .playCount: "--play-count",
    .audioCodec: "--audio-codec",
    .sampleRate: "--sample-rate",
    .channelCount: "--channels",
    .audioTracks: "--audio-tracks",
    .captions: "--subtitle-tracks",
    .captionPresentation: "--caption-as",
    .trustedPlugins: "--trust-plugin",
    .requiredIsolation: "--require-isolation",
    .pluginDeadline: "--plugin-deadline",
    .pluginMemory: "--plugin-memory",
    .allowedVersions: "--allow-version",
  ]

  /// The key of a project without a value, which is that of the option before it, if the value is a number or a file.
  fileprivate var projectWords: String { projectPart ?? setting.projectKey ?? setting.rawValue }

  /// What is said in another way than by an option and its value; `nil` for other settings.
  fileprivate var toolWords: String? {
    switch (setting, value) {
    case (.overwrites, _): "--overwrite"
    case (.timeRange, _): "`compositor render --range`"
    case (.variable, let name?): "--set \(name)=…"
    case (.parameter, let key?): "--set \(key)=VALUE"
    case (.shownTrack, _), (.clipAudio, _), (.clipStart, _), (.holdsLastFrame, _), (.loop, _), (.instructionBackground, _),
      (.timelineBackground, _), (.blending, _):
      projectPart
    case (.alpha, _): "a preset with alpha, such as archive, prores-4444 or vp9-alpha, or, in a project, \(projectWords)"
    case (.bitDepth, let bits?): "--depth \(bits), or with \(projectWords)"
    case (.deinterlacing, let mode?): "\(projectWords), or render with --deinterlace \(mode)"
    case (.heardChannels, let channels?): "\(projectWords), or --source-channels \(channels)"
    case (.ends, let end?): "--ends \(end) (\(projectWords))"
    case (.ends, nil): "--ends for a file"
    default: nil
    }
  }
}
