public import CompositorAPI
public import CompositorMediaIO

/// What a movie is to hold: video, audio tracks, or both. A value: ``validate()`` checks it without touching a file.
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
  /// The file format. It is named here, so a partial file may have any name.
  public var container: MovieContainer
  /// The video; nil for a file of audio alone.
  public var video: VideoTrackDescription?
  /// The audio tracks, at most ``maximumAudioTrackCount``; empty for a silent movie.
  public var audioTracks: [AudioTrackDescription]
  /// Captions that players show on request, at most ``maximumSubtitleTrackCount``; by default none. See ``MovieContainer/holdsCaptions``.
  public var subtitleTracks: [SubtitleTrackDescription] = []
  /// Entries for the whole file, such as `title`. Where ``MovieContainer/holdsAnyMetadata`` (`mkv`, `mka`, `webm`, `nut`, `flac`, `mp3`,
  /// `opus`, `ogg`) they may have any name; other containers hold their ``MovieContainer/metadataKeys`` only, and `gif`, `webp` and `y4m` none.
  public var metadata: [String: String]
  /// When the movie was made, in seconds since 1970-01-01 UTC. nil writes no date, so that equal input gives equal bytes.
  public var creationSecondsSince1970: Int?
  /// Chapters in order, from 0 to before ``end``; by default none. See ``MovieContainer/holdsChapters``.
  public var chapters: [Chapter] = []
  /// When the movie ends, which is when the last chapter does; nil if it is not known, which movies with chapters cannot leave open.
  public var end: MediaTime?
  /// A picture that players show for the file; by default none. See ``MovieContainer/holdsCover``.
  public var cover: CoverPicture?
  /// Whether the index of a file of the MPEG-4 family stands before the media, so that a player on the network can start at once. It
  /// costs one more copy of the file at the end. Default true.
  public var hasFastStart = true

  /// The most audio tracks that a file can have.
  public static let maximumAudioTrackCount = 32

  /// The most tracks of captions that a file can have.
  public static let maximumSubtitleTrackCount = 24

  /// Makes a description of any tracks.
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

  /// Makes a description of a movie with video and at most one audio track.
  ///
  /// - Parameter audio: How audio is encoded; nil for a silent movie.
  public init(
    container: MovieContainer, video: VideoTrackDescription, audio: AudioEncodingSettings? = nil,
    metadata: [String: String] = [:], creationSecondsSince1970: Int? = nil
  ) {
    self.init(
      container: container, video: video, audioTracks: audio.map { [AudioTrackDescription(encoding: $0)] } ?? [],
      metadata: metadata, creationSecondsSince1970: creationSecondsSince1970)
  }

  /// How the first audio track is encoded; nil if there is none.
  public var audio: AudioEncodingSettings? { audioTracks.first?.encoding }

  /// Checks that the container, the codecs, the frame format, the size and everything that tracks say go together, and that the encoders
  /// are there.
  ///
  /// - Throws: `.unsupportedOutput` if they do not (the message names what is allowed), `.encoderNotFound` if an encoder is missing on
  ///   this machine. An error about an audio track names it as `audioTracks[1]`, one about the video as `video`.
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
        try container.validate(video?.encoding.codec, track.encoding.settled(for: container).codec)
        try track.encoding.settled(for: container).validate()
        try container.validate(language: track.language, title: track.title, metadata: track.metadata)
      }
    }
    for (index, track) in subtitleTracks.enumerated() {
      try locating("subtitleTracks[\(index)]") { () throws(CompositorError) in try track.validate(in: container) }
    }
    try validateEntries()
  }

  /// Checks what is said of the whole file: entries, chapters, cover.
  package func validateEntries() throws(CompositorError) {
    try container.validate(metadata: metadata)
    try container.validate(chapters: chapters, until: end)
    try container.validate(cover: cover)
  }

  /// Index of the audio track that players choose; nil without audio.
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
        .unsupportedOutput, "More than one audio track is said to be the default.",
        recoverySuggestion: "Set isDefault for one of them.")
    }
  }

  /// QuickTime's color atom has no range, and neither has ProRes: a full-range picture would be read as a limited one.
  private func validateRange(of video: VideoTrackDescription) throws(CompositorError) {
    guard video.attributes.color.range == .full, !video.format.isRGB else { return }
    let hasNoRange = [.proRes, .dnxhr].contains(video.encoding.codec) || (video.encoding.codec == .ffv1 && container != .mkv)
    guard hasNoRange else { return }
    throw CompositorError(
      .unsupportedOutput,
      "\(video.encoding.codec.rawValue) in .\(container.rawValue) cannot say that pictures have full range.",
      recoverySuggestion: "Write limited range, or FFV1 into .mkv.")
  }

  private func locating(_ path: String, _ check: () throws(CompositorError) -> Void) throws(CompositorError) {
    do throws(CompositorError) { try check() } catch { throw error.locating(ErrorLocation(path: path)) }
  }
}
