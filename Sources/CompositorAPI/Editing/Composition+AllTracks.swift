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
    try checkRoom(for: timeRange.duration, at: start)
    var taken: Set<TrackID> = []
    for track in other.tracks {
      let own = tracks.first { $0.mediaType == track.mediaType && !taken.contains($0.trackID) }?.trackID
      let trackID = own ?? addTrack(track.mediaType)
      taken.insert(trackID)
      try insert(timeRange, of: track, at: start, inTrack: trackID)
    }
    let gap = TimeRange(start: start, duration: timeRange.duration)
    for track in tracks where !taken.contains(track.trackID) {
      try insertEmpty(gap, inTrack: track.trackID)
    }
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
  ///   above 0. O(n).
  public mutating func scale(_ timeRange: TimeRange, to duration: MediaTime) throws(CompositorError) {
    try Composition.check(timeRange)
    try Composition.check(TimeRange(start: timeRange.start, duration: duration))
    try checkRoom(for: duration, at: timeRange.start)
    for index in tracks.indices { withTrack(at: index) { $0.scale(timeRange, to: duration) } }
  }

  private func checkRoom(for duration: MediaTime, at start: MediaTime) throws(CompositorError) {
    for index in tracks.indices { try checkRoom(for: duration, at: start, inTrackAt: index) }
  }
}
