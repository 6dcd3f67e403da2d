/// A change from one value to another over a time range. A range of zero duration is a jump to `end`.
public struct Ramp<Value: Interpolatable>: Hashable, Sendable, Codable {
  /// The time range of the change.
  public var timeRange: TimeRange
  /// The value at the range's start.
  public var start: Value
  /// The value at the range's end, which is held afterward.
  public var end: Value
  /// Creates a ramp.
  public init(timeRange: TimeRange, start: Value, end: Value) {
    self.timeRange = timeRange
    self.start = start
    self.end = end
  }
}

/// A property over time: points and ramps, with values held in between.
///
/// Before the first entry the property has its default. A ramp changes linearly within its range; its end value is held until
/// the next entry. Nothing is interpolated outside a ramp.
///
/// ```swift
/// var volume = PropertyTimeline(default: 1.0)
/// try volume.set(1, at: .zero)
/// try volume.setRamp(from: 0.5, to: 0.2, timeRange: TimeRange(start: four, duration: five))
/// // 1 until 4 s, then 0.5 falling to 0.2 at 9 s, then 0.2
/// ```
public struct PropertyTimeline<Value: Interpolatable>: Hashable, Sendable {
  /// The value before the first entry.
  public var defaultValue: Value
  /// The ramps sorted by start, without overlaps. A point is a ramp of zero duration. A point precedes a ramp that starts at
  /// the same time, so the ramp takes effect from then on, regardless of which was set first.
  public internal(set) var ramps: [Ramp<Value>]

  /// Creates a property that always has its default.
  public init(default defaultValue: Value) {
    self.defaultValue = defaultValue
    self.ramps = []
  }

  /// Whether the property always has its default.
  @inlinable public var isConstant: Bool { ramps.isEmpty }

  /// Sets the value from `time` on. A point at the same time is replaced. A point may be at either end of a ramp.
  ///
  /// - Throws: `.invalidValue` if `time` isn't numeric, `.overlappingRamps` if it is inside a ramp.
  public mutating func set(_ value: Value, at time: MediaTime) throws(CompositorError) {
    try insert(Ramp(timeRange: TimeRange(start: time, duration: .zero), start: value, end: value))
  }

  /// Changes the value from `start` to `end` over `timeRange`.
  ///
  /// - Throws: `.invalidValue` if the range isn't numeric or is empty, `.overlappingRamps` if it overlaps another ramp.
  public mutating func setRamp(from start: Value, to end: Value, timeRange: TimeRange) throws(CompositorError) {
    guard timeRange.duration > .zero else {
      throw CompositorError(
        .invalidValue, "A ramp over \(timeRange) has no duration.", recoverySuggestion: "Set a point instead.")
    }
    try insert(Ramp(timeRange: timeRange, start: start, end: end))
  }

  private mutating func insert(_ ramp: Ramp<Value>) throws(CompositorError) {
    let range = ramp.timeRange
    guard range.isNumeric, range.end.isNumeric else {
      throw CompositorError(.invalidValue, "The time range \(range) is not numeric.", recoverySuggestion: "Use finite times.")
    }
    let isPoint = range.duration == .zero
    let index = firstIndex {
      $0.timeRange.start > range.start
        || ($0.timeRange.start == range.start && (isPoint || $0.timeRange.duration > .zero))
    }
    if isPoint, index < ramps.count, ramps[index].timeRange == range {
      ramps[index] = ramp
      return
    }
    let neighbors = [index > 0 ? ramps[index - 1].timeRange : nil, index < ramps.count ? ramps[index].timeRange : nil]
    for case let other? in neighbors where other.start < range.end && other.end > range.start {
      throw CompositorError(
        .overlappingRamps, "The ramp over \(range) overlaps the one over \(other).",
        recoverySuggestion: "Let one end where the other starts.")
    }
    ramps.insert(ramp, at: index)
  }

  /// The value at a given time. O(log n).
  @inlinable public func value(at time: MediaTime) -> Value {
    guard !ramps.isEmpty else { return defaultValue }
    let next = firstIndex { $0.timeRange.start > time }
    guard next > 0 else { return defaultValue }
    let ramp = ramps[next - 1]
    guard time < ramp.timeRange.end else { return ramp.end }
    return ramp.start.interpolated(to: ramp.end, fraction: ramp.timeRange.fraction(at: time))
  }

  /// The ramp that contains `time`, or the first one that starts after it; `nil` if there is neither. Points aren't counted.
  public func ramp(at time: MediaTime) -> Ramp<Value>? {
    let next = firstIndex { $0.timeRange.start > time }
    if next > 0, ramps[next - 1].timeRange.contains(time) { return ramps[next - 1] }
    return ramps[next...].first { $0.timeRange.duration > .zero }
  }

  /// Whether the value changes anywhere inside `range`: a ramp overlaps it, or an entry begins after its start. O(log n) plus
  /// the entries inside.
  @inlinable public func changes(in range: TimeRange) -> Bool {
    guard !ramps.isEmpty else { return false }
    let first = firstIndex { $0.timeRange.end > range.start }
    return ramps[first...].prefix { $0.timeRange.start < range.end }.contains {
      $0.start != $0.end || $0.timeRange.start > range.start
    }
  }

  /// Whether the value changes inside `range`, ignoring changes between values that `isSame` considers equal.
  package func changes(in range: TimeRange, unless isSame: (Value, Value) -> Bool) -> Bool {
    guard !isConstant else { return false }
    let held = value(at: range.start)
    let first = firstIndex { $0.timeRange.end > range.start }
    return ramps[first...].prefix { $0.timeRange.start < range.end }.contains {
      !isSame($0.start, held) || !isSame($0.end, held)
    }
  }

  @inlinable func firstIndex(where predicate: (Ramp<Value>) -> Bool) -> Int {
    var (low, high) = (0, ramps.count)
    while low < high {
      let middle = (low + high) / 2
      if predicate(ramps[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension PropertyTimeline: Codable {
  private enum CodingKeys: String, CodingKey {
    case defaultValue, ramps
  }

  /// Decodes entries in any order and checks them as ``set(_:at:)`` and ``setRamp(from:to:timeRange:)`` do.
  ///
  /// - Throws: `DecodingError`; ``CompositorError`` `.invalidValue` and `.overlappingRamps`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(default: try container.decode(Value.self, forKey: .defaultValue))
    for ramp in try container.decode([Ramp<Value>].self, forKey: .ramps) { try insert(ramp) }
  }

  /// Encodes the default and the entries.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(defaultValue, forKey: .defaultValue)
    try container.encode(ramps, forKey: .ramps)
  }
}
