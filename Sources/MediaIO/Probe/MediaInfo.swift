public import CompositorAPI

/// What is inside a media source. A value: it holds no file open.
public struct MediaInfo: Sendable, Hashable, Codable {
  /// Where it comes from.
  public var source: MediaSource
  /// Short name of the container: `mp4`, `mov`, `matroska`, `avi`, `png`, `jpeg`, `generated` …
  public var container: String
  /// The latest end of any video or audio track, in media time; `.positiveInfinity` for stills.
  public var duration: MediaTime
  /// Tracks of pictures that can be decoded, in the container's order.
  public var videoTracks: [VideoTrackInfo]
  /// Tracks of sound that can be decoded, in the container's order.
  public var audioTracks: [AudioTrackInfo]
  /// Everything else: timecode, data, subtitles, cover pictures, and tracks that cannot be decoded.
  public var otherTracks: [OtherTrackInfo]
  /// Title, creation time and the like, as the container spells them.
  public var metadata: [String: String]
  /// Chapters in the order of time, in media time; empty without any. A chapter lasts until the next one starts.
  public var chapters: [Chapter] = []
  /// What is odd about the source and how it was resolved; empty for most files.
  public var warnings: [MediaWarning]

  /// Makes a description.
  public init(
    source: MediaSource, container: String, duration: MediaTime, videoTracks: [VideoTrackInfo] = [],
    audioTracks: [AudioTrackInfo] = [], otherTracks: [OtherTrackInfo] = [], metadata: [String: String] = [:],
    warnings: [MediaWarning] = []
  ) {
    self.source = source
    self.container = container
    self.duration = duration
    self.videoTracks = videoTracks
    self.audioTracks = audioTracks
    self.otherTracks = otherTracks
    self.metadata = metadata
    self.warnings = warnings
  }
}

/// A part of a movie that players list, and jump to.
public struct Chapter: Sendable, Hashable, Codable {
  /// When it starts. It lasts until the next one, or until the end.
  public var start: MediaTime
  /// What players call it, in one line; empty in files that give it no name.
  public var title: String

  /// Makes a chapter.
  public init(start: MediaTime, title: String) {
    self.start = start
    self.title = title
  }
}

extension MediaInfo {
  /// Tracks of subtitles, in the container's order: those of ``otherTracks`` of this kind.
  public var subtitleTracks: [OtherTrackInfo] { otherTracks.filter { $0.kind == "subtitle" } }
}

/// Something odd about a source that does not keep it from being read.
public struct MediaWarning: Sendable, Hashable, Codable {
  /// What is odd.
  public enum Kind: String, Sendable, Hashable, Codable {
    /// The file ends before its header says: later frames are missing.
    case truncated
    /// Container and bitstream disagree about color; the container was believed, and full range whoever says it.
    case colorDisagreement
    /// A color tag has a number that means nothing, or is missing beside others that are there; what is assumed stands in the message.
    case assumedColor
    /// Mastering display and light levels cannot both be right.
    case contradictoryLightLevels
    /// The header's duration makes no sense; the frames' own times were used.
    case implausibleDuration
    /// Timestamps start anew or jump by more than 10 s: the file's parts are played one after another.
    case restartedClock
    /// A track is there and cannot be decoded; it stands among the other tracks.
    case undecodableTrack
    /// A display matrix is not a rotation or a mirror; it was taken as identity.
    case unusableDisplayMatrix
    /// An ICC profile, or what a PNG says in its place, is damaged or means nothing for the picture; it was left out.
    case unusableColorProfile
    /// Dynamic HDR metadata (Dolby Vision, HDR10+) is there and not used.
    case dynamicMetadataDropped
    /// The mastering display's luminances cannot be right; they were left out.
    case implausibleMasteringDisplay
    /// Part of the pictures could not be decoded, when the source was probed or rendered.
    case damagedPictures
    /// Part of the sound could not be decoded when the source was rendered; it is silence.
    case damagedSound
    /// The file was written to or replaced while it was rendered.
    case changedMedia
  }
  /// What is odd.
  public var kind: Kind
  /// One sentence for a person.
  public var message: String

  /// Makes a warning.
  public init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }
}
