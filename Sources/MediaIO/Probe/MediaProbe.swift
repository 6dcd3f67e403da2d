public import CompositorAPI

/// Looks into media sources.
public enum MediaProbe {
  /// Describes a source: its container, tracks, times and colour. Opens the file, decodes the first picture of each video
  /// track, and closes it again. Files up to 64 MiB are read through once, of larger ones the beginning and the end.
  ///
  /// Any thread. The same file gives the same description.
  ///
  /// - Throws: ``CompositorError``: `.fileNotFound`; `.sourceRefused` for addresses, pipes, devices, directories and custom
  ///   sources; `.unreadableMedia` where nothing can be decoded; `.pictureTooLarge` for stills above
  ///   ``MediaLimits/maximumPixelCount``; `.invalidValue` for a generated source or a sequence with impossible numbers.
  public static func probe(_ source: MediaSource) throws(CompositorError) -> MediaInfo {
    switch source {
    case .file(let path): return try FFmpegProbe.probe(path: path)
    default:
      throw CompositorError(
        .sourceRefused, "\(source) is not a file.", remedy: "Give the path of a regular file on this machine.")
    }
  }
}
