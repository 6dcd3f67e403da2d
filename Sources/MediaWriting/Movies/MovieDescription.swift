public import CompositorAPI
public import CompositorMediaIO

/// The contents of a movie to write: video, audio tracks, or both. A value: ``validate()`` checks it without touching a file.
///
/// ```swift
/// let movie = MovieDescription(
///   container: .mp4, video: video,
///   audioTracks: [
///     AudioTrackDescription(language: "en", title: "English"),
///     AudioTrackDescription(language: "de", title: "Deutsch"),
///   ])
/// ```
public struct MovieDescription: Hashable, Sendable {
  /// The file format. It is independent of the file name, so a partial file may have any name.
  public var container: MovieContainer
  /// The video track; `nil` for audio alone.
  public var video: VideoTrackDescription?
  /// The audio tracks, at most ``maximumAudioTrackCount``; empty for a silent movie.
  public var audioTracks: [AudioTrackDescription]
  /// Captions that players can show, at most ``maximumSubtitleTrackCount``; none by default. See
  /// ``MovieContainer/holdsCaptions``.
  public var subtitleTracks: [SubtitleTrackDescription] = []
  /// Metadata of the whole file, such as `title`. Containers with ``MovieContainer/holdsAnyMetadata`` (`mkv`, `mka`, `webm`,
  /// `nut`, `flac`, `mp3`, `opus`, `ogg`) allow any key; others hold their ``MovieContainer/metadataKeys`` only, and `gif`,
  /// `webp` and `y4m` none.
  public var metadata: [String: String]
  /// The creation time, in seconds since 1970-01-01 UTC. `nil` writes no date, so that equal input gives equal bytes.
  public var creationSecondsSince1970: Int?
  /// Chapters in order, from 0 to before ``end``; none by default. See ``MovieContainer/holdsChapters``.
  public var chapters: [Chapter] = []
  /// The end of the movie and of its last chapter; `nil` if unknown. Required if there are chapters.
  public var end: MediaTime?
  /// An image that players show for the file; none by default. See ``MovieContainer/holdsCover``.
  public var cover: CoverPicture?
  /// Whether the index of a file of the MPEG-4 family precedes the media, so that a network player can start at once. It costs
  /// an additional copy of the file at the end. Default true.
  public var hasFastStart = true

  /// The maximum number of audio tracks in a file.
  public static let maximumAudioTrackCount = 32

  /// The maximum number of caption tracks in a file.
  public static let maximumSubtitleTrackCount = 24

  /// Creates a description from tracks.
  public init(
    container: MovieContainer, video: VideoTrackDescription? = nil, audioTracks: [AudioTrackDescription],
    metadata: [String: String] = [:], creationSecondsSince1970: Int? = nil
  ) {
    self.container = container
    self.video = video
    self.audioTracks = audioTracks
    self.metadata = metadata
    self.creationSecondsSince1970 = creationSecondsSince1970
  }

  /// Creates a description of a movie with video and at most one audio track.
  ///
  /// - Parameter audio: Audio encoding settings; `nil` for a silent movie.
  public init(
    container: MovieContainer, video: VideoTrackDescription, audio: AudioEncodingSettings? = nil,
    metadata: [String: String] = [:], creationSecondsSince1970: Int? = nil
  ) {
    self.init(
      container: container, video: video, audioTracks: audio.map { [AudioTrackDescription(encoding: $0)] } ?? [],
      metadata: metadata, creationSecondsSince1970: creationSecondsSince1970)
  }

  /// Encoding settings of the first audio track; `nil` if there is none.
  public var audio: AudioEncodingSettings? { audioTracks.first?.encoding }

  /// Checks that the container, codecs, frame format, size and track properties are compatible, and that the encoders are
  /// installed.
  ///
  /// - Throws: `.unsupportedOutput` if they are not (the message states what is allowed), `.encoderNotFound` if an encoder is
  ///   missing. The error's location is a path such as `audioTracks[1].sampleRate` or `video`.
  public func validate() throws(CompositorError) {
    try validateTrackCount()
    if let video {
      try locating("video") { () throws(CompositorError) in
        try container.validate(video.encoding.codec, nil)
        try validateRange(of: video)
        try video.validate(in: container)
        try container.validate(orientation: video.orientation())
        try container.validate(language: video.language, title: video.title, metadata: video.metadata)
      }
    }
    for (index, track) in audioTracks.enumerated() {
      try locating("audioTracks[\(index)]") { () throws(CompositorError) in
        let encoding = track.encoding.settled(for: container)
        try container.validate(video?.encoding.codec, encoding.codec)
        try encoding.validate()
        try container.validate(rateOf: encoding)
        try container.validate(language: track.language, title: track.title, metadata: track.metadata)
      }
    }
    for (index, track) in subtitleTracks.enumerated() {
      try locating("subtitleTracks[\(index)]") { () throws(CompositorError) in try track.validate(in: container) }
    }
    try validateEntries()
  }

  /// Checks the properties of the whole file: metadata, chapters and cover.
  package func validateEntries() throws(CompositorError) {
    try container.validate(metadata: metadata)
    try container.validate(chapters: chapters, until: end)
    try container.validate(cover: cover)
  }

  /// Index of the audio track that players choose by default; `nil` without audio.
  var defaultAudioTrack: Int? { audioTracks.isEmpty ? nil : audioTracks.firstIndex(where: \.isDefault) ?? 0 }

  private func validateTrackCount() throws(CompositorError) {
    guard video != nil || !audioTracks.isEmpty else {
      throw CompositorError(
        .unsupportedOutput, "The movie has neither video nor audio.", recoverySuggestion: "Describe at least one track.")
    }
    guard audioTracks.count <= Self.maximumAudioTrackCount else {
      throw CompositorError(
        .unsupportedOutput, "\(audioTracks.count) audio tracks cannot be written.",
        recoverySuggestion: "Use at most \(Self.maximumAudioTrackCount).")
    }
    guard audioTracks.count <= 1 || !container.isSingleTrack else {
      throw CompositorError(
        .unsupportedOutput, "A .\(container.rawValue) file cannot hold \(audioTracks.count) audio tracks.",
        recoverySuggestion: "Write one track, or a .m4a or .mka file.")
    }
    guard subtitleTracks.count <= Self.maximumSubtitleTrackCount, subtitleTracks.count(where: \.captions.isDefault) <= 1 else {
      throw CompositorError(
        .unsupportedOutput,
        "\(subtitleTracks.count) tracks of captions, \(subtitleTracks.count(where: \.captions.isDefault)) of them the default, cannot be written.",
        recoverySuggestion: "Use at most \(Self.maximumSubtitleTrackCount), and one default.")
    }
    guard audioTracks.count(where: \.isDefault) <= 1 else {
      throw CompositorError(
        .unsupportedOutput, "More than one audio track is the default.",
        recoverySuggestion: "Set isDefault for one of them.")
    }
  }

  /// Frames of full range would be read as limited where nothing states their range.
  private func validateRange(of video: VideoTrackDescription) throws(CompositorError) {
    guard video.attributes.color.range == .full, !video.format.isRGB else { return }
    guard !container.statesRange(of: video.encoding.codec) else { return }
    throw CompositorError(
      .unsupportedOutput,
      "\(video.encoding.codec.rawValue) in .\(container.rawValue) cannot state that frames have full range.",
      recoverySuggestion: "Write limited range, or FFV1 into .mkv.")
  }

  private func locating(_ path: String, _ check: () throws(CompositorError) -> Void) throws(CompositorError) {
    do throws(CompositorError) {
      try check()
    } catch {
      // Settings know themselves as `audio`, whichever track they are of.
      var located = error
      if let key = error.location.path?.trimmingPrefix("audio."), key != error.location.path ?? "" {
        located.location.path = "\(path).\(key)"
      }
      throw located.locating(ErrorLocation(path: path))
    }
  }
}
