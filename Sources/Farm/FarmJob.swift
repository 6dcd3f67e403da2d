/// A plan as a render engine sees it: the names of its files, its parts, and the parts that are still missing.
///
/// Files for engines (a template, a batch script, a list of commands) are made from this value alone. All paths are relative to
/// the folder that contains the plan, so the folder can be at a different path on every machine.
///
/// The commands that an engine runs in that folder:
///
/// ```
/// compositor render --plan plan.json --segment 3      # one part; also --segment 3-7
/// compositor render --plan plan.json --audio          # if hasAudio
/// compositor concat plan.json -o movie.mp4            # unless isBatch
/// ```
public struct FarmJob: Hashable, Sendable, Codable {
  /// The display name of the job: the movie's name without its extension.
  public var title: String
  /// File name of the plan.
  public var planPath: String
  /// Name of the folder of parts and receipts beside the plan, such as `plan.parts`.
  public var partsFolderName: String
  /// File name of the finished movie. In a batch, that of the table of rows, because each row has its own output.
  public var movieName: String
  /// Number of segments, which are numbered from 0. In a batch, the number of rows.
  public var segmentCount: Int
  /// Whether there is an audio part in addition to the segments.
  public var hasAudio: Bool
  /// Files that a node reads in addition to the plan: the project, media, fonts and plugins, sorted, relative to the plan's
  /// folder; they start with `..` if they are not in it or below. Numbered images are listed one by one. Files with absolute
  /// paths, and fonts and plugins of the system, are not included, so each node must have them.
  public var inputPaths: [String]
  /// Segments without a valid part, as ascending ranges that neither touch nor overlap; empty if all are done.
  public var missing: [ClosedRange<Int>]
  /// Whether the audio part is still missing. False without audio.
  public var isAudioMissing: Bool
  /// Whether each segment is a movie of its own (a row of a table), so that there is nothing to join.
  public var isBatch: Bool

  /// Creates a job from its properties.
  public init(
    title: String, planPath: String, partsFolderName: String, movieName: String, segmentCount: Int, hasAudio: Bool,
    inputPaths: [String], missing: [ClosedRange<Int>], isAudioMissing: Bool, isBatch: Bool
  ) {
    self.title = title
    self.planPath = planPath
    self.partsFolderName = partsFolderName
    self.movieName = movieName
    self.segmentCount = segmentCount
    self.hasAudio = hasAudio
    self.inputPaths = inputPaths
    self.missing = missing
    self.isAudioMissing = isAudioMissing
    self.isBatch = isBatch
  }
}
