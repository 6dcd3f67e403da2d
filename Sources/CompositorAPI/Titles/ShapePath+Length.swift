#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A path as straight pieces with their lengths: what moving along a path needs. Curves are cut into 32 pieces.
package struct MeasuredPath: Hashable, Sendable {
  /// Corners, in order along the path; a jump (a second `move`) has no length.
  private var points: [Point] = []
  /// Distance along the path of each corner.
  private var distances: [Double] = []
  /// Distance along the path at the start of the path and at the end of each step: the key points of a path animation.
  package private(set) var stepDistances: [Double] = []

  package var length: Double { distances.last ?? 0 }

  package init(_ path: ShapePath) {
    var index = 0
    var start = Point.zero
    for step in path.steps {
      let ends = (0..<step.pointCount).map {
        Point(x: path.coordinates[index + 2 * $0], y: path.coordinates[index + 2 * $0 + 1])
      }
      index += 2 * step.pointCount
      switch step {
      case .move:
        start = ends[0]
        append(ends[0], isJump: true)
        if stepDistances.isEmpty { stepDistances.append(0) }
        continue
      case .line: append(ends[0])
      case .curve: appendCurve(ends)
      case .close: append(start)
      }
      stepDistances.append(length)
    }
  }

  private mutating func append(_ point: Point, isJump: Bool = false) {
    let before = points.last ?? point
    let gap = isJump ? 0 : hypot(point.x - before.x, point.y - before.y)
    points.append(point)
    distances.append(length + gap)
  }

  private mutating func appendCurve(_ p: [Point]) {
    guard let from = points.last else { return }
    for piece in 1...32 {
      let t = Double(piece) / 32
      let (w0, w1, w2, w3) = ((1 - t) * (1 - t) * (1 - t), 3 * t * (1 - t) * (1 - t), 3 * t * t * (1 - t), t * t * t)
      append(
        Point(
          x: w0 * from.x + w1 * p[0].x + w2 * p[1].x + w3 * p[2].x,
          y: w0 * from.y + w1 * p[0].y + w2 * p[1].y + w3 * p[2].y))
    }
  }

  /// Place and direction (radians) after a distance along the path; nil on an empty path.
  package func place(at distance: Double) -> (point: Point, angle: Double)? {
    guard points.count > 1 else { return points.first.map { ($0, 0) } }
    var (low, high) = (0, distances.count - 1)
    while low + 1 < high {
      let middle = (low + high) / 2
      if distances[middle] <= distance { low = middle } else { high = middle }
    }
    let (from, to) = (points[low], points[low + 1])
    let span = distances[low + 1] - distances[low]
    let share = span > 0 ? min(max((distance - distances[low]) / span, 0), 1) : 0
    return (
      Point(x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share), atan2(to.y - from.y, to.x - from.x)
    )
  }
}
