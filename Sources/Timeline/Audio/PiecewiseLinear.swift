package import CompositorAPI

/// A value over time, linear between points and constant outside of them.
package struct PiecewiseLinear<Value: Interpolatable>: Hashable, Sendable {
  /// A value at a composition time.
  package struct Point: Hashable, Sendable {
    package var time: ExactTime
    package var value: Value

    package init(time: ExactTime, value: Value) {
      self.time = time
      self.value = value
    }
  }

  /// At least one point, in increasing order of time.
  package private(set) var points: [Point]

  package init(constant value: Value) {
    points = [Point(time: .zero, value: value)]
  }

  /// - Parameter points: The points in increasing order of time.
  package init?(_ points: [Point]) {
    guard !points.isEmpty, zip(points, points.dropFirst()).allSatisfy({ $0.time < $1.time }) else { return nil }
    self.points = points
  }

  /// The value if it never changes; otherwise `nil`.
  package var constant: Value? {
    points.allSatisfy { $0.value == points[0].value } ? points[0].value : nil
  }

  /// The value at a given time. O(log n).
  package func value(at time: ExactTime) -> Value {
    var (low, high) = (0, points.count)
    while low < high {
      let middle = (low + high) / 2
      if points[middle].time > time { high = middle } else { low = middle + 1 }
    }
    guard low > 0 else { return points[0].value }
    guard low < points.count else { return points[low - 1].value }
    let (from, to) = (points[low - 1], points[low])
    let fraction = (time.seconds - from.time.seconds) / (to.time.seconds - from.time.seconds)
    return from.value.interpolated(to: to.value, fraction: min(max(fraction, 0), 1))
  }

  /// Maps every value by a linear map or a translation, which preserves linearity between points.
  package func map<Other: Interpolatable>(_ change: (Value) -> Other) -> PiecewiseLinear<Other> {
    PiecewiseLinear<Other>(unchecked: points.map { .init(time: $0.time, value: change($0.value)) })
  }

  private init(unchecked points: [Point]) {
    self.points = points
  }

  /// Combines both values at every point of either, and at `extra` times in between.
  package func combined(
    with other: PiecewiseLinear, extra: [ExactTime] = [], _ combine: (Value, Value) -> Value
  ) -> PiecewiseLinear {
    let times = Set(points.map(\.time) + other.points.map(\.time) + extra).sorted()
    return PiecewiseLinear(
      unchecked: times.map { Point(time: $0, value: combine(value(at: $0), other.value(at: $0))) })
  }

  /// Writes the values inside `range` as set points and ramps.
  package func write(
    to timeline: inout PropertyTimeline<Value>, over range: ExactRange
  ) throws(CompositorError) {
    if points.count == 1 {
      let (value, start) = (points[0].value, range.start.mediaTime)
      if value != timeline.value(at: start) { try timeline.set(value, at: start) }
      return
    }
    let inner = points.map(\.time).filter { $0 > range.start && $0 < range.end }
    let times = [range.start] + inner + [range.end]
    var held = timeline.value(at: range.start.mediaTime)
    for (start, end) in zip(times, times.dropFirst()) {
      let (from, to) = (value(at: start), value(at: end))
      if from != to {
        try timeline.setRamp(from: from, to: to, timeRange: try ExactRange(start, end).timeRange())
      } else if from != held {
        try timeline.set(from, at: start.mediaTime)
      }
      held = to
    }
  }
}

extension ExactTime {
  /// The nearest double.
  package var seconds: Double { Double(numerator) / Double(denominator) }
}
