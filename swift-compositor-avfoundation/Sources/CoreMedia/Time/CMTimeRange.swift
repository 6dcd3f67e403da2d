internal import CompositorAPI

/// A range of time: it contains its start, but not its end.
public struct CMTimeRange: Sendable {
  /// The first time inside.
  public var start: CMTime
  /// The duration, at least 0 in a valid range; +∞ for a range without an end.
  public var duration: CMTime

  /// The invalid range.
  public init() { self.init(start: .invalid, duration: .invalid) }

  /// A range from its start and duration.
  public init(start: CMTime, duration: CMTime) {
    self.start = start
    self.duration = duration
  }

  /// A range from its start and end.
  public init(start: CMTime, end: CMTime) { self.init(start: start, duration: end - start) }

  /// The empty range at 0.
  public static let zero = CMTimeRange(start: .zero, duration: .zero)
  /// The invalid range.
  public static let invalid = CMTimeRange()
}

extension CMTimeRange {
  /// Whether start and duration are valid, and the duration is at least 0 and of epoch 0.
  public var isValid: Bool { media.isValid }
  /// Whether start or duration are indefinite.
  public var isIndefinite: Bool { isValid && (start.isIndefinite || duration.isIndefinite) }
  /// Whether it contains no time.
  public var isEmpty: Bool { isValid && duration == .zero }
  /// The first time after the range.
  public var end: CMTime { CMTime(media.end) }

  /// Whether a time is inside.
  public func containsTime(_ time: CMTime) -> Bool { media.contains(time.media) }

  /// Whether another range is inside as a whole.
  public func containsTimeRange(_ timeRange: CMTimeRange) -> Bool { media.contains(timeRange.media) }

  /// What both ranges contain; ``zero`` if they have no time in common.
  public func intersection(_ otherRange: CMTimeRange) -> CMTimeRange { CMTimeRange(media.intersection(otherRange.media)) }

  /// The range from the earlier start to the later end.
  public func union(_ otherRange: CMTimeRange) -> CMTimeRange { CMTimeRange(media.union(otherRange.media)) }
}

extension CMTimeRange: Hashable {
  /// Whether starts and durations are equal times.
  public static func == (range1: CMTimeRange, range2: CMTimeRange) -> Bool {
    range1.start == range2.start && range1.duration == range2.duration
  }
}

/// A part of a medium and where it is placed.
public struct CMTimeMapping: Sendable {
  /// The range of the medium; invalid for an empty edit.
  public var source: CMTimeRange
  /// The range in which it is placed.
  public var target: CMTimeRange

  /// The invalid mapping.
  public init() { self.init(source: .invalid, target: .invalid) }

  /// A mapping of two ranges.
  public init(source: CMTimeRange, target: CMTimeRange) {
    self.source = source
    self.target = target
  }
}

extension CMTimeMapping: Hashable {
  /// Whether both ranges are equal.
  public static func == (mapping1: CMTimeMapping, mapping2: CMTimeMapping) -> Bool {
    mapping1.source == mapping2.source && mapping1.target == mapping2.target
  }
}
