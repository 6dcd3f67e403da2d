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
    self.timeMapping = TimeMapping(emptyEdit: timeRange)
  }

  /// Whether nothing plays.
  public var isEmpty: Bool { source == nil }

  /// Whether one media time is shown for the whole segment.
  public var isFreezeFrame: Bool { !isEmpty && timeMapping.source.duration == .zero }
}

/// A time in a source's track: what a composition plays at some moment.
public struct MediaPosition: Hashable, Sendable, Codable {
  /// The source.
  public var source: MediaSource
  /// The source's track, counted from 0 among its tracks of the same media type.
  public var trackIndex: Int
  /// Media time.
  public var time: MediaTime

  /// Names a time in a source's track.
  public init(source: MediaSource, trackIndex: Int = 0, time: MediaTime) {
    self.source = source
    self.trackIndex = trackIndex
    self.time = time
  }
}

/// A stretch of a source's track, to be inserted in a composition.
public struct SourceRange: Hashable, Sendable, Codable {
  /// The source.
  public var source: MediaSource
  /// The source's track, counted from 0 among its tracks of the same media type.
  public var trackIndex: Int
  /// Media time; of positive duration.
  public var timeRange: TimeRange

  /// Names a stretch of a source's track.
  public init(_ source: MediaSource, trackIndex: Int = 0, timeRange: TimeRange) {
    self.source = source
    self.trackIndex = trackIndex
    self.timeRange = timeRange
  }
}

extension CompositionTrackSegment {
  /// What plays at a track time; nil in an empty segment.
  func position(at time: MediaTime) -> MediaPosition? {
    guard let source else { return nil }
    return MediaPosition(source: source, trackIndex: sourceTrackIndex, time: timeMapping.sourceTime(forTarget: time))
  }

  /// The two parts before and from `time` on, which is inside the segment.
  func split(at time: MediaTime) -> (before: CompositionTrackSegment, after: CompositionTrackSegment) {
    var (before, after) = (self, self)
    let target = timeMapping.target
    before.timeMapping.target = TimeRange(start: target.start, end: time)
    after.timeMapping.target = TimeRange(start: time, end: target.end)
    guard !isEmpty else { return (before, after) }
    let middle = timeMapping.sourceTime(forTarget: time)
    before.timeMapping.source = TimeRange(start: timeMapping.source.start, end: middle)
    after.timeMapping.source = TimeRange(start: middle, end: timeMapping.source.end)
    return (before, after)
  }

  /// Checks the segment by itself.
  ///
  /// - Throws: `.invalidSegmentDuration`, `.invalidSourceStart`, `.invalidSourceDuration`.
  func validate(index: Int, at location: ErrorLocation) throws(CompositorError) {
    let target = timeMapping.target
    guard target.duration.isNumeric, target.duration > .zero, target.duration.epoch == 0 else {
      throw CompositorError(
        .invalidSegmentDuration, "Segment \(index) lasts \(target.duration).",
        recoverySuggestion: "Give it a duration above 0.", at: location)
    }
    guard !isEmpty else { return }
    guard timeMapping.source.start.isNumeric else {
      throw CompositorError(
        .invalidSourceStart, "Segment \(index) starts at \(timeMapping.source.start) of its media.",
        recoverySuggestion: "Give a finite media time.", at: location)
    }
    let duration = timeMapping.source.duration
    guard duration.isNumeric, duration >= .zero, duration.epoch == 0, timeMapping.source.end.isNumeric else {
      throw CompositorError(
        .invalidSourceDuration, "Segment \(index) takes \(duration) of its media.",
        recoverySuggestion: "Take a finite duration, or 0 for a freeze frame.", at: location)
    }
  }
}
