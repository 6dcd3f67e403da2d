/// A value that can be mixed with another of its kind.
public protocol Interpolatable: Hashable, Sendable, Codable {
  /// The value a `fraction` (0 … 1) of the way to `other`; exactly `self` at 0 and `other` at 1.
  func interpolated(to other: Self, fraction: Double) -> Self
}

extension Double: Interpolatable {
  /// Linear; exact at both ends.
  public func interpolated(to other: Double, fraction: Double) -> Double {
    fraction >= 1 ? other : self + (other - self) * fraction
  }
}

extension AffineMatrix: Interpolatable {
  /// Component by component.
  public func interpolated(to other: AffineMatrix, fraction: Double) -> AffineMatrix {
    AffineMatrix(
      a: a.interpolated(to: other.a, fraction: fraction), b: b.interpolated(to: other.b, fraction: fraction),
      c: c.interpolated(to: other.c, fraction: fraction), d: d.interpolated(to: other.d, fraction: fraction),
      tx: tx.interpolated(to: other.tx, fraction: fraction), ty: ty.interpolated(to: other.ty, fraction: fraction))
  }
}

extension Rect: Interpolatable {
  /// Component by component; an infinite end holds until the ramp is over.
  public func interpolated(to other: Rect, fraction: Double) -> Rect {
    if isInfinite || other.isInfinite { return fraction >= 1 ? other : self }
    return Rect(
      x: minX.interpolated(to: other.minX, fraction: fraction),
      y: minY.interpolated(to: other.minY, fraction: fraction),
      width: size.width.interpolated(to: other.size.width, fraction: fraction),
      height: size.height.interpolated(to: other.size.height, fraction: fraction))
  }
}

/// A change from one value to another over a range; a range of zero duration is a jump to `end`.
public struct Ramp<Value: Interpolatable>: Hashable, Sendable, Codable {
  /// When it changes.
  public var timeRange: TimeRange
  /// The value at the range's start.
  public var start: Value
  /// The value at the range's end, held afterwards.
  public var end: Value
  /// Makes a ramp.
  public init(timeRange: TimeRange, start: Value, end: Value) {
    self.timeRange = timeRange
    self.start = start
    self.end = end
  }
}

/// A property over time: set points and ramps, holding in between.
///
/// Before the first entry the property has its default. A ramp changes linearly inside its range; its end value holds until
/// the next entry. There is no tweening outside a ramp.
public struct PropertyTimeline<Value: Interpolatable>: Hashable, Sendable, Codable {
  /// The value before the first entry.
  public var defaultValue: Value
  /// Ramps sorted by start, not overlapping; a set point is a ramp of zero duration.
  public private(set) var ramps: [Ramp<Value>]

  /// A property that always has its default.
  public init(default defaultValue: Value) {
    self.defaultValue = defaultValue
    self.ramps = []
  }

  /// Whether the property never changes from its default.
  public var isConstant: Bool { ramps.isEmpty }

  /// Sets the value from `time` on. A point at the same time is replaced.
  ///
  /// - Throws: `.invalidValue` where `time` is not numeric, `.overlappingRamps` where it is inside a ramp.
  public mutating func set(_ value: Value, at time: MediaTime) throws(CompositorError) {
    try insert(Ramp(timeRange: TimeRange(start: time, duration: .zero), start: value, end: value))
  }

  /// Changes the value from `start` to `end` over `timeRange`.
  ///
  /// - Throws: `.invalidValue` where the range is not numeric or empty, `.overlappingRamps` where it overlaps another ramp.
  public mutating func setRamp(from start: Value, to end: Value, timeRange: TimeRange) throws(CompositorError) {
    guard timeRange.duration > .zero else {
      throw CompositorError(
        .invalidValue, "A ramp over \(timeRange) has no duration.", remedy: "Set a point instead.")
    }
    try insert(Ramp(timeRange: timeRange, start: start, end: end))
  }

  private mutating func insert(_ ramp: Ramp<Value>) throws(CompositorError) {
    guard ramp.timeRange.start.isNumeric, ramp.timeRange.duration.isNumeric else {
      throw CompositorError(
        .invalidValue, "The time range \(ramp.timeRange) is not numeric.", remedy: "Use finite times.")
    }
    let range = ramp.timeRange
    let index = firstIndex { $0.timeRange.start >= range.start }
    if index < ramps.count, range.duration == .zero, ramps[index].timeRange == range {
      ramps[index] = ramp
      return
    }
    let overlapsNext =
      index < ramps.count
      && (ramps[index].timeRange.start < range.end
        || (ramps[index].timeRange.start == range.start && ramps[index].timeRange.duration == range.duration))
    let overlapsPrevious = index > 0 && ramps[index - 1].timeRange.end > range.start
    guard !overlapsNext, !overlapsPrevious else {
      let other = overlapsPrevious ? ramps[index - 1].timeRange : ramps[index].timeRange
      throw CompositorError(
        .overlappingRamps, "The ramp over \(range) overlaps the one over \(other).",
        remedy: "Let one end where the other starts.")
    }
    ramps.insert(ramp, at: index)
  }

  /// The value at a time. O(log n).
  public func value(at time: MediaTime) -> Value {
    let next = firstIndex { $0.timeRange.start > time }
    guard next > 0 else { return defaultValue }
    let ramp = ramps[next - 1]
    guard time < ramp.timeRange.end else { return ramp.end }
    return ramp.start.interpolated(to: ramp.end, fraction: ramp.timeRange.fraction(at: time))
  }

  /// The ramp that contains `time`, else the first one that starts after it, else nil.
  public func ramp(at time: MediaTime) -> Ramp<Value>? {
    let next = firstIndex { $0.timeRange.start > time }
    if next > 0, ramps[next - 1].timeRange.contains(time) { return ramps[next - 1] }
    return ramps[next...].first { $0.timeRange.duration > .zero } ?? ramps[next...].first
  }

  /// Whether the value changes anywhere inside `range`: a ramp overlaps it, or a point falls after its start.
  public func changes(in range: TimeRange) -> Bool {
    ramps.contains { ramp in
      let inside = ramp.timeRange.start < range.end && ramp.timeRange.end > range.start && ramp.start != ramp.end
      let jump = ramp.timeRange.start > range.start && ramp.timeRange.start < range.end
      return inside || jump
    }
  }

  private func firstIndex(where predicate: (Ramp<Value>) -> Bool) -> Int {
    var (low, high) = (0, ramps.count)
    while low < high {
      let middle = (low + high) / 2
      if predicate(ramps[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
