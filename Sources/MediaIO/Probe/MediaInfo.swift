public import CompositorAPI

/// The contents of a media source, as a value that holds no file open.
public struct MediaInfo: Sendable, Hashable, Codable {
  /// The source itself.
  public var source: MediaSource
  /// Short name of the container: `mp4`, `mov`, `matroska`, `avi`, `png`, `jpeg`, `generated` …
  public var container: String
  /// The latest end of any video or audio track in media time; `.positiveInfinity` for stills.
  public var duration: MediaTime
  /// Decodable video tracks, in the container's order.
  public var videoTracks: [VideoTrackInfo]
  /// Decodable audio tracks, in the container's order.
  public var audioTracks: [AudioTrackInfo]
  /// All other tracks: timecode, data, subtitles, cover pictures, and undecodable tracks.
  public var otherTracks: [OtherTrackInfo]
  /// Title, creation time and other metadata, with the container's keys.
  public var metadata: [String: String]
  /// Chapters in order of time, in media time. A chapter lasts until the next one starts.
  public var chapters: [Chapter] = []
  /// What the container states beside its media: boxes of MP4 and QuickTime files, elements of Matroska files.
  public var extras: [ContainerExtra] = []
  /// How often an animated image (GIF, WebP, APNG) is to be played, 0 for endlessly; `nil` for other media.
  public var playCount: Int?
  /// Irregularities of the source and how they were resolved; empty for most files.
  public var warnings: [MediaWarning]

  /// Creates a description.
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

/// A named section of a movie that players list and can jump to.
public struct Chapter: Sendable, Hashable, Codable {
  /// Start time. A chapter lasts until the next one, or until the end.
  public var start: MediaTime
  /// The chapter's name, in one line; may be empty.
  public var title: String

  /// Creates a chapter.
  public init(start: MediaTime, title: String) {
    self.start = start
    self.title = title
  }
}

extension MediaInfo {
  /// Subtitle tracks in the container's order: those of ``otherTracks`` of this kind.
  public var subtitleTracks: [OtherTrackInfo] { otherTracks.filter { $0.kind == "subtitle" } }
}

/// An irregularity of a source that doesn't prevent reading it.
public struct MediaWarning: Sendable, Hashable, Codable {
  /// The kind of irregularity.
  public enum Kind: String, Sendable, Hashable, Codable {
    /// The file ends before its header states: later frames are missing.
    case truncated
    /// Container and bitstream disagree about color. The container takes precedence, except that full range does whichever side
    /// states it.
    case colorDisagreement
    /// A color tag has a meaningless number, or is missing beside others. The message states what is assumed.
    case assumedColor
    /// Mastering display and light levels contradict each other.
    case contradictoryLightLevels
    /// The header states no size of the samples, or a wrong one, although they are complete; all are read.
    case openSize
    /// Bytes after the media belong to nothing that the header states; they are not read.
    case unreadBytes
    /// The header's duration is impossible; the frames' own times were used.
    case implausibleDuration
    /// Timestamps restart or jump by more than 10 s: the file's parts are played one after another.
    case restartedClock
    /// The times of a video track start again in a container that states no parts: frames of the later part are not shown.
    case repeatedTimes
    /// A video track that is regular otherwise has no frames for a while: the frame before is shown meanwhile.
    case missingFrames
    /// Parts of a file were lost when it was sent, recorded or copied: some packets of video are incomplete, or its end consists of zeros.
    case incompletePackets
    /// The frames of a video track have several sizes; each is scaled to the size of the first.
    case changingFrameSize
    /// A track cannot be decoded and is listed among the other tracks.
    case undecodableTrack
    /// A display matrix is neither a rotation nor a mirror; the identity was used.
    case unusableDisplayMatrix
    /// An ICC profile, or equivalent PNG chunks, are damaged or meaningless for the image; they were ignored.
    case unusableColorProfile
    /// Dynamic HDR metadata (Dolby Vision, HDR10+) is present but not used.
    case dynamicMetadataDropped
    /// The mastering display's luminances are impossible; they were ignored.
    case implausibleMasteringDisplay
    /// The timestamps of audio jump, so that silence was inserted or samples were left out, or they waver around the samples.
    case unsteadyAudio
    /// The number of channels of an audio track changes within the stream; all of it is mixed to that of the beginning.
    case changingChannels
    /// A stream without a container states no times, and perhaps no frame rate: 25 frames per second are assumed.
    case assumedFrameRate
    /// A text of titles that are used as media extends beyond their frame, and is cut off there.
    case textCutOff
    /// The alpha of the frames is a video track of its own, which is not used.
    case unusedAlpha
    /// Some frames could not be decoded when the source was probed or rendered.
    case damagedPictures
    /// Some audio could not be decoded when the source was rendered; it was replaced by silence.
    case damagedSound
    /// The file was modified or replaced while it was rendered.
    case changedMedia
  }
  /// The kind of irregularity.
  public var kind: Kind
  /// A sentence for people.
  public var message: String

  /// Creates a warning.
  public init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }
}
