/// A stretch of time, half-open: it contains its start and not its end.
public struct TimeRange: Hashable, Sendable, Codable {
  /// The first time inside.
  public var start: MediaTime
  /// How long; ≥ 0 in a valid range.
  public var duration: MediaTime

  /// Makes a range from its start and duration.
  public init(start: MediaTime, duration: MediaTime) {
    self.start = start
    self.duration = duration
  }

  /// Makes a range from its start and end.
  public init(start: MediaTime, end: MediaTime) {
    self.init(start: start, duration: end - start)
  }

  /// The first time after the range.
  public var end: MediaTime { start + duration }

  /// Nothing, at 0.
  public static let zero = TimeRange(start: .zero, duration: .zero)
  /// No range at all.
  public static let invalid = TimeRange(start: .invalid, duration: .invalid)

  /// Whether `time` is inside.
  public func contains(_ time: MediaTime) -> Bool { time >= start && time < end }

  /// How far `time` is through the range: 0 at the start, 1 at the end; not clamped.
  public func fraction(at time: MediaTime) -> Double { (time - start).seconds / duration.seconds }
}

/// From one stretch of time to another, linearly.
public struct TimeMapping: Hashable, Sendable, Codable {
  /// In the media. An empty edit has an invalid start here.
  public var source: TimeRange
  /// In the track.
  public var target: TimeRange

  /// Makes a mapping.
  public init(source: TimeRange, target: TimeRange) {
    self.source = source
    self.target = target
  }
}
