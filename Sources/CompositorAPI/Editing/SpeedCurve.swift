/// A speed that changes along a segment: speeds at points in time, with an easing from each point to the next.
///
/// Speeds are relative: a segment always covers its source range in its target range, so a curve survives scaling. If the
/// source's duration is ``mediaDuration`` and the target's is ``duration``, the speeds are absolute. Splitting a segment keeps
/// a part of the curve, whose speeds don't change.
///
/// ```swift
/// let curve = try SpeedCurve(
///   [.init(time: 1, speed: 1, easing: .easeInOut), .init(time: 2, speed: 0.25)], duration: 4)
/// curve.mediaDuration  // 1 + 0.625 + 0.5
/// ```
public struct SpeedCurve: Hashable, Sendable {
  /// A speed and the time at which it applies.
  public struct Point: Hashable, Sendable, Codable {
    /// Seconds from the start of the original curve, ≥ 0.
    public var time: Double
    /// Media seconds per second, 1/10,000 … 10,000. Audio is silent if a speed is outside 1/32 … 32.
    public var speed: Double
    /// The easing of the speed from this point to the next. Linear by default.
    public var easing: Easing

    /// Creates a point.
    public init(time: Double, speed: Double, easing: Easing = .linear) {
      self.time = time
      self.speed = speed
      self.easing = easing
    }
  }

  /// The points in order of time. The first speed is held before its time, and the last one after.
  public let points: [Point]
  /// The part of the curve that plays, in seconds. All of it unless the curve was cut.
  public let range: Range<Double>
  /// The media seconds covered up to each point.
  private let distances: [Double]

  /// Creates a curve.
  ///
  /// - Parameters:
  ///   - points: At least one point, in strictly increasing order of time.
  ///   - duration: The duration in seconds, > 0. Points after it only affect the speed on the way to them.
  /// - Throws: `.invalidValue` if there are no points, if times are negative, not finite or not increasing, or if a speed,
  ///   including those of an easing that overshoots, is outside 1/10,000 … 10,000.
  public init(_ points: [Point], duration: Double) throws(CompositorError) {
    guard duration.isFinite, duration > 0 else {
      throw CompositorError(
        .invalidValue, "A speed curve over \(duration) s has no length.",
        recoverySuggestion: "Give it a finite duration above 0.")
    }
    try self.init(points, range: 0..<duration)
  }

  private init(_ points: [Point], range: Range<Double>) throws(CompositorError) {
    try SpeedCurve.check(points)
    var distances = [0.0]
    for (point, next) in zip(points, points.dropFirst()) {
      distances.append(distances[distances.count - 1] + SpeedCurve.distance(from: point, to: next, until: next.time))
    }
    // Distances are counted from the curve's time 0.
    let lead = points[0].time * points[0].speed
    self.distances = distances.map { $0 + lead }
    self.points = points
    self.range = range
  }

  private init(_ curve: SpeedCurve, range: Range<Double>) {
    (points, distances, self.range) = (curve.points, curve.distances, range)
  }

  /// The duration of the part that plays, in seconds.
  public var duration: Double { range.upperBound - range.lowerBound }

  /// The media seconds that the part that plays covers.
  public var mediaDuration: Double { distance(at: range.upperBound) - distance(at: range.lowerBound) }

  /// The speed at a given time of the curve.
  public func speed(at time: Double) -> Double {
    let index = points.countBefore { $0.time > time } - 1
    guard index >= 0 else { return points[0].speed }
    guard index + 1 < points.count else { return points[index].speed }
    let (point, next) = (points[index], points[index + 1])
    let progress = (time - point.time) / (next.time - point.time)
    return point.speed + (next.speed - point.speed) * point.easing.value(at: progress)
  }

  /// The media seconds covered from the curve's time 0 to `time`. Increases with time. O(n) in the points.
  public func distance(at time: Double) -> Double {
    let index = points.countBefore { $0.time > time } - 1
    guard index >= 0 else { return time * points[0].speed }
    guard index + 1 < points.count else { return distances[index] + (time - points[index].time) * points[index].speed }
    return distances[index] + SpeedCurve.distance(from: points[index], to: points[index + 1], until: time)
  }

  /// The time at which `distance` media seconds are covered; the inverse of ``distance(at:)``.
  public func time(atDistance distance: Double) -> Double {
    let index = distances.countBefore { $0 > distance } - 1
    guard index >= 0 else { return distance / points[0].speed }
    guard index + 1 < points.count else { return points[index].time + (distance - distances[index]) / points[index].speed }
    // Newton's method within bounds that close in: the slope is the speed, which is never 0.
    var (low, high) = (points[index].time, points[index + 1].time)
    var time = low + (high - low) * (distance - distances[index]) / (distances[index + 1] - distances[index])
    for _ in 0..<64 {
      let excess = self.distance(at: time) - distance
      if excess > 0 { high = time } else { low = time }
      let step = time - excess / speed(at: time)
      let next = step > low && step < high ? step : low + (high - low) / 2
      guard abs(next - time) > 1e-13 * max(1, abs(time)) else { return next }
      time = next
    }
    return time
  }

  /// The lowest and highest speed of the part that plays.
  public var speeds: ClosedRange<Double> {
    let inside = (points.map(\.time) + corners).filter(range.contains).sorted()
    let edges = [range.lowerBound] + inside + [range.upperBound]
    var (low, high) = (Double.infinity, 0.0)
    for (start, end) in zip(edges, edges.dropFirst()) where start < end {
      for step in 0...SpeedCurve.probes {
        // At the end itself a step may jump.
        let fraction = min(Double(step) / Double(SpeedCurve.probes), 1 - 1e-12)
        let speed = speed(at: start + (end - start) * fraction)
        (low, high) = (min(low, speed), max(high, speed))
      }
    }
    return min(low, high)...max(low, high)
  }

  /// The times of corners between points.
  private var corners: [Double] {
    zip(points, points.dropFirst()).flatMap { point, next in
      point.easing.corners.map { point.time + (next.time - point.time) * $0 }
    }
  }

  /// The part from `lower` to `upper`, which are fractions of the part that plays.
  func part(from lower: Double, to upper: Double) -> SpeedCurve {
    let start = range.lowerBound
    return SpeedCurve(self, range: start + lower * duration..<(upper == 1 ? range.upperBound : start + upper * duration))
  }

  /// The fraction of the media that is covered after a fraction of the time. Both may be outside 0 … 1.
  func mediaFraction(at fraction: Double) -> Double {
    (distance(at: range.lowerBound + fraction * duration) - distance(at: range.lowerBound)) / mediaDuration
  }

  /// The inverse of ``mediaFraction(at:)``.
  func timeFraction(at fraction: Double) -> Double {
    (time(atDistance: distance(at: range.lowerBound) + fraction * mediaDuration) - range.lowerBound) / duration
  }

  private static let probes = 64

  private static func distance(from point: Point, to next: Point, until time: Double) -> Double {
    let length = next.time - point.time
    let progress = min(max((time - point.time) / length, 0), 1)
    return length * (point.speed * progress + (next.speed - point.speed) * point.easing.area(to: progress))
  }

  private static func check(_ points: [Point]) throws(CompositorError) {
    guard !points.isEmpty else {
      throw CompositorError(
        .invalidValue, "A speed curve has no points.", recoverySuggestion: "Give it one, or a constant speed.")
    }
    var before = -Double.infinity
    for point in points {
      guard point.time.isFinite, point.time >= 0, point.time > before else {
        throw CompositorError(
          .invalidValue, "A speed curve has a point at \(point.time) s that is not after \(before) s.",
          recoverySuggestion: "Give points finite times, 0 or later, that rise.")
      }
      before = point.time
      try point.easing.requireUsable()
      try check(point.speed, at: point.time)
    }
    for (point, next) in zip(points, points.dropFirst()) {
      // Between corners and on both sides of jumps.
      let corners = point.easing.corners.flatMap { [$0 - 2 * .progressTolerance, $0] }
      for progress in (0...probes).map({ Double($0) / Double(probes) }) + corners {
        try check(
          point.speed + (next.speed - point.speed) * point.easing.value(at: progress),
          at: point.time + (next.time - point.time) * progress)
      }
    }
  }

  private static func check(_ speed: Double, at time: Double) throws(CompositorError) {
    let (low, high) = (SegmentRetiming.speeds.lowerBound, SegmentRetiming.speeds.upperBound)
    guard speed.isFinite, speed >= low * (1 - 1e-9), speed <= high * (1 + 1e-9) else {
      throw CompositorError(
        .invalidValue, "A speed curve has a speed of \(speed) at \(time) s.",
        recoverySuggestion: "Use 1/10000 to 10000; a freeze frame is a clip of its own.")
    }
  }
}

extension Array {
  /// The number of elements before the first one that satisfies a predicate.
  fileprivate func countBefore(_ predicate: (Element) -> Bool) -> Int { firstIndex(where: predicate) ?? count }
}

extension SpeedCurve: Codable {
  private enum CodingKeys: String, CodingKey {
    case points, start, end
  }

  /// Decodes points and the part that plays.
  ///
  /// - Throws: `DecodingError`; ``CompositorError`` `.invalidValue` under the conditions of ``init(_:duration:)``.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let start = try values.decodeIfPresent(Double.self, forKey: .start) ?? 0
    let end = try values.decode(Double.self, forKey: .end)
    guard start.isFinite, end.isFinite, start >= 0, start < end else {
      throw CompositorError(
        .invalidValue, "A speed curve from \(start) s to \(end) s has no length.",
        recoverySuggestion: "Give it a start of 0 or later and an end after it.")
    }
    try self.init(try values.decode([Point].self, forKey: .points), range: start..<end)
  }

  /// Encodes points and the part that plays.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(points, forKey: .points)
    try values.encode(range.lowerBound, forKey: .start)
    try values.encode(range.upperBound, forKey: .end)
  }
}
