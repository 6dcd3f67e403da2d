public import CompositorAPI
public import CompositorExport
import CompositorHost
import CompositorMedia
import CompositorMediaIO
public import CompositorMediaWriting
public import CompositorValidation

extension ProjectFile {
  /// The settings with which the project is exported to a file: its codecs and their settings, the limits of its preset,
  /// metadata, chapters and cover. Without a codec in the project, it is the default one for the file and the color.
  ///
  /// ```swift
  /// let catalog = MediaCatalog()
  /// let project = try ProjectFile(contentsOf: "holiday.json5")
  /// let composition = try CompositionValidator.validate(project.edit(catalog: catalog), catalog: catalog).get()
  /// let settings = try project.exportSettings(for: composition, to: "holiday.mp4")
  /// let result = try await Exporter.export(composition, to: "holiday.mp4", settings: settings)
  /// ```
  ///
  /// Range, threads and whether an existing file is replaced are not those of a project: set them afterward. The files that the
  /// project and the overrides name are never replaced by an export of this composition.
  ///
  /// - Parameters:
  ///   - composition: The project's validated edit.
  ///   - path: The file to write, whose extension determines its format, or numbered images.
  ///   - overrides: Values that replace those of the project.
  /// - Throws: `.unsupportedOutput` if the path's extension is unknown or not one of the preset, or for values that the encoder
  ///   doesn't have; `.invalidValue` and `.noFrame` for chapters and a cover outside the timeline; the errors of reading
  ///   the cover and the source of metadata. Errors are located in the project.
  public func exportSettings(
    for composition: ValidatedComposition, to path: String, overrides: OutputOverrides = OutputOverrides()
  ) throws(CompositorError) -> ExportSettings {
    try exportSettings(for: composition, to: try OutputName(path: path), overrides)
  }

  /// The settings with which the project is exported to a stream. The project's codecs are for files: those of NUT and YUV4MPEG2
  /// are uncompressed.
  ///
  /// - Parameters:
  ///   - container: The format of the stream.
  ///   - overrides: Values that replace those of the project.
  /// - Throws: The errors of ``exportSettings(for:to:overrides:)``.
  public func exportSettings(
    for composition: ValidatedComposition, to stream: MovieStream, container: MovieContainer = .nut,
    overrides: OutputOverrides = OutputOverrides()
  ) throws(CompositorError) -> ExportSettings {
    try exportSettings(for: composition, to: .stream(stream, container), overrides)
  }

  private func exportSettings(
    for composition: ValidatedComposition, to output: OutputName, _ overrides: OutputOverrides
  ) throws(CompositorError) -> ExportSettings {
    composition.catalog.name(mentionedFiles().union(overrides.metadata.files))
    do throws(CompositorError) {
      let export = try ProjectExport(self, of: composition, to: output, overrides: overrides)
      try export.checkRanges()
      return try export.settings()
    } catch {
      throw locating(error)
    }
  }

  /// The composition as a single image shows it: with the exact size of its only source, if no canvas was chosen; and with alpha
  /// if the image holds it and the project asks for it, or the source is a media file that has it.
  ///
  /// - Parameter path: The image to write, with `ImageExporter`.
  public func imageComposition(_ composition: ValidatedComposition, for path: String) -> ValidatedComposition {
    let sized = composition.keepingSize()
    guard origin.isMedia || output.keepsAlpha, ImageFileFormat(path: path)?.holdsAlpha == true else { return sized }
    return sized.keepingAlpha()
  }

  /// The heard source with the most channels of audio, if an export mixes them down although the project chose no number of
  /// channels; `nil` if it doesn't, and for media files, whose number of channels an export follows.
  package func mixedDownSource(
    of composition: ValidatedComposition, to audio: AudioEncodingSettings?
  ) -> (source: MediaSource, channelCount: Int)? {
    guard let audio, !origin.isMedia, !choosesChannelCount, composition.hasAudio else { return nil }
    let heard = composition.heardAudio.compactMap { _, segment -> (source: MediaSource, channelCount: Int)? in
      guard let source = segment.source,
        let info = composition.media[source]?.audioTracks.first(where: { $0.index == segment.sourceTrackIndex })
      else { return nil }
      return (source, segment.channels.heardCount(of: info.channelCount))
    }
    let most = heard.max { ($0.channelCount, $0.source.description) < ($1.channelCount, $1.source.description) }
    return most.flatMap { $0.channelCount > audio.channelCount ? $0 : nil }
  }
}
