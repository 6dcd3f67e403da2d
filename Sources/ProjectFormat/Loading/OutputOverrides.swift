public import CompositorAPI
public import CompositorExport
import CompositorHost
public import CompositorMediaIO
public import CompositorMediaWriting

/// Values that override those of a project's output: what a command line says beside it. `nil` leaves a value to ``preset``,
/// then to the project.
///
/// The color, depth and alpha of ``preset`` are those of an edit: apply the preset to it (`ExportPreset.apply(to:)`) before you
/// validate it.
public struct OutputOverrides: Hashable, Sendable {
  /// The encoding preset, which replaces that of the project.
  public var preset: ExportPreset?
  /// Whether a movie gets a video track; `nil` if the composition shows anything.
  public var videoTrack: VideoTrackChoice?
  /// Whether audio is left out.
  public var omitsAudio = false
  /// How packets are copied instead of encoding frames; `nil` encodes.
  public var passthrough: PassthroughMode?

  /// The video codec, at its own quality. Of the settings of the project and the preset, only the speed is kept.
  public var codec: VideoEncodingSettings.Codec?
  /// Constant quality of a movie (`VideoEncodingSettings.Quality.constant`), or of numbered JPEG and WebP images, 1 … 100.
  public var quality: Double?
  /// The average bit rate of video in bits per second, instead of a quality.
  public var bitRate: Int?
  /// Whether the movie is encoded twice, to meet the bit rate.
  public var isTwoPass: Bool?
  /// Speed against size.
  public var encoderSpeed: VideoEncodingSettings.Speed?
  /// The maximum distance between key frames.
  public var keyFrameInterval: KeyFrameInterval?
  /// The kind of encoder.
  public var encoder: VideoEncodingSettings.Encoder?
  /// The number of encoder threads, 1 … 64.
  public var encoderThreadCount: Int?
  /// The palette of a GIF.
  public var palette: VideoEncodingSettings.AnimationSettings.Palette?
  /// The dithering of a GIF.
  public var dithering: VideoEncodingSettings.AnimationSettings.Dithering?
  /// How many times a GIF or WebP plays, 0 … 65,535; 0 for endlessly.
  public var playCount: Int?
  /// Whether a WebP is lossless.
  public var isLossless: Bool?

  /// Size of the frames in pixels; see `ExportSettings.size`.
  public var size: PixelSize?
  /// Frames per second.
  public var frameRate: Rational?
  /// The default resampling of clips.
  public var sampling: SamplingQuality?
  /// Whether the output is a draft: at most 960x540, with fast sampling and encoding.
  public var isDraft = false

  /// The audio codec. Of the settings of the project and the preset, sample rate and channels are kept.
  public var audioCodec: AudioEncodingSettings.Codec?
  /// The bit rate of lossy audio in bits per second.
  public var audioBitRate: Int?
  /// The sample rate in Hz.
  public var sampleRate: Int?
  /// The number of audio channels.
  public var channelCount: Int?

  /// Overrides of the output's metadata.
  public var metadata = MetadataOverrides()

  /// Creates overrides that leave a project as it is.
  public init() {}
}

/// Values that override the metadata of a project's output.
public struct MetadataOverrides: Hashable, Sendable {
  /// A file whose metadata are kept.
  public enum Source: Hashable, Sendable {
    /// The only media file of the composition: its entries, its date, and its chapters, unless ``chapters`` replaces them.
    case onlyMedia
    /// Any media file: its entries and its date.
    case file(path: String)
  }

  /// Entries such as `title`, by name. They are added to the project's, of which they replace those with the same name.
  public var entries: [String: String] = [:]
  /// The file whose metadata are kept; `nil` for that of the project.
  public var source: Source?
  /// The chapters, in timeline time; `nil` for those of the project.
  public var chapters: [Chapter]?
  /// The cover; `nil` for that of the project.
  public var cover: CoverImage?
  /// Whether the index of an MPEG-4 file precedes the media.
  public var hasFastStart: Bool?
  /// The rotation and mirroring that players apply to the frames.
  public var orientation: Orientation?

  /// Creates overrides that leave the metadata as they are.
  public init() {}

  /// The files that are named.
  var files: [String] {
    var files: [String] = []
    if case .file(let path)? = cover { files.append(path) }
    if case .file(let path)? = source { files.append(path) }
    return files
  }

  /// The keys of a project's metadata that an output holds and that nothing replaces.
  func keysOfProject(in container: MovieContainer?) -> [ProjectFile.MetadataKey] {
    guard let container else { return [] }
    return ProjectFile.MetadataKey.allCases.filter { key in
      switch key {
      case .chapters: chapters == nil && container.holdsChapters
      case .cover: cover == nil && container.holdsCover
      case .source: source == nil
      }
    }
  }
}

extension OutputOverrides {
  /// Whether codec, quality or the encoder's own settings are overridden.
  var setEncoder: Bool {
    codec != nil || quality != nil || bitRate != nil || isTwoPass != nil || keyFrameInterval != nil || encoder != nil
      || encoderThreadCount != nil || palette != nil || dithering != nil || playCount != nil || isLossless != nil
  }

  /// Overrides the settings of an encoder, except for its codec, quality and speed.
  func apply(to video: inout VideoEncodingSettings) {
    if let bitRate { video.quality = .bitRate(bitRate) }
    if let isTwoPass { video.isTwoPass = isTwoPass }
    if let encoder { video.encoder = encoder }
    if let encoderThreadCount { video.threadCount = encoderThreadCount }
    if isDraft, video.codec.hasRateControl { video.speed = .ultrafast }
    switch keyFrameInterval {
    case .frames(let count): (video.keyFrameInterval, video.keyFrameDuration) = (count, nil)
    case .time(let time): (video.keyFrameInterval, video.keyFrameDuration) = (nil, time)
    case nil: break
    }
    if let palette { video.animation.palette = palette }
    if let dithering { video.animation.dithering = dithering }
    if let playCount { video.animation.playCount = playCount }
    if let isLossless { video.animation.isLossless = isLossless }
  }

  /// Overrides size, rate and sampling of an export.
  func apply(to settings: inout ExportSettings) {
    if let size { settings.size = size }
    if let frameRate { settings.frameRate = frameRate }
    if let sampling { settings.render.sampling = sampling }
    guard isDraft else { return }
    settings.largestSize = PixelSize(width: 960, height: 540)
    settings.render.quality = .draft
  }
}
