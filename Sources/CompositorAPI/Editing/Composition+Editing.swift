/// Edits of one track. Each succeeds, or throws and leaves the composition unchanged.
extension Composition {
  /// Inserts a range of a source's track. Media at `time` and later moves back by its duration.
  ///
  /// - Parameter time: Track time ≥ 0, or `.invalid` to append. If it is past the end of the track, an empty segment fills the
  ///   gap.
  /// - Throws: `.invalidTrackID`; `.invalidSourceStart` and `.invalidSourceDuration` if a range isn't finite or is empty;
  ///   `.invalidValue` if `time` isn't finite or is negative.
  /// - Complexity: O(log n) at the end of the track, O(n) elsewhere.
  public mutating func insert(_ range: SourceRange, at time: MediaTime, inTrack trackID: TrackID) throws(CompositorError) {
    try insert([range], at: time, inTrack: trackID)
  }

  /// Inserts ranges of sources' tracks one after another. If one is invalid, none is inserted.
  ///
  /// Times, errors and complexity are those of ``insert(_:at:inTrack:)-(SourceRange,_,_)``.
  public mutating func insert(_ ranges: [SourceRange], at time: MediaTime, inTrack trackID: TrackID)
    throws(CompositorError)
  {
    var segments: [CompositionTrackSegment] = []
    for (index, range) in ranges.enumerated() {
      let segment = CompositionTrackSegment(
        source: range.source, trackIndex: range.trackIndex,
        timeMapping: TimeMapping(
          source: range.timeRange, target: TimeRange(start: .zero, duration: range.timeRange.duration)))
      guard range.timeRange.duration.isNumeric, range.timeRange.duration > .zero else {
        throw CompositorError(
          .invalidSourceDuration, "Range \(index) takes \(range.timeRange.duration) of \(range.source).",
          recoverySuggestion: "Take more than 0; a freeze frame is inserted by its media time and a duration.",
          at: .init(track: trackID))
      }
      try segment.validate(index: index, at: .init(track: trackID))
      segments.append(segment)
    }
    try insert(segments, at: time, inTrack: trackID)
  }

  /// Inserts one frame of a source's track, held for a duration.
  ///
  /// - Parameters:
  ///   - position: The media time to hold; ≥ 0 in most media.
  ///   - duration: The time to hold the frame, > 0.
  ///   - time: Track time ≥ 0, or `.invalid` to append.
  /// - Throws: The errors of ``insert(_:at:inTrack:)-(SourceRange,_,_)``, and `.invalidSegmentDuration`.
  public mutating func insertFreezeFrame(
    of position: MediaPosition, duration: MediaTime, at time: MediaTime, inTrack trackID: TrackID
  ) throws(CompositorError) {
    let segment = CompositionTrackSegment(
      source: position.source, trackIndex: position.trackIndex,
      timeMapping: TimeMapping(
        source: TimeRange(start: position.time, duration: .zero),
        target: TimeRange(start: .zero, duration: duration)))
    try segment.validate(index: 0, at: .init(track: trackID))
    try insert([segment], at: time, inTrack: trackID)
  }

  /// Inserts a range of another composition's track, with its gaps, rates and freeze frames.
  ///
  /// - Parameter timeRange: A range in the other track's time, ≥ 0. An empty segment fills the part past the track's end.
  /// - Throws: The errors of ``insert(_:at:inTrack:)-(SourceRange,_,_)``.
  public mutating func insert(
    _ timeRange: TimeRange, of track: CompositionTrack, at time: MediaTime, inTrack trackID: TrackID
  ) throws(CompositorError) {
    try Composition.check(timeRange)
    try insert(track.pieces(in: timeRange), at: time, inTrack: trackID)
  }

  /// Inserts a gap: media from the start of the range on moves back by its duration.
  ///
  /// A track cannot end with a gap, so nothing changes if the range starts at or past the end of the track.
  ///
  /// - Throws: `.invalidTrackID`; `.invalidValue` if the range isn't finite, is empty or starts before 0. O(n).
  public mutating func insertEmpty(_ timeRange: TimeRange, inTrack trackID: TrackID) throws(CompositorError) {
    let index = try index(ofTrack: trackID)
    try Composition.check(timeRange)
    try checkRoom(for: timeRange.duration, at: timeRange.start, inTrackAt: index)
    withTrack(at: index) { $0.insertEmpty(timeRange) }
  }

  /// Removes a range. Later media moves forward; the part of the range past the track's end is ignored.
  ///
  /// - Throws: `.invalidTrackID`; `.invalidValue` if the range isn't finite, is empty or starts before 0. O(n).
  public mutating func remove(_ timeRange: TimeRange, inTrack trackID: TrackID) throws(CompositorError) {
    let index = try index(ofTrack: trackID)
    try Composition.check(timeRange)
    withTrack(at: index) { $0.remove(timeRange) }
  }

  /// Changes the duration of a range. Its segments, split at the range's ends if necessary, play faster or slower, and later
  /// media moves.
  ///
  /// - Throws: `.invalidTrackID`; `.invalidValue` if the range isn't finite, is empty or starts before 0, or if the duration
  ///   isn't above 0; `.invalidSegmentDuration` if the duration of a segment would be rounded to 0. O(n).
  public mutating func scale(_ timeRange: TimeRange, to duration: MediaTime, inTrack trackID: TrackID)
    throws(CompositorError)
  {
    let index = try index(ofTrack: trackID)
    try Composition.check(timeRange)
    try Composition.check(TimeRange(start: timeRange.start, duration: duration))
    try checkRoom(for: duration, at: timeRange.start, inTrackAt: index)
    let scaled = try tracks[index].scaled(timeRange, to: duration)
    withTrack(at: index) { $0 = scaled }
  }

  private mutating func insert(_ segments: [CompositionTrackSegment], at time: MediaTime, inTrack trackID: TrackID)
    throws(CompositorError)
  {
    let index = try index(ofTrack: trackID)
    let start = time.isValid ? time : tracks[index].end
    try Composition.check(start: start)
    guard !segments.isEmpty else { return }
    let duration = segments.reduce(MediaTime.zero) { $0 + $1.timeMapping.target.duration }
    try checkRoom(for: duration, at: start, inTrackAt: index)
    withTrack(at: index) { $0.insert(segments, at: start) }
  }

  func checkRoom(for duration: MediaTime, at start: MediaTime, inTrackAt index: Int) throws(CompositorError) {
    let end = max(tracks[index].end, start) + duration
    guard end.isNumeric else {
      throw CompositorError(
        .invalidValue, "A track that ends at \(end) is longer than a time can hold.", recoverySuggestion: "Insert less.",
        at: .init(track: tracks[index].trackID, time: start))
    }
  }

  static func check(start time: MediaTime) throws(CompositorError) {
    guard time.isNumeric, time >= .zero, time.epoch == 0 else {
      throw CompositorError(
        .invalidValue, "\(time) is not a time in a track.", recoverySuggestion: "Give a finite time, 0 or later.")
    }
  }

  static func check(_ timeRange: TimeRange) throws(CompositorError) {
    try check(start: timeRange.start)
    guard timeRange.isNumeric, !timeRange.isEmpty, timeRange.end.isNumeric else {
      throw CompositorError(
        .invalidValue, "The time range \(timeRange) is not finite, or is empty.", recoverySuggestion: "Give a duration above 0."
      )
    }
  }
}

/// Edits of all tracks at once, which keep the tracks in sync. Each succeeds, or throws and leaves the composition unchanged.
extension Composition {
  /// Inserts a range of another composition. All media at `time` and later moves back by its duration.
  ///
  /// Its first video track goes into this composition's first video track, its second into the second, and so on. Tracks are
  /// added if there are too few, and tracks that receive nothing get a gap. Segments refer to the other composition's sources
  /// directly, so nesting has no cost at render time.
  ///
  /// - Parameters:
  ///   - timeRange: A range in the other composition's time, ≥ 0.
  ///   - time: Composition time ≥ 0, or `.invalid` to append at ``duration``.
  /// - Throws: `.invalidValue` if a time isn't finite or is negative, or if the range is empty. O(n) in the segments of both.
  public mutating func insert(_ timeRange: TimeRange, of other: Composition, at time: MediaTime) throws(CompositorError) {
    try Composition.check(timeRange)
    let start = time.isValid ? time : duration
    try Composition.check(start: start)
    // Edit a copy, so that a failure leaves nothing behind, not even a track that was added.
    var edited = self
    try edited.checkRoom(for: timeRange.duration, at: start)
    var taken: Set<TrackID> = []
    for track in other.tracks {
      let own = edited.tracks.first { $0.mediaType == track.mediaType && !taken.contains($0.trackID) }?.trackID
      let trackID = own ?? edited.addTrack(track.mediaType)
      taken.insert(trackID)
      try edited.insert(timeRange, of: track, at: start, inTrack: trackID)
    }
    let gap = TimeRange(start: start, duration: timeRange.duration)
    for track in tracks where !taken.contains(track.trackID) {
      try edited.insertEmpty(gap, inTrack: track.trackID)
    }
    self = edited
  }

  /// Inserts a gap in every track: media from the start of the range on moves back by its duration. Tracks that end earlier
  /// don't change.
  ///
  /// - Throws: `.invalidValue` if the range isn't finite, is empty or starts before 0. O(n).
  public mutating func insertEmpty(_ timeRange: TimeRange) throws(CompositorError) {
    try Composition.check(timeRange)
    try checkRoom(for: timeRange.duration, at: timeRange.start)
    for index in tracks.indices { withTrack(at: index) { $0.insertEmpty(timeRange) } }
  }

  /// Removes a range from every track.
  ///
  /// - Throws: `.invalidValue` if the range isn't finite, is empty or starts before 0. O(n).
  public mutating func remove(_ timeRange: TimeRange) throws(CompositorError) {
    try Composition.check(timeRange)
    for index in tracks.indices { withTrack(at: index) { $0.remove(timeRange) } }
  }

  /// Changes the duration of a range in every track by the same factor.
  ///
  /// - Throws: `.invalidValue` if the range isn't finite, is empty or starts before 0, or if the duration isn't above 0;
  ///   `.invalidSegmentDuration` if the duration of a segment would be rounded to 0. O(n).
  public mutating func scale(_ timeRange: TimeRange, to duration: MediaTime) throws(CompositorError) {
    try Composition.check(timeRange)
    try Composition.check(TimeRange(start: timeRange.start, duration: duration))
    try checkRoom(for: duration, at: timeRange.start)
    var edited = self
    for index in tracks.indices {
      let scaled = try tracks[index].scaled(timeRange, to: duration)
      edited.withTrack(at: index) { $0 = scaled }
    }
    self = edited
  }

  private func checkRoom(for duration: MediaTime, at start: MediaTime) throws(CompositorError) {
    for index in tracks.indices { try checkRoom(for: duration, at: start, inTrackAt: index) }
  }
}
