/// A sweep from left to right over lines that meet at their ends only. It finds on which sides of each line the paths have their
/// insides.
struct ArrangementSweep {
  private let windings: [PathArrangement.Edge: [Int]]
  private let operandCount: Int

  /// - Parameter windings: For each edge how often each path runs along it to the right, less how often to the left.
  init(_ windings: [PathArrangement.Edge: [Int]], operandCount: Int) {
    (self.windings, self.operandCount) = (windings, operandCount)
  }

  /// An edge under the sweep, and the winding numbers below it, which is at larger y.
  private struct Passed {
    let edge: PathArrangement.Edge
    let below: [Int]
  }

  /// The edges between the inside of an operation's result and its outside, from start to end with the inside to the right.
  func boundary(of operation: ShapePath.Operation) -> [(start: LatticePoint, end: LatticePoint)] {
    let outside = Array(repeating: 0, count: operandCount)
    var boundary: [(start: LatticePoint, end: LatticePoint)] = []
    // From top to bottom.
    var passed: [Passed] = []
    let starting = Dictionary(grouping: windings.keys, by: \.start)
    let points = Set(windings.keys.flatMap { [$0.start, $0.end] }).sorted()
    for point in points {
      let place = Self.place(of: point, in: passed)
      // Edges that end here are next to each other.
      var ended = place
      while ended < passed.count, passed[ended].edge.end == point { ended += 1 }
      var above = place > 0 ? passed[place - 1].below : outside
      let edges = (starting[point] ?? []).sorted { ($0.end - $0.start).cross($1.end - $1.start) > 0 }
      let added = edges.map { edge in
        let below = zip(above, windings[edge] ?? outside).map { $0 + $1 }
        let (isAbove, isBelow) = (
          operation.isInside(above.lazy.map { $0 != 0 }), operation.isInside(below.lazy.map { $0 != 0 })
        )
        // To the right of a line that is drawn to the right is what is below it.
        if isBelow, !isAbove { boundary.append((edge.start, edge.end)) }
        if isAbove, !isBelow { boundary.append((edge.end, edge.start)) }
        above = below
        return Passed(edge: edge, below: below)
      }
      passed.replaceSubrange(place..<ended, with: added)
    }
    return boundary
  }

  /// The index of the first edge that isn't above a point.
  private static func place(of point: LatticePoint, in passed: [Passed]) -> Int {
    var (low, high) = (0, passed.count)
    while low < high {
      let middle = (low + high) / 2
      let edge = passed[middle].edge
      if (edge.end - edge.start).cross(point - edge.start) > 0 { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// Joins directed edges to closed polygons that don't cross.
struct OutlineTracer {
  private var leaving: [LatticePoint: [LatticePoint]]
  private let starts: [LatticePoint]

  /// - Parameter boundary: Edges of which as many start at each point as end there.
  init(_ boundary: [(start: LatticePoint, end: LatticePoint)]) {
    leaving = Dictionary(grouping: boundary, by: \.start).mapValues { $0.map(\.end).sorted() }
    starts = leaving.keys.sorted()
  }

  /// The polygons, each from its leftmost point, from left to right.
  consuming func polygons() -> [[LatticePoint]] {
    var polygons: [[LatticePoint]] = []
    for start in starts {
      while leaving[start]?.isEmpty == false {
        var (polygon, last) = ([start], LatticePoint?.none)
        while let next = next(from: polygon[polygon.count - 1], after: last) {
          last = polygon[polygon.count - 1]
          if next == start { break }
          polygon.append(next)
        }
        let simple = Self.withoutStraightPoints(polygon)
        if simple.count > 2 { polygons.append(simple) }
      }
    }
    return polygons
  }

  /// Takes the edge that turns most to the right, where the inside is, so that areas that touch at a point have polygons of
  /// their own.
  private mutating func next(from point: LatticePoint, after last: LatticePoint?) -> LatticePoint? {
    guard var ends = leaving[point], !ends.isEmpty else { return nil }
    var best = 0
    if let last {
      let way = point - last
      for index in ends.indices.dropFirst() where way.turns(further: ends[index] - point, than: ends[best] - point) {
        best = index
      }
    }
    let end = ends.remove(at: best)
    leaving[point] = ends
    return end
  }

  /// The polygon without points on straight lines.
  private static func withoutStraightPoints(_ polygon: [LatticePoint]) -> [LatticePoint] {
    polygon.indices.filter { index in
      let before = polygon[(index + polygon.count - 1) % polygon.count]
      let (way, next) = (polygon[index] - before, polygon[(index + 1) % polygon.count] - polygon[index])
      return way.cross(next) != 0 || way.dot(next) < 0
    }.map { polygon[$0] }
  }
}

extension LatticePoint {
  /// Whether a turn from this direction into one is further to the right than a turn into another one.
  fileprivate func turns(further one: LatticePoint, than other: LatticePoint) -> Bool {
    let (side, otherSide) = (self.side(of: one), self.side(of: other))
    return side != otherSide ? side > otherSide : other.cross(one) > 0
  }

  /// 1 for a direction to the right or back, 0 for straight on, −1 for one to the left.
  private func side(of next: LatticePoint) -> Int {
    let side = cross(next).signum()
    return side == 0 && dot(next) < 0 ? 1 : side
  }
}
