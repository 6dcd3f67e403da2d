package import CompositorAPI
package import CompositorExport
import CompositorHost
import CompositorMediaIO
package import CompositorMediaWriting
package import CompositorValidation

/// How a project becomes the settings of an export: the one place that reads its output, its preset, what overrides both, and
/// the file to write.
///
/// Steps are separate for a command line, whose own checks come between them.
package struct ProjectExport: Sendable {
  let project: ProjectOutput
  let composition: ValidatedComposition
  let output: OutputName
  let overrides: OutputOverrides
  /// What the composition is made from. The output follows the properties of media files.
  private let origin: ProjectOrigin
  /// The encoding settings of video, with a codec.
  package let video: VideoEncodingSettings
  /// The encoding settings of audio; `nil` to leave it out.
  package let audio: AudioEncodingSettings?

  private init(
    _ project: ProjectOutput, of composition: ValidatedComposition, to output: OutputName, _ overrides: OutputOverrides,
    origin: ProjectOrigin
  ) {
    (self.project, self.composition, self.output, self.overrides) = (project, composition, output, overrides)
    self.origin = origin
    video = Self.video(project, composition, output, overrides)
    audio = Self.audio(project, output, overrides)
  }

  /// Prepares the export of a project or a media file.
  ///
  /// - Parameters:
  ///   - composition: The project's composition.
  ///   - path: The output's path in errors; `nil` for its own.
  /// - Throws: `.unsupportedOutput` if the preset writes no such file; the errors of the project's chapters, cover and
  ///   source of metadata, unless they are overridden.
  package init(
    _ file: ProjectFile, of composition: ValidatedComposition, to output: OutputName, named path: String? = nil,
    overrides: OutputOverrides
  ) throws(CompositorError) {
    let keys = overrides.metadata.keysOfProject(in: output.container)
    if let error = file.metadataErrors(for: composition, keys: keys, catalog: composition.catalog).first { throw error }
    self.init(file.output, of: composition, to: output, overrides, origin: file.origin)
    do throws(CompositorError) {
      try output.check(preset, named: path)
    } catch {
      throw overrides.preset == nil ? error.locating(ErrorLocation(path: "output.preset")) : error
    }
  }

  /// Prepares the export of media files that are joined without a project.
  ///
  /// - Throws: `.unsupportedOutput` if the preset of the overrides writes no such file.
  package init(
    joining composition: ValidatedComposition, to output: OutputName, overrides: OutputOverrides
  ) throws(CompositorError) {
    self.init(ProjectOutput(), of: composition, to: output, overrides, origin: .joinedMedia)
    try output.check(preset)
  }

  /// Checks the encoder settings that only the project sets, before anything is written. Those of overrides are checked by the
  /// export.
  package func checkRanges() throws(CompositorError) {
    guard !overrides.setEncoder, overrides.videoTrack != .never, overrides.passthrough == nil,
      let container = output.container, !container.isAudioOnly
    else { return }
    try video.validateRanges()
    try video.validateAnimation()
  }

  /// The settings of the export, without what a caller decides: range, threads, budget, replacing files.
  ///
  /// - Throws: `.invalidValue` for a time that doesn't exist at the frame rate, or if the metadata of the only media file are to
  ///   be kept and there are several; the errors of reading the source of metadata.
  package func settings() throws(CompositorError) -> ExportSettings {
    var settings = ExportSettings(video: video, audio: audio, videoTrack: overrides.videoTrack ?? .whereShown)
    if case .media = origin { settings.keepsSourceAlpha = true }
    follow(&settings)
    if let quality = overrides.quality, case .images = output {
      // The export refuses 0, and so a value that is no integer.
      settings.images.quality = Int(exactly: quality) ?? 0
    }
    overrides.apply(to: &settings)
    try addMetadata(to: &settings)
    settings.passthrough = overrides.passthrough
    return settings
  }

  /// The preset that applies.
  private var preset: ExportPreset? { overrides.preset ?? project.preset }

  /// Follows the sources, within the limits of the preset.
  private func follow(_ settings: inout ExportSettings) {
    let limits = preset?.definition
    let keepsAudio = limits?.keepsSourceAudio == true
    settings.keepsSourceAudio = keepsAudio && overrides.sampleRate == nil && overrides.channelCount == nil
    settings.keepsFloatingPoint = keepsAudio && overrides.audioCodec == nil
    if origin.isMedia {
      if overrides.sampleRate == nil { settings.audioFromFirstClip.insert(.sampleRate) }
      if overrides.channelCount == nil { settings.audioFromFirstClip.insert(.channelCount) }
      // A preset with a bit rate is for playing, at the bit rate of stereo.
      if limits?.audio?.bitRate != nil { (settings.largestSampleRate, settings.mostChannels) = (48_000, 2) }
    }
    // The project's own values override those of its preset.
    if overrides.preset != nil || project.size == nil { settings.largestSize = limits?.largestSize }
    if overrides.preset != nil || project.frameRate == nil { settings.highestFrameRate = limits?.highestFrameRate }
  }

  private static func video(
    _ project: ProjectOutput, _ composition: ValidatedComposition, _ output: OutputName, _ overrides: OutputOverrides
  ) -> VideoEncodingSettings {
    let container = output.container
    // The project's codecs are for its file, not for streams.
    var video =
      container?.isForPrograms == true
      ? VideoEncodingSettings(codec: .raw) : project.video.settled(for: composition, in: container)
    if let preset = overrides.preset, preset.definition.video != nil { video = preset.video }
    if let codec = overrides.codec { video = VideoEncodingSettings(codec: codec, speed: video.speed) }
    if let quality = overrides.quality, container != nil { video.quality = .constant(quality) }
    overrides.apply(to: &video)
    if let speed = overrides.encoderSpeed { video.speed = speed }
    return video
  }

  private static func audio(
    _ project: ProjectOutput, _ output: OutputName, _ overrides: OutputOverrides
  ) -> AudioEncodingSettings? {
    guard !overrides.omitsAudio, var audio = project.audio else { return nil }
    if output.container?.isForPrograms == true || output.isStream { audio.chosenCodec = nil }
    // The preset of a movie may not apply to a file with audio only.
    if let chosen = overrides.preset?.definition.audio, output.container?.audioCodecs.contains(chosen.codec) == true {
      audio = AudioEncodingSettings(
        codec: chosen.chosenCodec, sampleRate: audio.sampleRate, channelCount: audio.channelCount, bitRate: chosen.bitRate,
        bitDepth: chosen.bitDepth)
    }
    if let codec = overrides.audioCodec {
      audio = AudioEncodingSettings(
        codec: codec, sampleRate: audio.sampleRate, channelCount: audio.channelCount,
        bitDepth: audio.chosenCodec == codec ? audio.bitDepth : nil)
    }
    if let rate = overrides.audioBitRate { audio.bitRate = rate }
    if let rate = overrides.sampleRate { audio.sampleRate = rate }
    if let count = overrides.channelCount { audio.channelCount = count }
    return audio
  }
}

extension OutputName {
  /// Whether it is a descriptor.
  fileprivate var isStream: Bool { if case .stream = self { true } else { false } }
}
