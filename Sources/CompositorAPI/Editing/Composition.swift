/// An edit's tracks, as a value. Consumers take a copy, so edits don't affect a render in progress.
public struct Composition: Hashable, Sendable {
  /// The tracks in the order in which they were added.
  public private(set) var tracks: [CompositionTrack] = []
  /// The size of the canvas that the edit was made for; `nil` for the size of the first video track.
  public var naturalSize: Size?
  /// Every track ID ever assigned, so that none is reused.
  private var usedTrackIDs: Set<TrackID> = []
  /// The largest assigned track ID.
  private var lastTrackID: TrackID = 0

  /// Creates an empty composition.
  public init() {}

  /// Adds an empty track.
  ///
  /// - Parameter preferredTrackID: The ID to use if it is > 0 and was never used in this composition; otherwise the next free
  ///   ID is used.
  /// - Returns: The ID of the new track.
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

  /// Removes a track. Its ID is never reused.
  ///
  /// - Throws: `.invalidTrackID` if there is no such track.
  public mutating func removeTrack(_ trackID: TrackID) throws(CompositorError) {
    tracks.remove(at: try index(ofTrack: trackID))
  }

  /// The track with an ID; `nil` if there is none.
  public func track(_ trackID: TrackID) -> CompositionTrack? { tracks.first { $0.trackID == trackID } }

  /// The tracks of one media type.
  public func tracks(_ mediaType: MediaType) -> [CompositionTrack] { tracks.filter { $0.mediaType == mediaType } }

  /// The end of the last segment of any track; zero if there is none.
  public var duration: MediaTime { tracks.map(\.end).max() ?? .zero }

  /// Replaces the segments of a track. O(n).
  ///
  /// - Throws: `.invalidTrackID` if there is no such track; the first error in the segments: `.segmentsNotContiguous`,
  ///   `.invalidSegmentDuration`, `.invalidSourceStart` or `.invalidSourceDuration`. The track doesn't change if this throws.
  public mutating func setSegments(_ segments: [CompositionTrackSegment], ofTrack trackID: TrackID)
    throws(CompositorError)
  {
    let index = try index(ofTrack: trackID)
    try CompositionTrack.validate(segments, trackID: trackID)
    tracks[index].segments = segments
  }

  /// Enables or disables a track.
  ///
  /// - Throws: `.invalidTrackID` if there is no such track.
  public mutating func setEnabled(_ isEnabled: Bool, ofTrack trackID: TrackID) throws(CompositorError) {
    tracks[try index(ofTrack: trackID)].isEnabled = isEnabled
  }

  /// Sets the orientation of a whole track.
  ///
  /// - Throws: `.invalidTrackID` if there is no such track; `.invalidValue` if an element of the matrix isn't finite.
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

  /// Replaces the sources of segments. Tracks without a source to replace aren't copied.
  package mutating func replaceSources(where isReplaced: (MediaSource) -> Bool, with replacement: (MediaSource) -> MediaSource)
  {
    for index in tracks.indices {
      for segment in tracks[index].segments.indices {
        guard let source = tracks[index].segments[segment].source, isReplaced(source) else { continue }
        tracks[index].segments[segment].source = replacement(source)
      }
    }
  }

  /// Edits the track at `index` in place, without copying its segments.
  mutating func withTrack(at index: Int, _ body: (inout CompositionTrack) -> Void) { body(&tracks[index]) }

  private mutating func register(_ trackID: TrackID) {
    usedTrackIDs.insert(trackID)
    lastTrackID = max(lastTrackID, trackID)
  }

  private var nextTrackID: TrackID {
    if lastTrackID < .max { return lastTrackID + 1 }
    // The largest ID was requested explicitly, so look for a gap; there are fewer tracks than IDs.
    return (1...TrackID.max).first { !usedTrackIDs.contains($0) } ?? .max
  }
}

extension Composition: Codable {
  private enum CodingKeys: String, CodingKey {
    case tracks, naturalSize, usedTrackIDs
  }

  /// Decodes tracks and checks them as ``setSegments(_:ofTrack:)`` does.
  ///
  /// - Throws: `DecodingError`; ``CompositorError`` if segments or track IDs are invalid.
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

  /// Encodes tracks, size and every track ID ever assigned.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(naturalSize, forKey: .naturalSize)
    try container.encode(tracks, forKey: .tracks)
    try container.encode(usedTrackIDs.sorted(), forKey: .usedTrackIDs)
  }
}
