public import CompositorAPI
import CompositorHost
import CompositorCaptions
public import CompositorMediaIO
public import CompositorMediaWriting
public import CompositorValidation

/// Writes single images of a composition.
public enum ImageExporter {
  /// Writes the image at a given time as an image file: `.png` of 8 or 16 bits (as the settings' format), `.jpg` or `.webp`.
  ///
  /// The file appears complete or not at all.
  ///
  /// - Parameters:
  ///   - settings: Image settings, by default for the image at exactly this time.
  ///   - file: Quality of JPEG and WebP.
  /// - Returns: Warnings about damaged sources, if `RenderSettings.damaged` is `.keep`.
  /// - Throws: `.outputExists`, `.outputIsInput` and `.unsupportedOutput` before anything is done; `.noFrame` outside the
  ///   timeline; the errors of decoding and composing; `.writeFailed`; `.cancelled`.
  @discardableResult public static func export(
    _ composition: ValidatedComposition, at time: MediaTime, to path: String, settings: ImageSettings = .exact,
    file: ImageFileSettings = ImageFileSettings(), overwrites: Bool = false
  ) async throws(CompositorError) -> [MediaWarning] {
    let kind = try ImageFileWriter.format(of: path)
    try file.validate(for: kind, path: path)
    var settings = settings
    if settings.format == .rgba { settings.format = kind.layout(for: settings.format) }
    guard settings.format.isRGB, settings.format == kind.layout(for: settings.format) else {
      throw CompositorError(
        .unsupportedOutput, "\(settings.format) images cannot be written to \(path).",
        recoverySuggestion: kind == .png ? "Write 8-bit or 16-bit RGBA." : "Write 8-bit RGBA, or a .png.",
        at: ErrorLocation(file: path))
    }
    try OutputGuard.check([path], of: composition, overwrites: overwrites)
    let measured = try await composition.measuringPeaks(settings: settings.render).composition
    let generator = try ImageGenerator(measured, settings: settings)
    let frame: Frame
    do throws(CompositorError) {
      frame = try await generator.image(at: time).frame
    } catch {
      await generator.close()
      throw error
    }
    await generator.close()
    let damage = await generator.damage
    let partial = try AtomicOutput(in: FileName.folder(of: path), overwrites: overwrites)
    do throws(CompositorError) {
      try ImageFileWriter.writePart(frame, to: partial.path(for: path), settings: file)
      try partial.commit([path])
      return damage.warnings
    } catch {
      partial.discard()
      throw partial.naming(error, output: path)
    }
  }
}

/// Writes captions to files of their own.
public enum CaptionExporter {
  /// Writes a track as SRT, WebVTT or ASS, by the file name's extension. The file appears complete or not at all.
  ///
  /// ```swift
  /// try CaptionExporter.export(CaptionTrack(contentsOf: "movie.mkv"), to: "movie.srt")
  /// ```
  ///
  /// - Parameters:
  ///   - range: The part of the captions to write. Its start is the file's 0. By default everything from 0.
  ///   - inputs: The files that the captions were read from, which are never replaced.
  /// - Throws: `.unsupportedOutput` for another extension, `.outputExists`, `.outputIsInput`, `.writeFailed`; the errors of
  ///   `CaptionTrack` for times and styles out of range.
  public static func export(
    _ track: CaptionTrack, to path: String, in range: TimeRange = TimeRange(start: .zero, duration: .positiveInfinity),
    inputs: [String] = [], overwrites: Bool = false
  ) throws(CompositorError) {
    let format = try CaptionFileFormat(path: path)
    try track.validate()
    try OutputGuard.check([path], sources: inputs.map { MediaSource.file(path: $0) }, overwrites: overwrites)
    let partial = try AtomicOutput(in: FileName.folder(of: path), overwrites: overwrites)
    do throws(CompositorError) {
      try TextFile.write(track.text(as: format, in: range), to: partial.path(for: path))
      try partial.commit([path])
    } catch {
      partial.discard()
      throw partial.naming(error, output: path)
    }
  }
}
