/// A track of a composition: segments one after another.
public struct CompositionTrack: Hashable, Sendable, Codable {
  /// The persistent number.
  public let trackID: TrackID
  /// Pictures or sound.
  public let mediaType: MediaType
  /// Segments from 0 on, without gap or overlap. ``Composition`` sets them and checks that.
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
  public var timeRange: TimeRange { TimeRange(start: .zero, duration: end) }

  /// The end of the last segment.
  var end: MediaTime { segments.last?.timeMapping.target.end ?? .zero }

  /// The segment that contains a track time; nil before 0 and from the end on. O(log n).
  public func segment(at time: MediaTime) -> CompositionTrackSegment? {
    segmentIndex(at: time).map { segments[$0] }
  }

  /// Index of the segment that contains a track time; nil before 0 and from the end on. O(log n).
  public func segmentIndex(at time: MediaTime) -> Int? {
    let next = firstIndex(startingAfter: time)
    guard next > 0, time < segments[next - 1].timeMapping.target.end else { return nil }
    return next - 1
  }

  /// What the track plays at a time: nil in an empty segment and outside the track. O(log n).
  ///
  /// A freeze frame gives its one media time throughout.
  public func position(at time: MediaTime) -> MediaPosition? {
    segmentIndex(at: time).flatMap { segments[$0].position(at: time) }
  }

  /// Index of the first segment that starts after `time`.
  private func firstIndex(startingAfter time: MediaTime) -> Int {
    var (low, high) = (0, segments.count)
    while low < high {
      let middle = (low + high) / 2
      if segments[middle].timeMapping.target.start > time { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// Checks that segments start at 0, follow each other without gap or overlap, and are valid one by one. O(n).
  ///
  /// - Throws: the first fault: `.segmentsNotContiguous` (AVFoundation's −11824), `.invalidSegmentDuration` (−11825),
  ///   `.invalidSourceStart` (−11826), `.invalidSourceDuration` (−11827).
  public static func validate(_ segments: [CompositionTrackSegment], trackID: TrackID) throws(CompositorError) {
    var expected = MediaTime.zero
    for (index, segment) in segments.enumerated() {
      let start = segment.timeMapping.target.start
      let location = ErrorLocation(track: trackID, time: expected)
      guard start.isNumeric, start == expected else {
        throw CompositorError(
          .segmentsNotContiguous, "Segment \(index) starts at \(start) where \(expected) was expected.",
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

/// Edits of one track. They cannot fail: whoever calls them has checked that every time is finite, in order and in range.
extension CompositionTrack {
  /// Makes a segment boundary at `time`, between 0 and the track's end. O(n) for the move of later segments.
  ///
  /// - Returns: Index of the segment that starts at `time`; the number of segments where `time` is the end.
  mutating func split(at time: MediaTime) -> Int {
    guard let index = segmentIndex(at: time) else { return time < .zero ? 0 : segments.count }
    guard segments[index].timeMapping.target.start != time else { return index }
    let parts = segments[index].split(at: time)
    segments[index] = parts.before
    segments.insert(parts.after, at: index + 1)
    return index + 1
  }

  /// Places segments one after another from `time` on and moves what was there behind them; only their durations count.
  mutating func insert(_ inserted: [CompositionTrackSegment], at time: MediaTime) {
    if time > end { segments.append(CompositionTrackSegment(empty: TimeRange(start: end, end: time))) }
    let index = split(at: time)
    segments.insert(contentsOf: inserted, at: index)
    chain(from: index, through: index + inserted.count)
    joinEmptySegments(around: index + inserted.count)
    joinEmptySegments(around: index)
  }

  /// Moves media from the range's start on back by its duration. At the track's end that changes nothing.
  mutating func insertEmpty(_ timeRange: TimeRange) {
    guard timeRange.start < end else { return }
    insert([CompositionTrackSegment(empty: timeRange)], at: timeRange.start)
  }

  /// Takes a range out and closes the gap.
  mutating func remove(_ timeRange: TimeRange) {
    let range = timeRange.intersection(self.timeRange)
    guard !range.isEmpty else { return }
    let first = split(at: range.start)
    let last = split(at: range.end)
    segments.removeSubrange(first..<last)
    chain(from: first, through: first)
    joinEmptySegments(around: first)
  }

  /// Makes a range last `duration`: the part of it that the track has runs faster or slower by the same factor.
  mutating func scale(_ timeRange: TimeRange, to duration: MediaTime) {
    let range = timeRange.intersection(self.timeRange)
    guard !range.isEmpty else { return }
    let target = TimeRange(start: timeRange.start, duration: duration)
    let first = split(at: range.start)
    let last = split(at: range.end)
    for index in first..<last {
      let old = segments[index].timeMapping.target
      // From ends, not from durations, so that roundings do not add up.
      segments[index].timeMapping.target = TimeRange(
        start: old.start.mapped(from: timeRange, to: target), end: old.end.mapped(from: timeRange, to: target))
    }
    chain(from: first, through: last)
  }

  /// The track with a range that lasts `duration`.
  ///
  /// - Throws: `.invalidSegmentDuration` if a segment becomes so short that its duration is rounded to 0.
  func scaled(_ timeRange: TimeRange, to duration: MediaTime) throws(CompositorError) -> CompositionTrack {
    var track = self
    track.scale(timeRange, to: duration)
    if let index = track.segments.firstIndex(where: { $0.timeMapping.target.duration <= .zero }) {
      throw CompositorError(
        .invalidSegmentDuration, "Scaled from \(timeRange.duration) to \(duration), segment \(index) would last nothing.",
        recoverySuggestion: "Scale to a longer duration.", at: .init(track: trackID, time: timeRange.start))
    }
    return track
  }

  /// The segments that play during a range, cut to it; an empty one fills what the track does not have.
  func pieces(in timeRange: TimeRange) -> [CompositionTrackSegment] {
    var part = self
    part.remove(TimeRange(start: timeRange.end, end: max(end, timeRange.end)))
    part.remove(TimeRange(start: .zero, end: timeRange.start))
    if part.end < timeRange.duration {
      part.segments.append(CompositionTrackSegment(empty: TimeRange(start: part.end, end: timeRange.duration)))
    }
    return part.segments
  }

  /// Lets each segment from `index` on start where the one before ends. From `settled` on the segments are contiguous among
  /// themselves, so the first one there that is in its place ends the work.
  private mutating func chain(from index: Int, through settled: Int) {
    var start = index == 0 ? .zero : segments[index - 1].timeMapping.target.end
    for current in index..<segments.count {
      if current >= settled, segments[current].timeMapping.target.start == start { return }
      segments[current].timeMapping.target.start = start
      start = segments[current].timeMapping.target.end
    }
  }

  /// Makes one segment of two empty ones that meet at `index`.
  private mutating func joinEmptySegments(around index: Int) {
    guard index > 0, index < segments.count, segments[index - 1].isEmpty, segments[index].isEmpty else { return }
    let target = TimeRange(
      start: segments[index - 1].timeMapping.target.start, end: segments[index].timeMapping.target.end)
    segments[index - 1].timeMapping.target = target
    segments.remove(at: index)
  }
}
