public import CompositorAPI
public import CompositorMediaIO
public import CompositorMediaWriting

/// A movie to be rendered in parts: its cuts, and everything that its bytes depend on.
///
/// Machines that render parts of one plan make the same bytes, in any order and any number, or refuse if they cannot. The plan
/// is a JSON file; the SHA-256 of its bytes is its ``SegmentPlanFile/name``. Equal inputs give equal plans. Paths are relative
/// to the plan's folder, unless the project itself names files by absolute paths.
///
/// `compositor plan` makes one, `compositor render --plan` renders its parts, `compositor concat` joins them.
public struct SegmentPlan: Hashable, Sendable, Codable {
  /// The format version that this version of the package reads and writes.
  public static let currentFormat = 1

  /// The format version of the file.
  public var formatVersion = SegmentPlan.currentFormat
  /// The project to render.
  public var project: Project
  /// How the project is loaded and exported. In a batch, the recipe of all rows that don't have their own.
  public var recipe: Recipe
  /// Media files that are shown or heard, ordered by path.
  public var media: [InputFile]
  /// Other files that the project and the options name: templates, tables, captions, fonts, covers.
  public var files: [InputFile]
  /// System fonts that titles and captions use. ASS scripts choose fonts while they are rendered; those are in the receipts of
  /// the parts.
  public var fonts: [Font]
  /// Plugins that render frames or process audio.
  public var plugins: [Plugin]
  /// Versions by name: the tool, FFmpeg's libraries, encoder libraries and text libraries.
  public var versions: [String: String]
  /// The processor that the bytes depend on.
  public var processor: Processor
  /// The movie that parts are joined to; `nil` in a batch.
  public var movie: Movie?
  /// The first frame of each segment, rising from 0; empty in a batch.
  public var cuts: [Int]
  /// The part with the audio of the whole movie; `nil` without audio and in a batch.
  public var audio: AudioPart?
  /// The table of a batch; `nil` for a single movie.
  public var table: String?
  /// The rows of a batch, each of which is a movie of its own; `nil` for a single movie.
  public var rows: [Row]?

  /// A project and its digest.
  public struct Project: Hashable, Sendable, Codable {
    /// Path of the project, or of a media file that is rendered as a project of one clip.
    public var path: String
    /// The SHA-256 of the project's contents with variables substituted, without comments and white space; `nil` in a batch, in
    /// which each row has one.
    public var sha256: String?
  }

  /// An input file.
  public struct InputFile: Hashable, Sendable, Codable {
    /// Path of the file, or the pattern of numbered images.
    public var path: String
    /// Size of the file, or of all images, in bytes.
    public var byteCount: Int64
    /// The SHA-256 of the bytes; for images, of their concatenated digests.
    public var sha256: String
    /// Number of the first image; `nil` for a file.
    public var firstImage: Int?
    /// Number of images; `nil` for a file.
    public var imageCount: Int?
    /// The brightest light that a first pass measured, in cd/m²; `nil` unless requested.
    public var measuredPeak: Double?
  }

  /// A system font.
  public struct Font: Hashable, Sendable, Codable {
    /// The family name with which it was found.
    public var family: String
    /// File name of the font.
    public var file: String
    /// The SHA-256 of the file.
    public var sha256: String
  }

  /// A plugin and its uses.
  public struct Plugin: Hashable, Sendable, Codable {
    /// The compositors and audio processors that are used.
    public var ids: [String]
    /// Path of the plugin.
    public var path: String
    /// The SHA-256 of the file.
    public var sha256: String
  }

  /// The movie that parts are joined to.
  public struct Movie: Hashable, Sendable, Codable {
    /// Default path of the movie.
    public var path: String
    /// The file format.
    public var container: MovieContainer
    /// Video encoding settings, with fixed values for everything that the machine would decide.
    public var video: VideoEncodingSettings
    /// Size in pixels.
    public var size: PixelSize
    /// Pixel format of the encoder's input.
    public var format: PixelFormat
    /// Color, pixel aspect, alpha and HDR metadata, including measured light levels.
    public var attributes: FrameAttributes
    /// Units of frame times.
    public var timing: MovieTimeUnits
    /// The first timeline frame of the movie.
    public var firstFrame: Int
    /// Number of frames.
    public var frameCount: Int
    /// The part of the timeline in the movie.
    public var timeRange: TimeRange
    /// The orientation in which players show the frames.
    public var orientation: Orientation
    /// Metadata of the whole file.
    public var metadata: [String: String]
    /// The creation time in seconds since 1970; `nil` for none.
    public var creationSecondsSince1970: Int?
    /// Chapters in the movie's time.
    public var chapters: [Chapter]
    /// Whether the index precedes the media.
    public var hasFastStart: Bool
    /// Number of caption tracks.
    public var captionTrackCount: Int
    /// Whether the file has a cover.
    public var hasCover: Bool
  }

  /// The audio of the whole movie.
  public struct AudioPart: Hashable, Sendable, Codable {
    /// Audio encoding settings.
    public var encoding: AudioEncodingSettings
    /// Number of samples per channel.
    public var sampleCount: Int64
  }

  /// A row of a batch.
  public struct Row: Hashable, Sendable, Codable {
    /// Path of the output.
    public var path: String
    /// The SHA-256 of the project with the row's values.
    public var projectSHA256: String
    /// How the row is loaded and exported; `nil` for the plan's own recipe.
    public var recipe: Recipe?
  }
}

extension SegmentPlan {
  /// Number of segments, or of a batch's rows.
  public var segmentCount: Int { rows?.count ?? cuts.count }

  /// Whether each segment is a movie of its own.
  public var isBatch: Bool { rows != nil }

  /// The frames of a segment, counted in the movie; empty if there is no such segment.
  public func frames(ofSegment index: Int) -> Range<Int> {
    guard cuts.indices.contains(index), let movie else { return 0..<0 }
    return cuts[index]..<(index + 1 < cuts.count ? cuts[index + 1] : movie.frameCount)
  }

  /// The parts of the movie: its segments, then its audio.
  public var parts: [PlanPart] { (0..<segmentCount).map(PlanPart.segment) + (audio == nil ? [] : [.audio]) }
}
