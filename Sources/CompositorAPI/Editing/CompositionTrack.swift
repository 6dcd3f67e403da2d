/// A track of a composition: a sequence of segments.
public struct CompositionTrack: Hashable, Sendable, Codable {
  /// The persistent ID, unique in the composition.
  public let trackID: TrackID
  /// The type of media in the track.
  public let mediaType: MediaType
  /// The segments from time 0 on, without gaps or overlaps. ``Composition`` sets them and checks this.
  public package(set) var segments: [CompositionTrackSegment]
  /// Whether the track is played. Default `true`.
  public var isEnabled = true
  /// The orientation of the whole track. It isn't taken from sources on insertion.
  public var preferredTransform = AffineMatrix.identity

  package init(trackID: TrackID, mediaType: MediaType, segments: [CompositionTrackSegment] = []) {
    self.trackID = trackID
    self.mediaType = mediaType
    self.segments = segments
  }

  /// The range from 0 to the end of the last segment.
  public var timeRange: TimeRange { TimeRange(start: .zero, duration: end) }

  /// The end of the last segment.
  var end: MediaTime { segments.last?.timeMapping.target.end ?? .zero }

  /// The segment that contains a track time; `nil` before 0 and at or after the end. O(log n).
  public func segment(at time: MediaTime) -> CompositionTrackSegment? {
    segmentIndex(at: time).map { segments[$0] }
  }

  /// The index of the segment that contains a track time; `nil` before 0 and at or after the end. O(log n).
  public func segmentIndex(at time: MediaTime) -> Int? {
    let next = firstIndex(startingAfter: time)
    guard next > 0, time < segments[next - 1].timeMapping.target.end else { return nil }
    return next - 1
  }

  /// The source, track and media time that play at a track time; `nil` in an empty segment and outside the track. O(log n).
  ///
  /// A freeze frame has the same media time throughout.
  public func position(at time: MediaTime) -> MediaPosition? {
    segmentIndex(at: time).flatMap { segments[$0].position(at: time) }
  }

  /// The index of the first segment that starts after `time`.
  private func firstIndex(startingAfter time: MediaTime) -> Int {
    var (low, high) = (0, segments.count)
    while low < high {
      let middle = (low + high) / 2
      if segments[middle].timeMapping.target.start > time { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// Checks that segments start at 0, follow each other without gaps or overlaps, and are each valid. O(n).
  ///
  /// - Throws: The first error: `.segmentsNotContiguous` (AVFoundation's −11824), `.invalidSegmentDuration` (−11825),
  ///   `.invalidSourceStart` (−11826), `.invalidSourceDuration` (−11827).
  public static func validate(_ segments: [CompositionTrackSegment], trackID: TrackID) throws(CompositorError) {
    var expected = MediaTime.zero
    for (index, segment) in segments.enumerated() {
      let start = segment.timeMapping.target.start
      let location = ErrorLocation(track: trackID, time: expected)
      guard start.isNumeric, start == expected else {
        throw CompositorError(
          .segmentsNotContiguous, "Segment \(index) starts at \(start.readable) where \(expected.readable) was expected.",
          recoverySuggestion:
            "Start the first segment at 0, each other one where the one before ends; fill gaps with empty segments.",
          at: location)
      }
      try segment.validate(index: index, at: location)
      expected = segment.timeMapping.target.end
    }
    guard expected.isNumeric else {
      throw CompositorError(
        .invalidSegmentDuration, "The segments together are longer than a time can hold.",
        recoverySuggestion: "Shorten them.", at: ErrorLocation(track: trackID))
    }
  }
}

/// Edits of one track. They cannot fail, because callers have checked that all times are finite, in order and in range.
extension CompositionTrack {
  /// Splits the segment at `time`, which is between 0 and the track's end. O(n), because later segments move.
  ///
  /// - Returns: The index of the segment that starts at `time`; the number of segments if `time` is the end.
  mutating func split(at time: MediaTime) -> Int {
    guard let index = segmentIndex(at: time) else { return time < .zero ? 0 : segments.count }
    guard segments[index].timeMapping.target.start != time else { return index }
    let parts = segments[index].split(at: time)
    segments[index] = parts.before
    segments.insert(parts.after, at: index + 1)
    return index + 1
  }

  /// Inserts segments one after another at `time` and moves later media behind them. Only the durations of the segments matter.
  mutating func insert(_ inserted: [CompositionTrackSegment], at time: MediaTime) {
    if time > end { segments.append(CompositionTrackSegment(empty: TimeRange(start: end, end: time))) }
    let index = split(at: time)
    segments.insert(contentsOf: inserted, at: index)
    chain(from: index, through: index + inserted.count)
    joinEmptySegments(around: index + inserted.count)
    joinEmptySegments(around: index)
  }

  /// Inserts a gap: media from the start of the range on moves back by its duration. Does nothing at the end of the track.
  mutating func insertEmpty(_ timeRange: TimeRange) {
    guard timeRange.start < end else { return }
    insert([CompositionTrackSegment(empty: timeRange)], at: timeRange.start)
  }

  /// Removes a range and closes the gap.
  mutating func remove(_ timeRange: TimeRange) {
    let range = timeRange.intersection(self.timeRange)
    guard !range.isEmpty else { return }
    let first = split(at: range.start)
    let last = split(at: range.end)
    segments.removeSubrange(first..<last)
    chain(from: first, through: first)
    joinEmptySegments(around: first)
  }

  /// Changes the duration of a range: the segments in it run faster or slower by the same factor.
  mutating func scale(_ timeRange: TimeRange, to duration: MediaTime) {
    let range = timeRange.intersection(self.timeRange)
    guard !range.isEmpty else { return }
    let target = TimeRange(start: timeRange.start, duration: duration)
    let first = split(at: range.start)
    let last = split(at: range.end)
    for index in first..<last {
      let old = segments[index].timeMapping.target
      // Scale the ends rather than the durations, so that rounding errors don't accumulate.
      segments[index].timeMapping.target = TimeRange(
        start: old.start.mapped(from: timeRange, to: target), end: old.end.mapped(from: timeRange, to: target))
    }
    chain(from: first, through: last)
  }

  /// A copy of the track in which the range lasts `duration`.
  ///
  /// - Throws: `.invalidSegmentDuration` if the duration of a segment would be rounded to 0.
  func scaled(_ timeRange: TimeRange, to duration: MediaTime) throws(CompositorError) -> CompositionTrack {
    var track = self
    track.scale(timeRange, to: duration)
    if let index = track.segments.firstIndex(where: { $0.timeMapping.target.duration <= .zero }) {
      throw CompositorError(
        .invalidSegmentDuration,
        "Scaled from \(timeRange.duration.readable) to \(duration.readable), segment \(index) would last nothing.",
        recoverySuggestion: "Scale to a longer duration.", at: .init(track: trackID, time: timeRange.start))
    }
    return track
  }

  /// The segments that play during a range, trimmed to it. An empty segment fills the part that is outside the track.
  func pieces(in timeRange: TimeRange) -> [CompositionTrackSegment] {
    var part = self
    part.remove(TimeRange(start: timeRange.end, end: max(end, timeRange.end)))
    part.remove(TimeRange(start: .zero, end: timeRange.start))
    if part.end < timeRange.duration {
      part.segments.append(CompositionTrackSegment(empty: TimeRange(start: part.end, end: timeRange.duration)))
    }
    return part.segments
  }

  /// Makes each segment from `index` on start at the end of the previous one. Segments from `settled` on are already contiguous
  /// among themselves, so this stops at the first of them that needs no move.
  private mutating func chain(from index: Int, through settled: Int) {
    var start = index == 0 ? .zero : segments[index - 1].timeMapping.target.end
    for current in index..<segments.count {
      if current >= settled, segments[current].timeMapping.target.start == start { return }
      segments[current].timeMapping.target.start = start
      start = segments[current].timeMapping.target.end
    }
  }

  /// Merges the two empty segments that meet at `index`.
  private mutating func joinEmptySegments(around index: Int) {
    guard index > 0, index < segments.count, segments[index - 1].isEmpty, segments[index].isEmpty else { return }
    let target = TimeRange(
      start: segments[index - 1].timeMapping.target.start, end: segments[index].timeMapping.target.end)
    segments[index - 1].timeMapping.target = target
    segments.remove(at: index)
  }
}
