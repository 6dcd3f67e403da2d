/// An audio track of the output: the composition tracks that are mixed into it, and what players show of it.
///
/// ```swift
/// edit.audioTracks = [
///   AudioOutputTrack([1, 3], language: "en", isDefault: true), AudioOutputTrack([2, 3], language: "de", title: "Deutsch"),
/// ]
/// ```
public struct AudioOutputTrack: Hashable, Sendable, Codable {
  /// The audio tracks of the composition that are mixed, enabled or not.
  public var trackIDs: Set<TrackID>
  /// The language as a BCP 47 tag (`de`, `pt-BR`); `nil` for none.
  public var language: String?
  /// The title for people, in one line; `nil` for none.
  public var title: String?
  /// Whether players choose the track by default. At most one can be the default; without one, it is the first.
  public var isDefault: Bool

  /// Creates an audio track.
  public init(_ trackIDs: Set<TrackID>, language: String? = nil, title: String? = nil, isDefault: Bool = false) {
    self.trackIDs = trackIDs
    self.language = language
    self.title = title
    self.isDefault = isDefault
  }
}
