import CompositorAPI

/// The segments of one video track, prepared for lookup by time.
struct SegmentTimeline: Sendable {
  let trackID: TrackID
  let segments: [CompositionTrackSegment]
  /// For each segment, the number of its source use. Segments that continue one another share a use.
  let uses: [Int]
  /// The composition times of each use.
  let useRanges: [TimeRange]
  /// For each segment, the composition times of its clip: of all adjacent segments that show the same media without a jump.
  private let clipRanges: [TimeRange]
  /// For each segment, the media time at which its clip ends, in the direction in which it plays.
  let mediaLimits: [MediaTime]

  init(_ track: CompositionTrack) {
    trackID = track.trackID
    segments = track.segments
    var uses: [Int] = []
    var ranges: [TimeRange] = []
    var previous: CompositionTrackSegment?
    for segment in track.segments {
      let target = segment.timeMapping.target
      if let previous, let last = ranges.last, segment.continues(previous) {
        ranges[ranges.count - 1] = TimeRange(start: last.start, end: target.end)
      } else {
        ranges.append(target)
      }
      uses.append(ranges.count - 1)
      previous = segment
    }
    self.uses = uses
    self.useRanges = ranges
    (clipRanges, mediaLimits) = SegmentTimeline.clips(of: track.segments)
  }

  private static func clips(of segments: [CompositionTrackSegment]) -> (ranges: [TimeRange], mediaLimits: [MediaTime]) {
    var (ranges, limits) = ([TimeRange](), [MediaTime]())
    var first = 0
    for index in segments.indices {
      let isLast = index + 1 == segments.count || !segments[index + 1].showsOn(after: segments[index])
      guard isLast else { continue }
      let range = TimeRange(
        start: segments[first].timeMapping.target.start, end: segments[index].timeMapping.target.end)
      ranges += Array(repeating: range, count: index + 1 - first)
      limits += Array(repeating: segments[index].playedMedia.end, count: index + 1 - first)
      first = index + 1
    }
    return (ranges, limits)
  }

  /// The composition times of the clip that plays at a given time; `nil` outside the track, and in an empty segment. O(log n).
  func clipRange(at time: MediaTime) -> TimeRange? {
    guard let index = index(at: time), !segments[index].isEmpty else { return nil }
    return clipRanges[index]
  }

  /// The index of the segment that plays at a given time; `nil` outside the track. O(log n).
  func index(at time: MediaTime) -> Int? {
    let next = segments.partitioningIndex { $0.timeMapping.target.start > time }
    guard next > 0, time < segments[next - 1].timeMapping.target.end else { return nil }
    return next - 1
  }
}

extension CompositionTrackSegment {
  /// If media continues more than this many seconds later, seeking ahead of time is faster than decoding up to it.
  private static let longestContinuation = 2.0

  /// The media times at the segment's start and end.
  fileprivate var playedMedia: (start: MediaTime, end: MediaTime) {
    let source = timeMapping.source
    return retiming.isReversed ? (source.end, source.start) : (source.start, source.end)
  }

  private func isSameTrack(as other: CompositionTrackSegment) -> Bool {
    source != nil && source == other.source && sourceTrackIndex == other.sourceTrackIndex
      && retiming.isReversed == other.retiming.isReversed
  }

  /// Whether one reader can serve both segments: the same track of the same source, continuing in one direction without a large
  /// step.
  fileprivate func continues(_ previous: CompositionTrackSegment) -> Bool {
    guard isSameTrack(as: previous) else { return false }
    let (before, after) = (previous.playedMedia, playedMedia)
    let step = (after.start.seconds - before.end.seconds) * (retiming.isReversed ? -1 : 1)
    let goesOn = retiming.isReversed ? after.start <= before.start : after.start >= before.start
    return goesOn && step <= Self.longestContinuation
  }

  /// Whether it begins at exactly the media time at which the previous segment ends.
  fileprivate func showsOn(after previous: CompositionTrackSegment) -> Bool {
    isSameTrack(as: previous) && playedMedia.start == previous.playedMedia.end
  }
}

extension RandomAccessCollection where Index == Int {
  /// The first index whose element satisfies a predicate that changes from false to true once. O(log n).
  func partitioningIndex(where predicate: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if predicate(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
