import ArgumentParser
import Compositor

extension OutputOptions {
  /// Checks that the options of the command line are consistent with the rest and with the kind of file. Values that only the project
  /// sets are checked by the exporter, whose errors point to the project.
  private func check(_ video: VideoEncodingSettings, _ audio: AudioEncodingSettings?) throws {
    guard let option = encodingOption, imageFormat == nil else { return }
    try usage(option) { () throws(CompositorError) in
      guard let container = targetContainer else { return }
      if codec != nil { try container.validate(video.codec, nil) }
      if codec != nil || quality != nil || encoding.videoOption != nil { try video.validateRanges() }
      if audioCodec != nil { try container.validate(nil, audio?.codec) }
    }
    if encoderSpeed != nil, !video.codec.hasRateControl {
      throw ValidationError(
        "--encoder-speed is for \(VideoEncodingSettings.Codec.namesWithRateControl), but the codec is \(video.codec.rawValue).")
    }
    if let container = targetContainer { try encoding.check(video, audio, in: container) }
  }

  /// Checks the encoder settings that only the project sets, before anything is written.
  private func checkRanges(ofProject video: VideoEncodingSettings) throws(CompositorError) {
    guard codec == nil, quality == nil, encoding.videoOption == nil, imageFormat == nil, self.video != false,
      passthrough == nil,
      let container = targetContainer, !container.isAudioOnly
    else { return }
    try video.validateRanges()
    try video.validateAnimation()
  }

  /// The file's container; `nil` for images, and for a name that is refused elsewhere.
  private var targetContainer: MovieContainer? { (try? target())?.container }

  /// The format of numbered images; `nil` for other output.
  private var imageFormat: ImageFileFormat? {
    if case .images(_, let format)? = try? OutputName(path: output) { format } else { nil }
  }

  /// What these options override of a project.
  var overrides: ProjectOverrides {
    get throws {
      var overrides = ProjectOverrides()
      overrides.mediaTypes = mediaTypes.sorted { $0.rawValue < $1.rawValue }
      overrides.damaged = damage.damaged
      overrides.colors = colors.overrides
      overrides.colors.preset = preset
      overrides.audio = try audio.overrides
      return overrides
    }
  }

  /// The settings of the project, overridden by those of the command line.
  ///
  /// - Parameter followsFirstClip: Whether sample rate and channels that aren't given are those of the first clip with audio.
  func settings(
    _ output: ProjectOutput, for composition: ValidatedComposition, range: TimeRange? = nil, followsFirstClip: Bool
  ) throws -> ExportSettings {
    if preset == nil, let preset = output.preset, let container = targetContainer {
      do throws(CompositorError) {
        try preset.check(container, path: self.output)
      } catch {
        throw error.locating(ErrorLocation(path: "output.preset"))
      }
    }
    let video = video(of: output, for: composition)
    let audio = audio(of: output)
    try check(video, audio)
    try checkRanges(ofProject: video)
    var settings = ExportSettings(
      video: video, audio: audio, timeRange: range, overwrites: overwrite,
      render: RenderSettings(threadCount: threads, damaged: damage.damaged),
      pictures: self.video.map { $0 ? .always : .never } ?? .whereShown)
    settings.render.budget = budget.budget
    let limits = preset ?? output.preset
    settings.keepsSourceAudio =
      limits?.definition.keepsSourceAudio == true && encoding.sampleRate == nil && encoding.channels == nil
    settings.keepsFloatingPoint = limits?.definition.keepsSourceAudio == true && audioCodec == nil
    if followsFirstClip {
      if encoding.sampleRate == nil { settings.audioFromFirstClip.insert(.sampleRate) }
      if encoding.channels == nil { settings.audioFromFirstClip.insert(.channelCount) }
      // A preset with a bit rate is for playing, at the bit rate of stereo.
      if limits?.definition.audio?.bitRate != nil { (settings.largestSampleRate, settings.mostChannels) = (48_000, 2) }
    }
    // The project's own values override those of its preset.
    if preset != nil || output.size == nil { settings.largestSize = limits?.definition.largestSize }
    if preset != nil || output.frameRate == nil { settings.highestFrameRate = limits?.definition.highestFrameRate }
    if let quality, imageFormat != nil { settings.images.quality = Int(quality) }
    encoding.apply(to: &settings)
    try metadata.apply(output.metadata, to: &settings, of: composition, output: try target())
    settings.passthrough = passthrough
    return settings
  }

  private func video(of output: ProjectOutput, for composition: ValidatedComposition) -> VideoEncodingSettings {
    // The project's codecs are for its file, not for streams.
    var video =
      targetContainer?.isForPrograms == true
      ? VideoEncodingSettings(codec: .raw) : output.video.settled(for: composition, in: targetContainer)
    if let preset, preset.definition.video != nil { video = preset.video }
    if let codec { video = VideoEncodingSettings(codec: codec, speed: video.speed) }
    if let quality, imageFormat == nil { video.quality = .constant(quality) }
    encoding.apply(to: &video)
    if let encoderSpeed { video.speed = encoderSpeed }
    return video
  }

  private func audio(of output: ProjectOutput) -> AudioEncodingSettings? {
    guard writesAudio, var audio = output.audio else { return nil }
    if targetContainer?.isForPrograms == true || self.output == "-" { audio.chosenCodec = nil }
    if let chosen = preset?.definition.audio, canHold(chosen.codec) {
      audio = AudioEncodingSettings(
        codec: chosen.chosenCodec, sampleRate: audio.sampleRate, channelCount: audio.channelCount, bitRate: chosen.bitRate,
        bitDepth: chosen.bitDepth)
    }
    if let audioCodec {
      audio = AudioEncodingSettings(
        codec: audioCodec, sampleRate: audio.sampleRate, channelCount: audio.channelCount,
        bitDepth: audio.chosenCodec == audioCodec ? audio.bitDepth : nil)
    }
    if let rate = encoding.audioBitRate { audio.bitRate = rate.bitsPerSecond }
    if let rate = encoding.sampleRate { audio.sampleRate = rate }
    if let count = encoding.channels { audio.channelCount = count }
    return audio
  }

  /// Whether the output can hold a codec: the preset of a movie may not apply to a file with audio only.
  private func canHold(_ codec: AudioEncodingSettings.Codec) -> Bool {
    targetContainer?.audioCodecs.contains(codec) == true
  }
}
