public import CompositorAPI
public import CompositorMediaIO

/// What an export writes, and how.
public struct ExportSettings: Sendable {
  /// How pictures are encoded in a movie. Images are PNG whatever stands here.
  public var video: VideoEncodingSettings
  /// How sound is encoded; nil leaves it out. A composition without sound gets no sound track either way.
  public var audio: AudioEncodingSettings?
  /// The part of the timeline to write; nil for all of it. Frames that start inside are written, the first at time 0.
  public var timeRange: TimeRange?
  /// Whether an existing file is replaced, at once, when the new one is complete. By default that is an error.
  public var overwrites: Bool
  /// Entries for the whole movie, such as `title`.
  public var metadata: [String: String]
  /// When the movie was made, in seconds since 1970; nil writes no date, so that equal input gives equal bytes.
  public var creationSecondsSince1970: Int?
  /// How frames are made.
  public var render: RenderSettings

  /// Makes settings; H.264 and AAC unless told otherwise.
  public init(
    video: VideoEncodingSettings = VideoEncodingSettings(), audio: AudioEncodingSettings? = AudioEncodingSettings(),
    timeRange: TimeRange? = nil, overwrites: Bool = false, metadata: [String: String] = [:],
    creationSecondsSince1970: Int? = nil, render: RenderSettings = RenderSettings()
  ) {
    self.video = video
    self.audio = audio
    self.timeRange = timeRange
    self.overwrites = overwrites
    self.metadata = metadata
    self.creationSecondsSince1970 = creationSecondsSince1970
    self.render = render
  }
}
