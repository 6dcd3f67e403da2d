public import CompositorAPI
public import CompositorHost
public import CompositorMediaIO
public import CompositorMediaWriting

/// Settings of an export: what to write, and how.
public struct ExportSettings: Sendable {
  /// The valid frame rates of an output, in frames per second.
  package static let frameRates = 0.01...1000
  /// Video encoding settings for movies. Without a codec, the export uses the default one: see
  /// `VideoEncodingSettings.defaultCodec(for:in:)`.
  public var video: VideoEncodingSettings
  /// Whether a movie gets a video track. Audio files never do.
  public var videoTrack: VideoTrackChoice
  /// Audio encoding settings; `nil` leaves audio out. A composition without audio gets no audio track in either case.
  public var audio: AudioEncodingSettings?
  /// The part of the timeline to write; `nil` for all of it. Frames that start inside are written, the first one at time 0.
  public var timeRange: TimeRange?
  /// Whether an existing file is replaced, atomically, when the new one is complete. By default, an existing file is an error.
  public var overwrites: Bool
  /// Metadata of the whole movie, such as `title`; see `MovieContainer.metadataKeys` for the keys. `location` is in ISO 6709,
  /// as `GeographicLocation` writes it. A `date` with time of day and time zone also becomes the file's own date, unless
  /// ``creationSecondsSince1970`` is set.
  public var metadata: [String: String]
  /// The creation time, in seconds since 1970; `nil` writes no date, so that equal input gives equal bytes.
  public var creationSecondsSince1970: Int?
  /// Rendering settings.
  public var render: RenderSettings
  /// Settings for writing numbered images.
  public var images = ImageFileSettings()
  /// Size of the frames in pixels; `nil` leaves it to the edit. If its aspect ratio differs from the canvas's, bars are added:
  /// `OutputDescription.size`.
  public var size: PixelSize?
  /// The bounding box, in either orientation, that larger frames are scaled into if ``size`` is `nil`; `nil` for none.
  public var largestSize: PixelSize?
  /// Whether numbered images and animated WebP have the alpha of the composition's only source, if no background was chosen.
  /// Default false.
  public var keepsSourceAlpha = false
  /// Whether audio has the channel count and sample rate of the richest source if ``audio`` is at 48 kHz and stereo. Default
  /// false.
  public var keepsSourceAudio = false
  /// Whether ``audio`` is of floating point instead of FLAC if that of a source is, and the file can hold it. Default false.
  public var keepsFloatingPoint = false
  /// The properties of ``audio`` that are replaced by those of the first clip with audio, as far as the codec supports them;
  /// none by default. The export notes what it changes. ``keepsSourceAudio`` takes precedence.
  public var audioFromFirstClip: Set<AudioProperty> = []
  /// The highest sample rate in Hz that ``audioFromFirstClip`` chooses; `nil`, the default, for what the codec supports.
  public var largestSampleRate: Int?
  /// The most channels that ``audioFromFirstClip`` chooses; `nil`, the default, for what the codec supports.
  public var mostChannels: Int?
  /// Frames per second; `nil` leaves it to the edit. Frames are dropped or repeated, and each shows what the timeline shows at
  /// its time.
  public var frameRate: Rational?
  /// Maximum frame rate in frames per second if ``frameRate`` is `nil`; faster movies drop frames evenly to stay within
  /// it. `nil` for no limit.
  public var highestFrameRate: Int?
  /// Chapters of the movie in timeline time, which ``timeRange`` cuts and shifts; none by default.
  public var chapters: [Chapter] = []
  /// An image that represents the file in players; `nil`, the default, for none.
  public var cover: CoverImage?
  /// Whether the index of a file of the MPEG-4 family precedes the media; see `MovieDescription.hasFastStart`. Default true;
  /// other containers ignore it.
  public var fastStart = true
  /// The orientation in which players show the frames, which are stored as they are composed; upright by default. Only `mp4`,
  /// `m4v` and `mov` can state another one; other movies throw `.unsupportedOutput`.
  public var orientation = Orientation.upright
  /// How packets are copied instead of encoding frames; `nil` (the default) encodes. ``video`` is ignored then. In modes that
  /// copy audio, ``audio`` copies too, unless it requests something that the source lacks: another codec, any bit rate or bit
  /// depth, or a sample rate or channel count other than the default's and the source's. Audio is then encoded as requested.
  public var passthrough: PassthroughMode?
  /// Mastering display and light levels measured before, for an edit that requests generated ones; `nil` measures them.
  package var measuredLight: HDRMetadata?
  /// The frame times of a composition whose timing follows a track, if they were read before; `nil` reads them.
  package var frameTimes: [MediaTime]?
  /// Whether an audio file lasts as long as ``timeRange`` even if the timeline ends earlier: the last frame of a movie may be
  /// shown beyond that end. Default false.
  package var extendsAudio = false
  /// What ``keepMetadata(of:in:)`` could not keep, for the notes of the export.
  package var metadataNotes: [String] = []

  /// Creates settings, by default for the default codecs of the output.
  public init(
    video: VideoEncodingSettings = VideoEncodingSettings(), audio: AudioEncodingSettings? = AudioEncodingSettings(),
    timeRange: TimeRange? = nil, overwrites: Bool = false, metadata: [String: String] = [:],
    creationSecondsSince1970: Int? = nil, render: RenderSettings = RenderSettings(), videoTrack: VideoTrackChoice = .whereShown
  ) {
    self.videoTrack = videoTrack
    self.video = video
    self.audio = audio
    self.timeRange = timeRange
    self.overwrites = overwrites
    self.metadata = metadata
    self.creationSecondsSince1970 = creationSecondsSince1970
    self.render = render
  }
}

/// The conditions under which a movie gets a video track.
public enum VideoTrackChoice: String, Hashable, Sendable, Codable, CaseIterable {
  /// If the composition shows anything: clips with video, titles, or a compositor that generates frames. Otherwise the movie
  /// has audio alone.
  case whereShown = "where-shown"
  /// Always. A composition that shows nothing is black, or has its background color.
  case always
  /// Never: nothing is decoded or composed, and audio alone is written.
  case never
}

extension ExportPreset {
  /// Renders an edit in the preset's color, depth and alpha, in the pixel format that codec, sources and color require.
  public func apply(to edit: inout Edit) {
    let definition = definition
    if let color = definition.color { edit.render(in: color) }
    edit.output.format = definition.format
    if let depth = definition.bitDepth { edit.output.bitDepth = depth }
    edit.output.followsSourceLayout = definition.followsSourceLayout
    if definition.keepsAlpha { edit.output.alphaMode = .straight }
  }

  /// Applies the preset's codecs and settings, and limits size and frame rate to the preset's.
  public func apply(to settings: inout ExportSettings) {
    let definition = definition
    settings.video = video
    if let audio = definition.audio, settings.audio != nil { settings.audio = audio }
    settings.keepsSourceAudio = definition.keepsSourceAudio
    settings.keepsFloatingPoint = definition.keepsSourceAudio
    settings.largestSize = definition.largestSize
    settings.highestFrameRate = definition.highestFrameRate
  }
}

/// The source of a file's cover.
public enum CoverImage: Hashable, Sendable, Codable {
  /// A JPEG or PNG file.
  case file(path: String)
  /// The bytes of such a file.
  case picture(CoverPicture)
  /// A frame of the movie at a timeline time, as PNG of at most 1280 pixels per side.
  case frame(at: MediaTime)
}
