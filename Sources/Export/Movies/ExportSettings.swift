public import CompositorAPI
public import CompositorHost
public import CompositorMediaIO
public import CompositorMediaWriting

/// What an export writes, and how.
public struct ExportSettings: Sendable {
  /// How pictures are encoded in a movie.
  public var video: VideoEncodingSettings
  /// Whether a movie gets a video track. Files of audio alone never do.
  public var pictures: PictureChoice
  /// How sound is encoded; nil leaves it out. A composition without sound gets no sound track in a movie either way.
  public var audio: AudioEncodingSettings?
  /// The part of the timeline to write; nil for all of it. Frames that start inside are written, the first at time 0.
  public var timeRange: TimeRange?
  /// Whether an existing file is replaced, at once, when the new one is complete. By default that is an error.
  public var overwrites: Bool
  /// Entries for the whole movie, such as `title`; ``CompositorMediaWriting/MovieContainer/metadataKeys`` says which. `location` is ISO
  /// 6709, as ``CompositorMediaWriting/GeographicLocation`` writes it. A `date` with a time of day and a zone is the file's own date too,
  /// unless ``creationSecondsSince1970`` says another.
  public var metadata: [String: String]
  /// When the movie was made, in seconds since 1970; nil writes no date, so that equal input gives equal bytes.
  public var creationSecondsSince1970: Int?
  /// How frames are made.
  public var render: RenderSettings
  /// How numbered images are written.
  public var images = ImageFileSettings()
  /// Columns and rows of the frames; nil leaves them to the edit. Another aspect than the canvas' gets bars: ``OutputDescription/size``.
  public var size: PixelSize?
  /// The box, on either side, that larger frames are scaled into, if ``size`` says nothing; nil for none.
  public var largestSize: PixelSize?
  /// Whether audio gets the channels and the sample rate of the richest source, where ``audio`` says 48 kHz and stereo. Default false.
  public var keepsSourceAudio = false
  /// Frames a second; nil leaves them to the edit. Frames are left out or repeated, each shows what the timeline shows at its time.
  public var frameRate: Rational?
  /// Frames a second that faster movies are brought below, by leaving frames out evenly, if ``frameRate`` says nothing; nil for no limit.
  public var highestFrameRate: Int?
  /// Chapters of the movie, in the time of the timeline: ``timeRange`` cuts and shifts them. By default none.
  public var chapters: [Chapter] = []
  /// A picture that players show for the file; by default none.
  public var cover: CoverImage?
  /// Whether the index of a file of the MPEG-4 family stands before the media; see
  /// ``CompositorMediaWriting/MovieDescription/hasFastStart``. Default true; other containers ignore it.
  public var fastStart = true
  /// How players turn the frames, which are stored as they are composed; upright by default. Only `mp4`, `m4v` and `mov` can
  /// say it: for other movies it is `.unsupportedOutput`.
  public var orientation = Orientation.upright
  /// How packets are copied instead of encoding frames; nil, the default, encodes. ``video`` is without effect then.
  /// ``audio`` copies too, in modes that copy audio, as long as nothing is chosen that the source does not have: another codec, any bit rate or bit
  /// depth, another sample rate or number of channels than the default's and the source's. Then audio is encoded as it says.
  public var passthrough: PassthroughMode?

  /// Makes settings; H.264 and the container's usual audio codec unless told otherwise.
  public init(
    video: VideoEncodingSettings = VideoEncodingSettings(), audio: AudioEncodingSettings? = AudioEncodingSettings(),
    timeRange: TimeRange? = nil, overwrites: Bool = false, metadata: [String: String] = [:],
    creationSecondsSince1970: Int? = nil, render: RenderSettings = RenderSettings(), pictures: PictureChoice = .whereShown
  ) {
    self.pictures = pictures
    self.video = video
    self.audio = audio
    self.timeRange = timeRange
    self.overwrites = overwrites
    self.metadata = metadata
    self.creationSecondsSince1970 = creationSecondsSince1970
    self.render = render
  }
}

/// Whether a movie gets a video track.
public enum PictureChoice: String, Hashable, Sendable, Codable, CaseIterable {
  /// Where the composition shows anything: clips with video, titles, a compositor that makes pictures of its own. Else the movie
  /// has audio alone.
  case whereShown = "where-shown"
  /// In any case: what shows nothing is as black, or of the color, as its background.
  case always
  /// Never: nothing is decoded or composed, the audio alone is written.
  case never
}

extension ExportPreset {
  /// Renders an edit to the preset's color, depth and alpha, in the layout that codec, sources and color ask for.
  public func apply(to edit: inout Edit) {
    let definition = definition
    if let color = definition.color { edit.render(in: color) }
    edit.output.format = definition.format
    if let depth = definition.bitDepth { edit.output.bitDepth = depth }
    edit.output.followsSourceLayout = definition.followsSourceLayout
    if definition.keepsAlpha { edit.output.alphaMode = .straight }
  }

  /// Encodes as the preset says, at most in its size and frame rate.
  public func apply(to settings: inout ExportSettings) {
    let definition = definition
    settings.video = video
    if let audio = definition.audio, settings.audio != nil { settings.audio = audio }
    settings.keepsSourceAudio = definition.keepsSourceAudio
    settings.largestSize = definition.largestSize
    settings.highestFrameRate = definition.highestFrameRate
  }
}

/// Where the cover of a file comes from.
public enum CoverImage: Hashable, Sendable {
  /// A JPEG or PNG file.
  case file(path: String)
  /// The bytes of such a file.
  case picture(CoverPicture)
  /// A picture of the movie at a time of the timeline, as PNG of at most 1280 pixels a side.
  case frame(at: MediaTime)
}
