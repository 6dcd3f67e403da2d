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
