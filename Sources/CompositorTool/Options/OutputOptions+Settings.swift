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

  /// What these options override of the output of a composition's project.
  ///
  /// - Throws: A usage error for a time that doesn't exist at the composition's frame rate.
  func outputOverrides(for composition: ValidatedComposition) throws -> OutputOverrides {
    var overrides = OutputOverrides()
    (overrides.preset, overrides.passthrough) = (preset, passthrough)
    (overrides.codec, overrides.quality, overrides.encoderSpeed) = (codec, quality, encoderSpeed)
    overrides.videoTrack = video.map { $0 ? .always : .never }
    (overrides.omitsAudio, overrides.audioCodec) = (omitsAudio, audioCodec)
    encoding.apply(to: &overrides)
    overrides.metadata = try metadata.overrides(for: composition)
    return overrides
  }

  /// The settings of an export, with what only the command line decides.
  ///
  /// - Throws: A usage error for options that don't match the project or the output; the errors of the project's own output.
  func settings(
    _ export: ProjectExport, of composition: ValidatedComposition, range: TimeRange? = nil
  ) throws -> ExportSettings {
    try check(export.video, export.audio)
    try export.checkRanges()
    try metadata.check(for: composition, output: try target())
    var settings = try export.settings()
    (settings.timeRange, settings.overwrites) = (range, overwrite)
    (settings.render.threadCount, settings.render.damaged) = (threads, damage.damaged)
    settings.render.budget = budget.budget
    return settings
  }
}
