public import CompositorAPI
import CompositorCaptions
import CompositorMediaIO

/// Writes captions as files of their own.
public enum CaptionExporter {
  /// Writes a track as SRT, WebVTT or ASS, by the extension of the name. The file appears complete, or not at all.
  ///
  /// ```swift
  /// try CaptionExporter.export(CaptionTrack(contentsOf: "movie.mkv"), to: "movie.srt")
  /// ```
  ///
  /// - Parameters:
  ///   - range: The part of the captions' time that is written; its start is the file's 0. By default all from 0 on.
  ///   - input: The file that the captions were read from, which is never replaced; `nil` if there is none.
  /// - Throws: `.unsupportedOutput` for another extension, `.outputExists`, `.outputIsInput`, `.writeFailed`; what
  ///   ``CompositorAPI/CaptionTrack`` throws for times and a style out of range.
  public static func export(
    _ track: CaptionTrack, to path: String, in range: TimeRange = TimeRange(start: .zero, duration: .positiveInfinity),
    input: String? = nil, overwrites: Bool = false
  ) throws(CompositorError) {
    let format = try CaptionFileFormat(path: path)
    try track.validate()
    try OutputGuard.check([path], sources: input.map { [MediaSource.file(path: $0)] } ?? [], overwrites: overwrites)
    let partial = try PartialOutput(in: OutputName.folder(of: path), overwrites: overwrites)
    do throws(CompositorError) {
      try TextFile.write(track.text(as: format, in: range), to: partial.path(for: path))
      try partial.commit([path])
    } catch {
      partial.discard()
      throw partial.naming(error, output: path)
    }
  }
}
