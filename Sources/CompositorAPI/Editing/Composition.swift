/// One stretch of a composition's track: a piece of a source's track, or nothing for a while.
public struct CompositionTrackSegment: Hashable, Sendable, Codable {
  /// Where the media comes from; nil in an empty segment.
  public var source: MediaSource?
  /// The source's track, counted from 0 among its tracks of the same media type.
  public var sourceTrackIndex: Int
  /// From media time to track time. A source of zero duration is a freeze frame.
  public var timeMapping: TimeMapping

  /// A piece of a source's track.
  public init(source: MediaSource, trackIndex: Int = 0, timeMapping: TimeMapping) {
    self.source = source
    self.sourceTrackIndex = trackIndex
    self.timeMapping = timeMapping
  }

  /// Nothing for the time of `timeRange`.
  public init(empty timeRange: TimeRange) {
    self.source = nil
    self.sourceTrackIndex = 0
    self.timeMapping = TimeMapping(source: .invalid, target: timeRange)
  }

  /// Whether nothing plays.
  public var isEmpty: Bool { source == nil }
}

/// A track of a composition: segments one after another.
public struct CompositionTrack: Hashable, Sendable, Codable {
  /// The persistent number.
  public let trackID: TrackID
  /// Pictures or sound.
  public let mediaType: MediaType
  /// Segments from 0 on, without gap or overlap. Setting them through ``Composition`` checks that.
  public package(set) var segments: [CompositionTrackSegment]
  /// Whether the track plays.
  public var isEnabled = true
  /// The orientation of the whole track; not taken from sources on insertion.
  public var preferredTransform = AffineMatrix.identity

  package init(trackID: TrackID, mediaType: MediaType, segments: [CompositionTrackSegment] = []) {
    self.trackID = trackID
    self.mediaType = mediaType
    self.segments = segments
  }

  /// From 0 to the end of the last segment.
  public var timeRange: TimeRange {
    TimeRange(start: .zero, end: segments.last?.timeMapping.target.end ?? .zero)
  }
}

/// Tracks side by side: an edit, as a value. Consumers take a copy, so nothing changes under a render.
public struct Composition: Hashable, Sendable, Codable {
  /// Tracks in the order they were added.
  public private(set) var tracks: [CompositionTrack] = []
  /// The canvas that the edit was made for; nil takes the first video track's size.
  public var naturalSize: Size?
  /// Every track ID ever given, so that none is given twice.
  private var usedTrackIDs: Set<TrackID> = []

  /// An empty composition.
  public init() {}

  /// Adds an empty track.
  ///
  /// - Parameter preferredTrackID: Taken where it is > 0 and was never used in this composition; else the next free one.
  /// - Returns: The new track's ID.
  @discardableResult
  public mutating func addTrack(_ mediaType: MediaType, preferredTrackID: TrackID? = nil) -> TrackID {
    var trackID: TrackID = (usedTrackIDs.max() ?? 0) + 1
    if let preferredTrackID, preferredTrackID > 0, !usedTrackIDs.contains(preferredTrackID) {
      trackID = preferredTrackID
    }
    usedTrackIDs.insert(trackID)
    tracks.append(CompositionTrack(trackID: trackID, mediaType: mediaType))
    return trackID
  }

  /// The track with an ID.
  public func track(_ trackID: TrackID) -> CompositionTrack? { tracks.first { $0.trackID == trackID } }

  /// The tracks of one media type.
  public func tracks(_ mediaType: MediaType) -> [CompositionTrack] { tracks.filter { $0.mediaType == mediaType } }

  /// The end of the last segment of any track.
  public var duration: MediaTime { tracks.map(\.timeRange.end).max() ?? .zero }

  /// Replaces a track's segments.
  ///
  /// - Throws: `.invalidTrackID` where there is no such track; the first fault of the segments: `.segmentsNotContiguous`,
  ///   `.invalidSegmentDuration`, `.invalidSourceStart`, `.invalidSourceDuration`.
  public mutating func setSegments(_ segments: [CompositionTrackSegment], ofTrack trackID: TrackID)
    throws(CompositorError)
  {
    guard let index = tracks.firstIndex(where: { $0.trackID == trackID }) else {
      throw CompositorError(.invalidTrackID, "The composition has no track \(trackID).", at: .init(track: trackID))
    }
    tracks[index].segments = segments
  }
}
