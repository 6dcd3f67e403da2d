/// Edits of one track. Each either succeeds or throws and changes nothing.
extension Composition {
  /// Inserts a stretch of a source's track; what was at `time` and later moves back by its duration.
  ///
  /// - Parameter time: Track time ≥ 0, or `.invalid` to append. Past the track's end an empty segment fills the way there.
  /// - Throws: `.invalidTrackID`; `.invalidSourceStart` and `.invalidSourceDuration` for a range that is not finite or is
  ///   empty; `.invalidValue` for a time that is not finite or is negative.
  /// - Complexity: O(log n) at the end of the track, O(n) elsewhere.
  public mutating func insert(_ range: SourceRange, at time: MediaTime, inTrack trackID: TrackID) throws(CompositorError) {
    try insert([range], at: time, inTrack: trackID)
  }

  /// Inserts stretches of sources' tracks one after another: all of them or, where one is not valid, none.
  ///
  /// Times, errors and cost are those of ``insert(_:at:inTrack:)-(SourceRange,_,_)``.
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

  /// Holds one picture of a source's track for a while.
  ///
  /// - Parameters:
  ///   - position: The media time to hold, ≥ 0 in most media.
  ///   - duration: How long, > 0.
  ///   - time: Track time ≥ 0, or `.invalid` to append.
  /// - Throws: as ``insert(_:at:inTrack:)-(SourceRange,_,_)``, and `.invalidSegmentDuration`.
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

  /// Inserts what another composition's track plays during a range, with its gaps, rates and freeze frames.
  ///
  /// - Parameter timeRange: In the other track's time, ≥ 0; an empty segment stands for what lies past its end.
  /// - Throws: as ``insert(_:at:inTrack:)-(SourceRange,_,_)``.
  public mutating func insert(
    _ timeRange: TimeRange, of track: CompositionTrack, at time: MediaTime, inTrack trackID: TrackID
  ) throws(CompositorError) {
    try Composition.check(timeRange)
    try insert(track.pieces(in: timeRange), at: time, inTrack: trackID)
  }

  /// Moves media from the range's start on back by its duration and leaves a gap.
  ///
  /// Empty time cannot be added at the end of a track: there nothing changes.
  ///
  /// - Throws: `.invalidTrackID`; `.invalidValue` for a range that is not finite, is empty or starts before 0. O(n).
  public mutating func insertEmpty(_ timeRange: TimeRange, inTrack trackID: TrackID) throws(CompositorError) {
    let index = try index(ofTrack: trackID)
    try Composition.check(timeRange)
    try checkRoom(for: timeRange.duration, at: timeRange.start, inTrackAt: index)
    withTrack(at: index) { $0.insertEmpty(timeRange) }
  }

  /// Takes a range out; later media moves in. What the range covers past the track's end does not matter.
  ///
  /// - Throws: `.invalidTrackID`; `.invalidValue` for a range that is not finite, is empty or starts before 0. O(n).
  public mutating func remove(_ timeRange: TimeRange, inTrack trackID: TrackID) throws(CompositorError) {
    let index = try index(ofTrack: trackID)
    try Composition.check(timeRange)
    withTrack(at: index) { $0.remove(timeRange) }
  }

  /// Makes a range last `duration`: every segment in it plays faster or slower, cut at the range's ends where needed; later
  /// media moves.
  ///
  /// - Throws: `.invalidTrackID`; `.invalidValue` for a range that is not finite, is empty or starts before 0, and for a
  ///   duration that is not above 0; `.invalidSegmentDuration` if a segment would last less than a time can hold. O(n).
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

/// Edits of all tracks at once, so that they stay in step. Each either succeeds or throws and changes nothing.
extension Composition {
  /// Inserts what another composition plays during a range; all that was at `time` and later moves back by its duration.
  ///
  /// Its first video track goes into this composition's first video track, its second into the second, and so on; tracks are
  /// added where there are too few. Tracks of this composition that get nothing get empty time. Segments refer to the other
  /// composition's sources directly, so nesting costs nothing later.
  ///
  /// - Parameters:
  ///   - timeRange: In the other composition's time, ≥ 0.
  ///   - time: Composition time ≥ 0, or `.invalid` to append at ``duration``.
  /// - Throws: `.invalidValue` for times that are not finite or negative, or an empty range. O(n) in the segments of both.
  public mutating func insert(_ timeRange: TimeRange, of other: Composition, at time: MediaTime) throws(CompositorError) {
    try Composition.check(timeRange)
    let start = time.isValid ? time : duration
    try Composition.check(start: start)
    // On a copy: a failure leaves nothing behind, not even a track that was added.
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

  /// Moves everything from the range's start on back by its duration. A track that ends before stays as it is.
  ///
  /// - Throws: `.invalidValue` for a range that is not finite, is empty or starts before 0. O(n).
  public mutating func insertEmpty(_ timeRange: TimeRange) throws(CompositorError) {
    try Composition.check(timeRange)
    try checkRoom(for: timeRange.duration, at: timeRange.start)
    for index in tracks.indices { withTrack(at: index) { $0.insertEmpty(timeRange) } }
  }

  /// Takes a range out of every track.
  ///
  /// - Throws: `.invalidValue` for a range that is not finite, is empty or starts before 0. O(n).
  public mutating func remove(_ timeRange: TimeRange) throws(CompositorError) {
    try Composition.check(timeRange)
    for index in tracks.indices { withTrack(at: index) { $0.remove(timeRange) } }
  }

  /// Makes a range last `duration` in every track, all by the same factor.
  ///
  /// - Throws: `.invalidValue` for a range that is not finite, is empty or starts before 0, and for a duration that is not
  ///   above 0; `.invalidSegmentDuration` if a segment would last less than a time can hold. O(n).
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
