import CompositorPlatform

/// A path parameterized by distance, for movement along it. Distances are arc lengths of the curves, and directions are their
/// tangents.
package struct MeasuredPath: Hashable, Sendable {
  /// The steps of nonzero length, in order. A jump (a second `move`) has no length.
  private var segments: [PathSegment] = []
  /// Distance along the path at the start of each segment.
  private var starts: [Double] = []
  private var first: Point?
  /// Distance along the path at its start and at the end of each step: the key points of a path animation.
  package private(set) var stepDistances: [Double] = []
  /// Length of the whole path, in pixels.
  package private(set) var length = 0.0

  package init(_ path: ShapePath) {
    var index = 0
    var (last, start) = (Point.zero, Point.zero)
    for step in path.steps {
      let ends = (0..<step.pointCount).map {
        Point(x: path.coordinates[index + 2 * $0], y: path.coordinates[index + 2 * $0 + 1])
      }
      index += 2 * step.pointCount
      switch step {
      case .move:
        (last, start) = (ends[0], ends[0])
        if first == nil { (first, stepDistances) = (last, [0]) }
        continue
      case .line: append(PathSegment(from: last, to: ends[0]))
      case .curve: append(PathSegment(last, ends[0], ends[1], ends[2]))
      case .close: append(PathSegment(from: last, to: start))
      }
      last = ends.last ?? start
      stepDistances.append(length)
    }
  }

  private mutating func append(_ segment: PathSegment) {
    guard segment.length > 0 else { return }
    segments.append(segment)
    starts.append(length)
    length += segment.length
  }

  /// The point and direction (in radians) at a distance along the path; `nil` on an empty path. At a corner the direction is
  /// that of the following step; steps of zero length have none.
  package func place(at distance: Double) -> (point: Point, angle: Double)? {
    guard !segments.isEmpty else { return first.map { ($0, 0) } }
    var (low, high) = (0, segments.count)
    while low + 1 < high {
      let middle = (low + high) / 2
      if starts[middle] <= distance { low = middle } else { high = middle }
    }
    return segments[low].place(at: distance - starts[low])
  }
}

/// A straight line or cubic Bézier curve, parameterized by arc length.
private struct PathSegment: Hashable, Sendable {
  /// Coefficients of 1, t, t² and t³.
  private var a, b, c, d: SIMD2<Double>
  private let isLine: Bool
  /// Increasing parameters 0 … 1 and the length up to each, close enough together that the speed changes little between two.
  private var knots: [Double] = []
  private var lengths: [Double] = []

  var length: Double { lengths.last ?? 0 }

  init(from: Point, to: Point) {
    (a, b, c, d) = (SIMD2(from.x, from.y), SIMD2(to.x - from.x, to.y - from.y), .zero, .zero)
    isLine = true
    (knots, lengths) = ([0, 1], [0, hypot(b.x, b.y)])
  }

  init(_ from: Point, _ control1: Point, _ control2: Point, _ to: Point) {
    func vector(_ point: Point) -> SIMD2<Double> { SIMD2(point.x, point.y) }
    let (p0, p1, p2, p3) = (vector(from), vector(control1), vector(control2), vector(to))
    a = p0
    b = (p1 - p0) * 3
    c = (p2 - p1 * 2 + p0) * 3
    d = p3 - p0 + (p1 - p2) * 3
    isLine = false
    (knots, lengths) = ([0], [0])
    let size = [p1, p2, p3].map { hypot($0.x - p0.x, $0.y - p0.y) }.reduce(0, max)
    // Start with halves, so that a curve that is its own mirror image isn't measured at an unrepresentative point.
    for half in [0.0, 0.5] { measure(half, half + 0.5, integral(half, half + 0.5), tolerance: size * 1e-9, depth: 0) }
  }

  /// Adds knots until the length between two doesn't change with finer subdivision.
  private mutating func measure(_ from: Double, _ to: Double, _ whole: Double, tolerance: Double, depth: Int) {
    let middle = (from + to) / 2
    let (left, right) = (integral(from, middle), integral(middle, to))
    guard abs(left + right - whole) > tolerance, depth < 16 else {
      knots.append(to)
      lengths.append(length + left + right)
      return
    }
    measure(from, middle, left, tolerance: tolerance, depth: depth + 1)
    measure(middle, to, right, tolerance: tolerance, depth: depth + 1)
  }

  private func velocity(_ t: Double) -> SIMD2<Double> { b + (c * 2 + d * (3 * t)) * t }

  private func speed(_ t: Double) -> Double {
    let v = velocity(t)
    return (v.x * v.x + v.y * v.y).squareRoot()
  }

  /// The length between two parameters by 5-point Gauss–Legendre quadrature.
  private func integral(_ from: Double, _ to: Double) -> Double {
    let (middle, half) = ((from + to) / 2, (to - from) / 2)
    let (x1, x2) = (0.538_469_310_105_683_1 * half, 0.906_179_845_938_664 * half)
    let outer = 0.236_926_885_056_189_1 * (speed(middle - x2) + speed(middle + x2))
    let inner = 0.478_628_670_499_366_5 * (speed(middle - x1) + speed(middle + x1))
    return half * (0.568_888_888_888_888_9 * speed(middle) + inner + outer)
  }

  func place(at distance: Double) -> (point: Point, angle: Double) {
    let t = isLine ? min(max(distance / length, 0), 1) : parameter(at: distance)
    let point = a + (b + (c + d * t) * t) * t
    let way = direction(t)
    return (Point(x: point.x, y: point.y), atan2(way.y, way.x))
  }

  /// The parameter at a distance along the curve, by Newton's method bracketed by two knots.
  private func parameter(at distance: Double) -> Double {
    guard distance > 0 else { return 0 }
    guard distance < length else { return 1 }
    var (low, high) = (0, knots.count - 1)
    while low + 1 < high {
      let middle = (low + high) / 2
      if lengths[middle] <= distance { low = middle } else { high = middle }
    }
    let (start, rest) = (knots[low], distance - lengths[low])
    var (least, most) = (start, knots[high])
    var t = start + (most - start) * rest / max(lengths[high] - lengths[low], .leastNormalMagnitude)
    for _ in 0..<24 {
      let excess = integral(start, t) - rest
      if excess > 0 { most = t } else { least = t }
      let rate = speed(t)
      let next = rate > 0 ? t - excess / rate : .nan
      let step = next >= least && next <= most ? next : (least + most) / 2
      guard abs(step - t) > 1e-13 else { return step }
      t = step
    }
    return t
  }

  /// The tangent at a parameter. If the derivative is zero (a handle of zero length, a cusp), the direction in which the curve
  /// continues; at its end, the direction from which it arrives.
  private func direction(_ t: Double) -> SIMD2<Double> {
    func size(_ vector: SIMD2<Double>) -> Double { max(abs(vector.x), abs(vector.y)) }
    let scale = size(b) + size(c) + size(d)
    func isNoticeable(_ vector: SIMD2<Double>) -> Bool { size(vector) > scale * 1e-7 }
    let velocity = velocity(t)
    if isNoticeable(velocity) { return velocity }
    let acceleration = c * 2 + d * (6 * t)
    if isNoticeable(acceleration) { return t < 1 ? acceleration : -acceleration }
    return d
  }
}
