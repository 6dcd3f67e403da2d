/// A stretch of time, half-open: it contains its start and not its end.
public struct TimeRange: Hashable, Sendable, Codable {
  /// The first time inside.
  public var start: MediaTime
  /// How long; ≥ 0 in a valid range. `+∞` is allowed: a range without an end.
  public var duration: MediaTime

  /// Makes a range from its start and duration.
  public init(start: MediaTime, duration: MediaTime) {
    self.start = start
    self.duration = duration
  }

  /// Makes a range from its start and end; not valid where the end is before the start.
  public init(start: MediaTime, end: MediaTime) {
    self.init(start: start, duration: end - start)
  }

  /// Nothing, at 0.
  public static let zero = TimeRange(start: .zero, duration: .zero)
  /// No range at all.
  public static let invalid = TimeRange(start: .invalid, duration: .invalid)
  /// Every time there is.
  public static let all = TimeRange(start: .negativeInfinity, duration: .positiveInfinity)

  /// The first time after the range: `+∞` where the duration is, invalid where the range is not valid.
  public var end: MediaTime {
    guard start.isValid else { return .invalid }
    return duration.kind == .positiveInfinity ? .positiveInfinity : start + duration
  }

  /// Whether start and duration are valid, the duration is not negative and has epoch 0.
  public var isValid: Bool { start.isValid && duration.isValid && duration.epoch == 0 && duration >= .zero }
  /// Whether the range is valid and has no duration, so that it contains no time.
  public var isEmpty: Bool { isValid && duration == .zero }
  /// Whether start and duration are finite.
  public var isNumeric: Bool { isValid && start.isNumeric && duration.isNumeric }

  /// Whether `time` is inside. A range that is empty or not valid contains nothing.
  public func contains(_ time: MediaTime) -> Bool {
    guard isValid, time.isValid, time >= start else { return false }
    return time < end && (!time.isNumeric || !start.isNumeric || time.epoch == start.epoch)
  }

  /// Whether all of `other` is inside; an empty range counts as inside from this range's start to its end.
  public func contains(_ other: TimeRange) -> Bool {
    isValid && other.isValid && other.start >= start && other.end <= end
  }

  /// From the earlier start to the later end, with whatever is between them; invalid where one of the ranges is.
  public func union(_ other: TimeRange) -> TimeRange {
    guard isValid, other.isValid else { return .invalid }
    return TimeRange.between(min(start, other.start), max(end, other.end))
  }

  /// What is in both ranges; ``zero`` where they do not meet, invalid where one of the ranges is.
  public func intersection(_ other: TimeRange) -> TimeRange {
    guard isValid, other.isValid else { return .invalid }
    let (start, end) = (max(start, other.start), min(end, other.end))
    guard start <= end else { return .zero }
    return TimeRange.between(start, end)
  }

  /// Also where both ends are the same infinity, whose difference is invalid.
  private static func between(_ start: MediaTime, _ end: MediaTime) -> TimeRange {
    start == end ? TimeRange(start: start, duration: .zero) : TimeRange(start: start, end: end)
  }

  /// Whether some time is in both ranges.
  public func overlaps(_ other: TimeRange) -> Bool {
    isValid && other.isValid && max(start, other.start) < min(end, other.end)
  }
}

extension TimeRange: CustomStringConvertible {
  /// `[0/1, 5/1)`.
  public var description: String { isValid ? "[\(start), \(end))" : "invalid (start \(start), duration \(duration))" }
}

extension TimeRange {
  /// How far `time` is through the range: exactly 0 at the start and exactly 1 at the end; not clamped, never NaN.
  ///
  /// A range of zero duration jumps from 0 to 1 at its start. In a range without an end every finite time is at 0. Times and
  /// ranges that are not numeric otherwise fall on the side the order puts them: 0 before or at the start, 1 after it.
  public func fraction(at time: MediaTime) -> Double {
    guard isNumeric, time.isNumeric, time.epoch == start.epoch, duration.value > 0 else {
      if duration.kind == .positiveInfinity, time.kind != .positiveInfinity { return 0 }
      return time > start || (time == start && duration == .zero) ? 1 : 0
    }
    if start.timescale == duration.timescale, time.timescale == start.timescale {
      let (offset, overflow) = time.value.subtractingReportingOverflow(start.value)
      if !overflow { return Double(offset) / Double(duration.value) }
    }
    // The end itself may have been rounded: it has to be at 1 all the same.
    if time == end { return 1 }
    // Below 2⁹⁵ in the numerator and 2¹²⁵ in the denominator, so nothing can overflow before the common divisor is gone.
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
