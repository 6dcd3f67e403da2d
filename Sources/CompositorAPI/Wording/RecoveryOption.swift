/// A setting that resolves what a message reports, with the value to give it.
///
/// A message names settings as the program that shows it calls them. The description is that of Swift, `compositor` names its options, and
/// a program with windows can name its controls.
public struct RecoveryOption: Hashable, Sendable, Codable {
  /// A setting. Later versions may add some: a `switch` needs a `default`.
  public struct Setting: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The property, method or type that is the setting in Swift.
    public let rawValue: String

    /// Creates the setting with a name, which may be that of another version.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The setting's name.
    public var description: String { rawValue }
  }

  /// The setting.
  public var setting: Setting
  /// The value, as options and project files write it, such as `25`, `alac` or `same`, or the name of a variable or parameter; `nil` if the user has
  /// to choose one.
  public var value: String?

  /// Creates an option.
  public init(_ setting: Setting, value: String? = nil) { (self.setting, self.value) = (setting, value) }
}

extension RecoveryOption: CustomStringConvertible {
  /// The setting and its value as in Swift: `ExportSettings.frameRate = 25`.
  public var description: String {
    guard let value else { return setting.rawValue }
    return [.variable, .parameter].contains(setting) ? "\(setting)[\(quoted(value))]" : "\(setting) = \(value)"
  }
}

extension RecoveryOption.Setting {
  /// The frame rate of the output, in frames per second.
  public static let frameRate = Self(rawValue: "ExportSettings.frameRate")
  /// The part of the timeline that is written.
  public static let timeRange = Self(rawValue: "ExportSettings.timeRange")
  /// Whether an existing file is replaced.
  public static let overwrites = Self(rawValue: "ExportSettings.overwrites")
  /// How coded frames are copied; no value stands for any of the modes, or, in a message about a copy, for none.
  public static let passthrough = Self(rawValue: "ExportSettings.passthrough")
  /// Audio, which can be left out.
  public static let audio = Self(rawValue: "ExportSettings.audio")
  /// Which metadata, chapters and cover of a source are kept.
  public static let keptMetadata = Self(rawValue: "ExportSettings.keepMetadata(of:in:)")
  /// The preset of the output, by its name.
  public static let preset = Self(rawValue: "ExportPreset")
  /// How often an animated image plays; 0 repeats it without end.
  public static let playCount = Self(rawValue: "VideoEncodingSettings.animation.playCount")
  /// The codec of the audio, by its name.
  public static let audioCodec = Self(rawValue: "AudioEncodingSettings.codec")
  /// The sample rate of the audio in Hz.
  public static let sampleRate = Self(rawValue: "AudioEncodingSettings.sampleRate")
  /// The number of channels of the audio.
  public static let channelCount = Self(rawValue: "AudioEncodingSettings.channelCount")
  /// The bit depth of the frames.
  public static let bitDepth = Self(rawValue: "OutputDescription.bitDepth")
  /// Whether the output keeps alpha.
  public static let alpha = Self(rawValue: "OutputDescription.alphaMode")
  /// The audio tracks of the output.
  public static let audioTracks = Self(rawValue: "Edit.audioTracks")
  /// The captions of the output, which subtitle tracks of a source can be.
  public static let captions = Self(rawValue: "Edit.captions")
  /// How captions are shown.
  public static let captionPresentation = Self(rawValue: "CaptionTrack.presentation")
  /// How interlaced frames of a source are shown.
  public static let deinterlacing = Self(rawValue: "Edit.deinterlacing")
  /// The channels of a source that are heard, by their numbers from 0.
  public static let heardChannels = Self(rawValue: "CompositionTrackSegment.channels")
  /// Where a clip begins and ends whose video and audio differ in length.
  public static let ends = Self(rawValue: "TimelineClip.ends")
  /// Whether a clip's audio is heard.
  public static let clipAudio = Self(rawValue: "TimelineClip.audio")
  /// When a clip starts; `auto` for where the clip before it ends.
  public static let clipStart = Self(rawValue: "TimelineClip.start")
  /// Whether a clip shows its last frame when its media has ended.
  public static let holdsLastFrame = Self(rawValue: "TimelineClip.holdsLastFrame")
  /// Whether a clip repeats its media.
  public static let loop = Self(rawValue: "TimelineClip.loop")
  /// The color behind all layers, of an instruction or of all of them.
  public static let instructionBackground = Self(rawValue: "Instruction.backgroundColor")
  /// The color behind all layers of a timeline.
  public static let timelineBackground = Self(rawValue: "Timeline.background")
  /// The signal domain in which layers are blended.
  public static let blending = Self(rawValue: "VideoComposition.blending")
  /// The video track of a source that a clip shows.
  public static let shownTrack = Self(rawValue: "CompositionTrackSegment.sourceTrackIndex")
  /// The value of a variable of a project, by its name.
  public static let variable = Self(rawValue: "variables")
  /// The value of a parameter of a plugin, by its key.
  public static let parameter = Self(rawValue: "parameters")
  /// Plugins that run in the process of the program.
  public static let trustedPlugins = Self(rawValue: "PluginOptions.trusted")
  /// Whether plugins are refused that the system cannot isolate completely.
  public static let requiredIsolation = Self(rawValue: "PluginIsolation.isRequired")
  /// The time limit of a call to a plugin.
  public static let pluginDeadline = Self(rawValue: "PluginIsolation.deadline")
  /// The memory limit of a plugin.
  public static let pluginMemory = Self(rawValue: "PluginIsolation.memoryLimit")
  /// Whether versions may differ from those of a plan.
  public static let allowedVersions = Self(rawValue: "PlanRenderer.allowsVersion")
}
