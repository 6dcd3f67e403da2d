public import CompositorAPI

/// The order in which the two fields of a frame were captured.
public enum FieldOrder: String, Sendable, Hashable, Codable {
  /// No fields: the whole frame at once.
  case progressive
  /// The even rows (0, 2, …) first.
  case topFirst
  /// The odd rows first.
  case bottomFirst
}

/// Properties of a video track, read from its container and its first frame.
public struct VideoTrackInfo: Sendable, Hashable, Codable {
  /// Index among the container's video tracks, from 0 (undecodable tracks count, cover pictures don't).
  public var index: Int
  /// Short name of the codec: `h264`, `hevc`, `prores`, `png` …
  public var codec: String
  /// Stored size of the first frame in pixels. Later frames may have another size.
  public var size: PixelSize
  /// Format of the decoded frames.
  public var format: PixelFormat
  /// Color, pixel aspect, alpha and HDR metadata of the first frame.
  public var attributes: FrameAttributes
  /// The origin of the color tags; `nil` for stills and generated frames.
  public var colorProvenance: ColorProvenance?
  /// The container's frame rate in frames per second; an average if the rate varies, 0/1 if the container states none.
  public var nominalFrameRate: Rational
  /// When frames start, as measured from their timestamps; `nil` for stills, and if nothing was measured.
  public var cadence: FrameCadence?
  /// The shortest time from one frame to the next; `nil` for stills, tracks of one frame, and large files of variable rate.
  public var minimumFrameDuration: MediaTime?
  /// The range from the first frame's presentation time to the end of the last, in media time, as the source promises it.
  public var timeRange: TimeRange
  /// The end of the frames that are really present if the file is truncated; `nil` for a complete file.
  public var readableEnd: MediaTime?
  /// The transform from stored display space (pixel aspect applied, y down) to the upright frame with its corner at 0,0. The
  /// reader doesn't apply it. Default identity.
  public var preferredTransform = AffineMatrix.identity
  /// Order of the fields, if frames have fields. Default progressive.
  public var fieldOrder = FieldOrder.progressive
  /// Whether nothing says if frames have fields, and ``fieldOrder`` is an assumption: neither the container, nor a codec such as HuffYUV,
  /// Ut Video, Motion JPEG or none, in which captures of analog video are stored. Default false.
  public var lacksFieldOrder = false
  /// Metadata that changes from frame to frame and is not used; empty for most tracks.
  public var dynamicMetadata: [DynamicMetadata] = []
  /// Whether the first frame carries closed captions of television (CEA-608, CEA-708), which are part of the coded video and which only
  /// copies keep. Default false.
  public var hasClosedCaptions = false
  /// Whether this is a single image, shown at all times: ``timeRange`` is 0 … +∞. Default false.
  public var isStill = false
  /// The ICC profile with which frames were converted when they were decoded, and the resulting color, as a description;
  /// `nil` if frames have the codes of their file.
  public var colorProfile: String?
  /// The language as a BCP 47 tag, for example `de`; `nil` if the container states none.
  public var language: String?
  /// The track's title; `nil` if the container states none. Handler names of MP4 and QuickTime files don't count.
  public var title: String?
  /// The flags that players act on.
  public var flags: [TrackFlag] = []
  /// The edit list of an MP4 or QuickTime file; empty if there is none. Times are those after it is applied.
  public var edits: [TrackEdit] = []
  /// The views that a reader gives (``VideoReaderOptions/view``); `nil` for mono. No file is read as stereo yet: only media that a
  /// program provides itself.
  public var views: StereoViews?
  /// How the container stores the track; `nil` for media that is not a movie or audio file.
  public var storage: TrackStorage?

  /// Creates a description of a moving, complete and upright track. What else is known of it is set afterward.
  public init(
    index: Int, codec: String, size: PixelSize, format: PixelFormat, attributes: FrameAttributes, nominalFrameRate: Rational,
    timeRange: TimeRange
  ) {
    self.index = index
    self.codec = codec
    self.size = size
    self.format = format
    self.attributes = attributes
    self.nominalFrameRate = nominalFrameRate
    self.timeRange = timeRange
  }

  /// Size on screen: pixel aspect applied, then ``preferredTransform``.
  public var displaySize: Size {
    let width = Double(size.width) * attributes.pixelAspectRatio.value
    let stored = Rect(x: 0, y: 0, width: width, height: Double(size.height))
    return preferredTransform.boundingBox(of: stored).size
  }
}

/// Properties of an audio track.
public struct AudioTrackInfo: Sendable, Hashable, Codable {
  /// Index among the container's audio tracks, from 0.
  public var index: Int
  /// Short name of the codec: `aac`, `pcm_s16le`, `opus` …
  public var codec: String
  /// Sample rate in Hz.
  public var sampleRate: Int
  /// Number of channels.
  public var channelCount: Int
  /// The range from the first sample to the end of the last, in media time, as the source promises it.
  public var timeRange: TimeRange
  /// The end of the samples that are really present if the file is truncated; `nil` for a complete file.
  public var readableEnd: MediaTime?
  /// The language as a BCP 47 tag, for example `de`; `nil` if the container states none.
  public var language: String?
  /// The track's title; `nil` if the container states none. Handler names of MP4 and QuickTime files don't count.
  public var title: String?
  /// The flags that players act on.
  public var flags: [TrackFlag] = []
  /// The layout that more than two channels are taken for if the file doesn't state their positions, such as `5.1`; empty if there is none for so many;
  /// `nil` if the positions are stated.
  public var assumedLayout: String?
  /// Number of samples that the encoder added before the first one and that are not played, as far as the container states it.
  public var primingCount = 0
  /// Number of samples that the encoder added after the last one and that are not played, as far as the container states it.
  public var paddingCount = 0
  /// The edit list of an MP4 or QuickTime file; empty if there is none. Times are those after it is applied.
  public var edits: [TrackEdit] = []
  /// Jumps of the track's timestamps in order of time, at most 4096; empty for most tracks, and for movies above 64 MiB.
  public var gaps: [AudioGap] = []
  /// How the container stores the track; `nil` for media that is not a movie or audio file.
  public var storage: TrackStorage?

  /// Creates a description.
  public init(
    index: Int, codec: String, sampleRate: Int, channelCount: Int, timeRange: TimeRange, readableEnd: MediaTime? = nil,
    language: String? = nil, title: String? = nil
  ) {
    self.index = index
    self.codec = codec
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.timeRange = timeRange
    self.readableEnd = readableEnd
    self.language = language
    self.title = title
  }
}

/// A jump of an audio track's timestamps.
public struct AudioGap: Sendable, Hashable, Codable {
  /// The end of the samples before it, in media time.
  public var start: MediaTime
  /// The duration of the silence that follows them. If it is negative, samples of that duration overlap with earlier ones and are left
  /// out.
  public var duration: MediaTime

  /// Creates a description.
  public init(start: MediaTime, duration: MediaTime) {
    self.start = start
    self.duration = duration
  }
}

/// A track that is neither video nor audio, or that cannot be decoded.
public struct OtherTrackInfo: Sendable, Hashable, Codable {
  /// The kind of track. Later versions may add some: a `switch` needs a `default`.
  public struct Kind: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The name, as the tool's JSON has it.
    public let rawValue: String

    /// Creates the kind with a name, which may be that of another version.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The kind of tracks of a media type that cannot be decoded.
    public init(_ mediaType: MediaType) { self.init(rawValue: mediaType.rawValue) }

    /// The kind's name.
    public var description: String { rawValue }

    /// Video that cannot be decoded.
    public static let video = Kind(.video)
    /// Audio that cannot be decoded.
    public static let audio = Kind(.audio)
    /// Subtitles.
    public static let subtitle = Kind(rawValue: "subtitle")
    /// Timecode.
    public static let timecode = Kind(rawValue: "timecode")
    /// An attached file, such as a font.
    public static let attachment = Kind(rawValue: "attachment")
    /// An image of the movie, such as the cover of an album.
    public static let cover = Kind(rawValue: "cover")
    /// Anything else.
    public static let data = Kind(rawValue: "data")
  }

  /// Index among all streams of the container, from 0.
  public var streamIndex: Int
  /// The kind of track; `video` and `audio` for tracks that cannot be decoded.
  public var kind: Kind
  /// Short name or four-character code of the codec; `unknown` if there is neither.
  public var codec: String
  /// The reason why a video or audio track cannot be decoded, or why a subtitle track (of bitmaps) cannot be used; `nil` for
  /// others.
  public var reason: String?
  /// Index among the container's video, audio or subtitle tracks, from 0; `nil` for other kinds, and for video and audio
  /// without packets.
  public var trackIndex: Int?
  /// Whether the track is listed here because its codec has no decoder; `nil` for other kinds.
  public var needsDecoder: Bool?
  /// The language of a subtitle track as a BCP 47 tag; `nil` if the container states none, and for other kinds.
  public var language: String?
  /// The title of a subtitle track; `nil` if the container states none, and for other kinds.
  public var title: String?
  /// The flags that players act on.
  public var flags: [TrackFlag] = []
  /// The range from the first to the end of the last packet in media time; `nil` if there are none, for attachments and covers,
  /// and if the file is too large to be read completely.
  public var timeRange: TimeRange?
  /// The name of an attached file; `nil` for other kinds.
  public var fileName: String?
  /// How the container stores the track; `nil` for media that is not a movie or audio file.
  public var storage: TrackStorage?

  /// Creates a description.
  public init(
    streamIndex: Int, kind: Kind, codec: String, reason: String? = nil, trackIndex: Int? = nil, needsDecoder: Bool? = nil
  ) {
    self.streamIndex = streamIndex
    self.kind = kind
    self.codec = codec
    self.reason = reason
    self.trackIndex = trackIndex
    self.needsDecoder = needsDecoder
  }
}
