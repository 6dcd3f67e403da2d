public import CompositorAPI

/// Describes media sources without reading them completely.
public enum MediaProbe {
  /// Describes a source: its container, tracks, times and color. Opens the file, decodes the first frame of each video track,
  /// and closes the file again. Reads files up to 64 MiB completely, and the beginning and the end of larger ones.
  ///
  /// Can be called from any thread. The same file gives the same description.
  ///
  /// - Throws: `CompositorError`: `.fileNotFound`; `.sourceRefused` for addresses, pipes, devices, directories and custom
  ///   sources; `.unreadableMedia` if nothing can be decoded; `.frameTooLarge` for stills above
  ///   ``MediaLimits/maximumPixelCount``; `.invalidValue` for a generated source or a sequence with impossible values.
  public static func probe(_ source: MediaSource) throws(CompositorError) -> MediaInfo {
    try examine(source).info
  }

  /// Describes a source like ``probe(_:)``, with the facts that its readers rely on; `nil` for sources that are not a single
  /// file.
  ///
  /// - Parameter usesProfile: Whether the ICC profile of a still is applied.
  package static func examine(
    _ source: MediaSource, usesProfile: Bool = true
  ) throws(CompositorError) -> (info: MediaInfo, facts: FileFacts?) {
    guard case .file(let path) = source else { return (try describe(source, usesProfile: usesProfile), nil) }
    // Taken first, so that a file that changes during the probe differs from its facts.
    let facts = FileFacts(path: path)
    switch try ImageFile(path: path, usesProfile: usesProfile) {
    case .still(let image):
      let info = MediaInfo(
        source: source, container: image.container, duration: .positiveInfinity, videoTracks: [image.trackInfo()],
        warnings: image.warnings)
      return (info, facts)
    case .animation(let animation):
      let profile = animation.profile
      let track = try animation.trackInfo(profile)
      var info = MediaInfo(
        source: source, container: "webp", duration: track.timeRange.end, videoTracks: [track], warnings: profile.warnings)
      info.playCount = animation.playCount
      return (info, facts)
    case .movie(let playCount):
      var (info, facts) = try FFmpegProbe.probe(path: path)
      info.playCount = playCount
      return (info, facts)
    case nil:
      let (info, facts) = try FFmpegProbe.probe(path: path)
      return (info, facts)
    }
  }

  private static func describe(_ source: MediaSource, usesProfile: Bool) throws(CompositorError) -> MediaInfo {
    switch source {
    case .file: return try examine(source, usesProfile: usesProfile).info
    case .imageSequence(let pattern, let first, let frameRate, let missing):
      let sequence = try ImageSequence(
        pattern: pattern, first: first, frameRate: frameRate, missing: missing, usesProfile: usesProfile)
      let track = try sequence.trackInfo()
      return MediaInfo(source: source, container: "images", duration: track.timeRange.end, videoTracks: [track])
    case .generated(let generated): return try GeneratedVideoReader.describe(generated)
    case .custom: throw Self.refusal(source)
    }
  }

  static func refusal(_ source: MediaSource) -> CompositorError {
    CompositorError(
      .sourceRefused, "\(source) is media that the program itself provides; it cannot be opened here.",
      recoverySuggestion: "Provide it through the catalog.", at: ErrorLocation(file: source.description))
  }
}
