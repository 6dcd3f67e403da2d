/// A half-open time range: it contains its start, but not its end.
public struct TimeRange: Hashable, Sendable, Codable {
  /// The first time inside.
  public var start: MediaTime
  /// The duration, ≥ 0 in a valid range. `+∞` for a range without an end.
  public var duration: MediaTime

  /// Creates a range from its start and duration.
  public init(start: MediaTime, duration: MediaTime) {
    self.start = start
    self.duration = duration
  }

  /// Creates a range from its start and end. It isn't valid if the end is before the start.
  public init(start: MediaTime, end: MediaTime) {
    self.init(start: start, duration: end - start)
  }

  /// The empty range at 0.
  public static let zero = TimeRange(start: .zero, duration: .zero)
  /// An invalid range.
  public static let invalid = TimeRange(start: .invalid, duration: .invalid)
  /// The range that contains every finite time.
  public static let all = TimeRange(start: .negativeInfinity, duration: .positiveInfinity)

  /// The first time after the range; `+∞` if the duration is infinite, invalid if the range is.
  public var end: MediaTime {
    guard start.isValid else { return .invalid }
    return duration.kind == .positiveInfinity ? .positiveInfinity : start + duration
  }

  /// Whether start and duration are valid, the duration is not negative and has epoch 0.
  public var isValid: Bool { start.isValid && duration.isValid && duration.epoch == 0 && duration >= .zero }
  /// Whether the range is valid and has zero duration, so that it contains no time.
  public var isEmpty: Bool { isValid && duration == .zero }
  /// Whether start and duration are finite.
  public var isNumeric: Bool { isValid && start.isNumeric && duration.isNumeric }

  /// Whether `time` is inside. An empty or invalid range contains nothing.
  public func contains(_ time: MediaTime) -> Bool {
    guard isValid, time.isValid, time >= start else { return false }
    return time < end && (!time.isNumeric || !start.isNumeric || time.epoch == start.epoch)
  }

  /// Whether `other` is completely inside. An empty range may be anywhere from this range's start to its end, inclusive.
  public func contains(_ other: TimeRange) -> Bool {
    isValid && other.isValid && other.start >= start && other.end <= end
  }

  /// The range from the earlier start to the later end, including any gap; invalid if one of the ranges is.
  public func union(_ other: TimeRange) -> TimeRange {
    guard isValid, other.isValid else { return .invalid }
    return TimeRange.between(min(start, other.start), max(end, other.end))
  }

  /// The intersection of both ranges; ``zero`` if they don't overlap, invalid if one of the ranges is.
  public func intersection(_ other: TimeRange) -> TimeRange {
    guard isValid, other.isValid else { return .invalid }
    let (start, end) = (max(start, other.start), min(end, other.end))
    guard start <= end else { return .zero }
    return TimeRange.between(start, end)
  }

  /// Handles ranges that start and end at the same infinity, whose difference is invalid.
  private static func between(_ start: MediaTime, _ end: MediaTime) -> TimeRange {
    start == end ? TimeRange(start: start, duration: .zero) : TimeRange(start: start, end: end)
  }

  /// Whether the ranges have a time in common.
  public func overlaps(_ other: TimeRange) -> Bool {
    isValid && other.isValid && max(start, other.start) < min(end, other.end)
  }
}

extension TimeRange: CustomStringConvertible {
  /// `[0/1, 5/1)`.
  public var description: String { isValid ? "[\(start), \(end))" : "invalid (start \(start), duration \(duration))" }
}

extension TimeRange {
  /// The fraction of the range that has passed at `time`: exactly 0 at the start and exactly 1 at the end; not limited, never
  /// NaN.
  ///
  /// For a range of zero duration, 0 before its start and 1 from then on. In a range without an end, 0 at every finite time.
  /// Other times and ranges that aren't numeric follow the total order: 0 at or before the start, 1 after it.
  public func fraction(at time: MediaTime) -> Double {
    guard isNumeric, time.isNumeric, time.epoch == start.epoch, duration.value > 0 else {
      if duration.kind == .positiveInfinity, time.kind != .positiveInfinity { return 0 }
      return time > start || (time == start && duration == .zero) ? 1 : 0
    }
    if start.timescale == duration.timescale, time.timescale == start.timescale {
      let (offset, overflow) = time.value.subtractingReportingOverflow(start.value)
      if !overflow { return Double(offset) / Double(duration.value) }
    }
    // The end itself may be rounded, but must be at 1.
    if time == end { return 1 }
    // The numerator is below 2⁹⁵ and the denominator below 2¹²⁵, so nothing overflows before the common divisor is removed.
    let offset = Int128(time.value) * Int128(start.timescale) - Int128(start.value) * Int128(time.timescale)
    let scale = UInt128(time.timescale) * UInt128(start.timescale)
    let common = greatestCommonDivisor(scale, UInt128(duration.timescale))
    let numerator = offset.magnitude * (UInt128(duration.timescale) / common)
    let denominator = UInt128(duration.value) * (scale / common)
    let divisor = greatestCommonDivisor(numerator, denominator)
    let fraction = Double(numerator / divisor) / Double(denominator / divisor)
    return offset < 0 ? -fraction : fraction
  }
}

extension TimeRange {
  /// `from 1 s to 2.5 s`.
  package var readable: String { "from \(start.readable) to \(end.readable)" }
}
