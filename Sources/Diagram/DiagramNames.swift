public import CompositorAPI

/// What a project calls the tracks and sources of its edit.
public struct DiagramNames: Hashable, Sendable {
  /// Names of tracks, such as `tracks[1] "B"`. Tracks without a name here have their type and number.
  public var tracks: [TrackID: String]
  /// Names of tracks beside their rows, after a word such as “Video”: `[1] "B"`. Tracks without one have that of ``tracks``.
  public var shortTracks: [TrackID: String]
  /// The tracks that are masks of effects.
  public var masks: Set<TrackID>
  /// Names of sources, such as those of a project's assets. Sources without a name here have their file's.
  public var sources: [MediaSource: String]

  /// Creates names.
  public init(
    tracks: [TrackID: String] = [:], shortTracks: [TrackID: String] = [:], masks: Set<TrackID> = [],
    sources: [MediaSource: String] = [:]
  ) {
    (self.tracks, self.shortTracks, self.masks, self.sources) = (tracks, shortTracks, masks, sources)
  }

  /// The title of a track's row: `Video [1] "B"`, short enough for the margin.
  func title(of track: TrackID, _ kind: String) -> String {
    guard let name = shortTracks[track] ?? tracks[track] else { return "\(kind) \(track)" }
    return "\(masks.contains(track) ? "Mask" : kind) \(name)"
  }

  /// A track inside a row of another title.
  func track(_ track: TrackID) -> String { tracks[track] ?? "track \(track)" }

  func source(_ source: MediaSource) -> String {
    sources[source].map { DiagramText.clean($0) } ?? DiagramText.name(of: source)
  }
}
