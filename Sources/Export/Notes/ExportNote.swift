public import CompositorAPI

/// A note on how an output differs from its edit or its sources, because of the file's limits or of settings.
public struct ExportNote: Hashable, Sendable, Codable {
  /// The kind of difference. Later versions may add some: a `switch` needs a `default`.
  public struct Kind: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The name.
    public let rawValue: String

    /// Creates the kind with a name, which may be that of another version.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The kind's name.
    public var description: String { rawValue }

    /// Tracks of a source are not used, although others of it are.
    public static let unusedTracks = Kind(rawValue: "unusedTracks")
    /// A track of a source cannot be read.
    public static let unreadableTrack = Kind(rawValue: "unreadableTrack")
    /// Flags of tracks are not kept.
    public static let trackFlags = Kind(rawValue: "trackFlags")
    /// What a source's container states besides its tracks is not kept, such as the boxes of 3D video.
    public static let containerExtras = Kind(rawValue: "containerExtras")
    /// Bytes of a source are not read.
    public static let unreadBytes = Kind(rawValue: "unreadBytes")
    /// Metadata, chapters, a cover or a rotation are not kept, or not as they are.
    public static let metadata = Kind(rawValue: "metadata")
    /// Captions are not written, or without a part of their language.
    public static let captions = Kind(rawValue: "captions")
    /// The output holds no audio.
    public static let audioLeftOut = Kind(rawValue: "audioLeftOut")
    /// Audio has another sample rate, other channels or fewer bits than its source.
    public static let audioFormat = Kind(rawValue: "audioFormat")
    /// Copied audio may drop out where two files meet.
    public static let audioSeams = Kind(rawValue: "audioSeams")
    /// Video and audio begin or end at different times.
    public static let unevenEnds = Kind(rawValue: "unevenEnds")
    /// Frames of a source are not shown, or frames are shown at other times.
    public static let frameRate = Kind(rawValue: "frameRate")
    /// Sources are enlarged much.
    public static let enlarged = Kind(rawValue: "enlarged")
    /// Frames have another format than was requested or than their source.
    public static let videoFormat = Kind(rawValue: "videoFormat")
    /// Alpha is not kept.
    public static let alpha = Kind(rawValue: "alpha")
    /// An animated image plays a limited number of times.
    public static let playCount = Kind(rawValue: "playCount")
    /// A copy is shown in another orientation than its source.
    public static let orientation = Kind(rawValue: "orientation")
    /// Many players cannot show the movie.
    public static let limitedPlayback = Kind(rawValue: "limitedPlayback")
  }

  /// The kind of difference.
  public var kind: Kind
  /// The source that differs; `nil` if the note isn't about one source.
  public var source: MediaSource?
  /// What differs, and the settings that change it.
  package var wording: Wording

  package init(_ kind: Kind, _ wording: Wording, source: MediaSource? = nil) {
    (self.kind, self.wording, self.source) = (kind, wording, source)
  }
}

extension ExportNote {
  /// What differs: one sentence, in most cases without a capital and a full stop, and without advice.
  public var message: String { wording.message }

  /// The settings that avoid the difference, in the order of the note's text; empty if there are none.
  public var recoveryOptions: [RecoveryOption] { wording.recoveryOptions }

  /// The whole note, with advice that names settings in the words of a program.
  ///
  /// ```swift
  /// for note in result.notes {
  ///   print(note.text { $0.setting == .frameRate ? "Settings > Frame rate: \($0.value ?? "")" : nil })
  /// }
  /// ```
  ///
  /// - Parameter spelling: Returns the words for a setting and its value; `nil` for those of Swift.
  public func text(spelling: @escaping @Sendable (RecoveryOption) -> String?) -> String {
    wording.text(SettingSpelling(spelling))
  }
}

extension ExportNote: CustomStringConvertible {
  /// The message and the advice, with names of Swift.
  public var description: String { wording.description }
}
