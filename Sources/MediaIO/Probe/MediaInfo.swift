public import CompositorAPI

/// The contents of a media source, as a value that holds no file open.
public struct MediaInfo: Sendable, Hashable, Codable {
  /// The source itself.
  public var source: MediaSource
  /// Short name of the container: `mp4`, `mov`, `matroska`, `avi`, `png`, `jpeg`, `generated` …
  public var container: String
  /// The latest end of any video or audio track in media time; `.positiveInfinity` for stills.
  public var duration: MediaTime
  /// The duration that the movie header of an MP4 or QuickTime file states, which may differ from that of its tracks and is 0 for
  /// files in fragments; `nil` if it states none, and for other containers.
  public var headerDuration: MediaTime?
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
  public var subtitleTracks: [OtherTrackInfo] { otherTracks.filter { $0.kind == .subtitle } }
}

/// An irregularity of a source that doesn't prevent reading it.
public struct MediaWarning: Sendable, Hashable, Codable {
  /// The kind of irregularity. Later versions may add some: a `switch` needs a `default`.
  public struct Kind: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The name, as the tool's JSON has it.
    public let rawValue: String

    /// Creates the kind with a name, which may be that of another version.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The kind's name.
    public var description: String { rawValue }

    /// The file ends before its header states: later frames are missing.
    public static let truncated = Kind(rawValue: "truncated")
    /// Container and bitstream disagree about color. The container takes precedence, except that full range does whichever side
    /// states it.
    public static let colorDisagreement = Kind(rawValue: "colorDisagreement")
    /// A color tag has a meaningless number, or is missing beside others. The message states what is assumed.
    public static let assumedColor = Kind(rawValue: "assumedColor")
    /// Mastering display and light levels contradict each other.
    public static let contradictoryLightLevels = Kind(rawValue: "contradictoryLightLevels")
    /// The header states no size of the samples, or a wrong one, although they are complete; all are read.
    public static let openSize = Kind(rawValue: "openSize")
    /// Bytes after the media belong to nothing that the header states; they are not read.
    public static let unreadBytes = Kind(rawValue: "unreadBytes")
    /// The header's duration is impossible, or that of the file from which this one was cut; the frames' own times were used.
    public static let implausibleDuration = Kind(rawValue: "implausibleDuration")
    /// Timestamps restart or jump by more than 10 s: the file's parts are played one after another.
    public static let restartedClock = Kind(rawValue: "restartedClock")
    /// The times of a video track start again in a container that states no parts: frames of the later part are not shown.
    public static let repeatedTimes = Kind(rawValue: "repeatedTimes")
    /// A video track that is regular otherwise has no frames for a while: the frame before is shown meanwhile.
    public static let missingFrames = Kind(rawValue: "missingFrames")
    /// Parts of a file were lost when it was sent, recorded or copied: some packets of video are incomplete, or its end consists of zeros.
    public static let incompletePackets = Kind(rawValue: "incompletePackets")
    /// The frames of a video track have several sizes; each is scaled to the size of the first.
    public static let changingFrameSize = Kind(rawValue: "changingFrameSize")
    /// A track cannot be decoded and is listed among the other tracks.
    public static let undecodableTrack = Kind(rawValue: "undecodableTrack")
    /// A display matrix is neither a rotation nor a mirror; the identity was used.
    public static let unusableDisplayMatrix = Kind(rawValue: "unusableDisplayMatrix")
    /// An ICC profile, or equivalent PNG chunks, are damaged or meaningless for the image; they were ignored.
    public static let unusableColorProfile = Kind(rawValue: "unusableColorProfile")
    /// Dynamic HDR metadata (Dolby Vision, HDR10+) is present but not used.
    public static let dynamicMetadataDropped = Kind(rawValue: "dynamicMetadataDropped")
    /// The mastering display's luminances are impossible; they were ignored.
    public static let implausibleMasteringDisplay = Kind(rawValue: "implausibleMasteringDisplay")
    /// The timestamps of audio jump, so that silence was inserted or samples were left out, or they waver around the samples.
    public static let unsteadyAudio = Kind(rawValue: "unsteadyAudio")
    /// The number of channels of an audio track changes within the stream; all of it is mixed to that of the beginning.
    public static let changingChannels = Kind(rawValue: "changingChannels")
    /// A stream without a container states no times, and perhaps no frame rate: 25 frames per second are assumed.
    public static let assumedFrameRate = Kind(rawValue: "assumedFrameRate")
    /// A text of titles that are used as media extends beyond their frame, and is cut off there.
    public static let textCutOff = Kind(rawValue: "textCutOff")
    /// The alpha of the frames is a video track of its own, which is not used.
    public static let unusedAlpha = Kind(rawValue: "unusedAlpha")
    /// Some frames could not be decoded when the source was probed or rendered.
    public static let damagedVideo = Kind(rawValue: "damagedVideo")
    /// Some audio could not be decoded when the source was rendered; it was replaced by silence.
    public static let damagedAudio = Kind(rawValue: "damagedAudio")
    /// The file was modified or replaced while it was rendered.
    public static let changedMedia = Kind(rawValue: "changedMedia")
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
