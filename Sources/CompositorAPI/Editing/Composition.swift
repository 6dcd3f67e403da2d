/// Tracks side by side: an edit, as a value. Consumers take a copy, so nothing changes under a render.
public struct Composition: Hashable, Sendable {
  /// Tracks in the order they were added.
  public private(set) var tracks: [CompositionTrack] = []
  /// The canvas that the edit was made for; nil takes the first video track's size.
  public var naturalSize: Size?
  /// Every track ID ever given, so that none is given twice.
  private var usedTrackIDs: Set<TrackID> = []
  /// The largest of them.
  private var lastTrackID: TrackID = 0

  /// An empty composition.
  public init() {}

  /// Adds an empty track.
  ///
  /// - Parameter preferredTrackID: Taken where it is > 0 and was never used in this composition; else the next free one.
  /// - Returns: The new track's ID.
  @discardableResult
  public mutating func addTrack(_ mediaType: MediaType, preferredTrackID: TrackID? = nil) -> TrackID {
    var trackID = nextTrackID
    if let preferredTrackID, preferredTrackID > 0, !usedTrackIDs.contains(preferredTrackID) {
      trackID = preferredTrackID
    }
    register(trackID)
    tracks.append(CompositionTrack(trackID: trackID, mediaType: mediaType))
    return trackID
  }

  /// Removes a track. Its ID is never given again.
  ///
  /// - Throws: `.invalidTrackID` where there is no such track.
  public mutating func removeTrack(_ trackID: TrackID) throws(CompositorError) {
    tracks.remove(at: try index(ofTrack: trackID))
  }

  /// The track with an ID.
  public func track(_ trackID: TrackID) -> CompositionTrack? { tracks.first { $0.trackID == trackID } }

  /// The tracks of one media type.
  public func tracks(_ mediaType: MediaType) -> [CompositionTrack] { tracks.filter { $0.mediaType == mediaType } }

  /// The end of the last segment of any track.
  public var duration: MediaTime { tracks.map(\.end).max() ?? .zero }

  /// Replaces a track's segments. O(n).
  ///
  /// - Throws: `.invalidTrackID` where there is no such track; the first fault of the segments: `.segmentsNotContiguous`,
  ///   `.invalidSegmentDuration`, `.invalidSourceStart`, `.invalidSourceDuration`. Nothing is changed then.
  public mutating func setSegments(_ segments: [CompositionTrackSegment], ofTrack trackID: TrackID)
    throws(CompositorError)
  {
    let index = try index(ofTrack: trackID)
    try CompositionTrack.validate(segments, trackID: trackID)
    tracks[index].segments = segments
  }

  /// Says whether a track plays.
  ///
  /// - Throws: `.invalidTrackID` where there is no such track.
  public mutating func setEnabled(_ isEnabled: Bool, ofTrack trackID: TrackID) throws(CompositorError) {
    tracks[try index(ofTrack: trackID)].isEnabled = isEnabled
  }

  /// Sets the orientation of a whole track.
  ///
  /// - Throws: `.invalidTrackID` where there is no such track, `.invalidValue` where a number is not finite.
  public mutating func setPreferredTransform(_ transform: AffineMatrix, ofTrack trackID: TrackID)
    throws(CompositorError)
  {
    guard transform.isFinite else {
      throw CompositorError(
        .invalidValue, "The preferred transform has a number that is not finite.", at: .init(track: trackID))
    }
    tracks[try index(ofTrack: trackID)].preferredTransform = transform
  }

  func index(ofTrack trackID: TrackID) throws(CompositorError) -> Int {
    guard let index = tracks.firstIndex(where: { $0.trackID == trackID }) else {
      throw CompositorError(
        .invalidTrackID, "The composition has no track \(trackID).",
        recoverySuggestion: "Its tracks are \(tracks.map { String($0.trackID) }.joined(separator: ", ")).",
        at: .init(track: trackID))
    }
    return index
  }

  /// Edits the track at `index` in place, without copying its segments.
  mutating func withTrack(at index: Int, _ body: (inout CompositionTrack) -> Void) { body(&tracks[index]) }

  private mutating func register(_ trackID: TrackID) {
    usedTrackIDs.insert(trackID)
    lastTrackID = max(lastTrackID, trackID)
  }

  private var nextTrackID: TrackID {
    if lastTrackID < .max { return lastTrackID + 1 }
    // The largest ID was asked for once, so look for a gap; there are fewer tracks than IDs.
    return (1...TrackID.max).first { !usedTrackIDs.contains($0) } ?? .max
  }
}

extension Composition: Codable {
  private enum CodingKeys: String, CodingKey {
    case tracks, naturalSize, usedTrackIDs
  }

  /// Reads tracks and checks them as ``setSegments(_:ofTrack:)`` does.
  ///
  /// - Throws: `DecodingError`; ``CompositorError`` for segments that are not valid and track IDs that are not.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    naturalSize = try container.decodeIfPresent(Size.self, forKey: .naturalSize)
    tracks = try container.decode([CompositionTrack].self, forKey: .tracks)
    for track in tracks {
      guard track.trackID > 0, !usedTrackIDs.contains(track.trackID) else {
        throw CompositorError(
          .invalidTrackID, "Track ID \(track.trackID) is not above 0, or there twice.",
          recoverySuggestion: "Give each track an ID of its own, 1 or more.", at: .init(track: track.trackID))
      }
      try CompositionTrack.validate(track.segments, trackID: track.trackID)
      register(track.trackID)
    }
    for trackID in try container.decodeIfPresent([TrackID].self, forKey: .usedTrackIDs) ?? [] { register(trackID) }
  }

  /// Writes tracks, size and every track ID that was ever given.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(naturalSize, forKey: .naturalSize)
    try container.encode(tracks, forKey: .tracks)
    try container.encode(usedTrackIDs.sorted(), forKey: .usedTrackIDs)
  }
}
