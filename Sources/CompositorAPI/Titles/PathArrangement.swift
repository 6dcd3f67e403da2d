/// The lines of several paths, divided where they meet, and the outline of an area that they bound.
///
/// All coordinates are integers. Crossings are rounded to integers, which bends lines by less than a unit; lines are divided
/// until none cross. Every decision after that is exact.
struct PathArrangement {
  /// A line from its left end to its right end.
  struct Edge: Hashable {
    var start, end: LatticePoint
  }

  /// The maximum number of lines, and of points at which they are divided at a time.
  private static let maximumEdges = 200_000
  /// The maximum number of pairs of lines that are compared at a time: about a second.
  private static let maximumComparisons = 20_000_000
  /// The maximum number of times that lines are divided. Usually two or three are enough.
  private static let maximumRounds = 64

  private let operandCount: Int
  /// Undivided lines, with the operand to which they belong and 1 if it is drawn to the right, −1 if to the left.
  private var lines: [(edge: Edge, operand: Int, winding: Int)] = []

  init(operandCount: Int) { self.operandCount = operandCount }

  /// Adds the lines of a closed polygon.
  mutating func add(_ polygon: [LatticePoint], operand: Int) {
    for (index, point) in polygon.enumerated() {
      let next = polygon[(index + 1) % polygon.count]
      if point < next { lines.append((Edge(start: point, end: next), operand, 1)) }
      if next < point { lines.append((Edge(start: next, end: point), operand, -1)) }
    }
  }

  /// - Throws: `.invalidValue` if there are too many lines.
  func requireSize() throws(CompositorError) {
    guard lines.count <= Self.maximumEdges else { throw Self.tooMany }
  }

  /// The closed polygons around the area that an operation selects, which lies to the right of their lines.
  ///
  /// - Throws: `.invalidValue` if the lines cross too often.
  func outline(of operation: ShapePath.Operation) throws(CompositorError) -> [[LatticePoint]] {
    var windings: [Edge: [Int]] = [:]
    var divided = lines
    var rounds = 0
    while let finer = try Self.divided(divided) {
      (divided, rounds) = (finer, rounds + 1)
      guard rounds < Self.maximumRounds else { throw Self.tooMany }
    }
    for (edge, operand, winding) in divided {
      windings[edge, default: Array(repeating: 0, count: operandCount)][operand] += winding
    }
    let sweep = ArrangementSweep(windings.filter { $0.value.contains { $0 != 0 } }, operandCount: operandCount)
    return OutlineTracer(sweep.boundary(of: operation)).polygons()
  }

  /// The lines divided at their meeting points; `nil` if they meet at their ends only.
  private static func divided(
    _ lines: [(edge: Edge, operand: Int, winding: Int)]
  ) throws(CompositorError) -> [(edge: Edge, operand: Int, winding: Int)]? {
    let edges = Set(lines.map(\.edge))
    guard edges.count <= maximumEdges else { throw tooMany }
    let cuts = try cuts(of: edges.sorted { ($0.start, $0.end) < ($1.start, $1.end) })
    guard !cuts.isEmpty else { return nil }
    var result: [(edge: Edge, operand: Int, winding: Int)] = []
    for line in lines {
      guard let inner = cuts[line.edge] else {
        result.append(line)
        continue
      }
      let way = line.edge.end - line.edge.start
      func order(_ point: LatticePoint) -> (Int, LatticePoint) { ((point - line.edge.start).dot(way), point) }
      let points = [line.edge.start] + inner.sorted { order($0) < order($1) } + [line.edge.end]
      for (from, to) in zip(points, points.dropFirst()) where from != to {
        // A crossing that is rounded may lie to the left of the start of a steep line.
        let isForward = from < to
        let part = Edge(start: isForward ? from : to, end: isForward ? to : from)
        result.append((part, line.operand, isForward ? line.winding : -line.winding))
      }
    }
    return result
  }

  /// The points at which edges must be divided.
  ///
  /// - Parameter edges: Different edges in order of their starts.
  private static func cuts(of edges: [Edge]) throws(CompositorError) -> [Edge: Set<LatticePoint>] {
    var (cuts, active, comparisons, meetings) = ([Edge: Set<LatticePoint>](), [Edge](), 0, 0)
    for edge in edges {
      active.removeAll { $0.end.x < edge.start.x }
      comparisons += active.count
      guard comparisons <= maximumComparisons else { throw tooMany }
      let (low, high) = (min(edge.start.y, edge.end.y), max(edge.start.y, edge.end.y))
      for other in active where min(other.start.y, other.end.y) <= high && max(other.start.y, other.end.y) >= low {
        for point in edge.meetings(with: other) {
          for line in [edge, other] where point != line.start && point != line.end {
            cuts[line, default: []].insert(point)
            meetings += 1
          }
        }
      }
      guard meetings <= maximumEdges else { throw tooMany }
      active.append(edge)
    }
    return cuts
  }

  private static var tooMany: CompositorError {
    CompositorError(
      .invalidValue, "Paths that are combined have too many lines or crossings.",
      recoverySuggestion: "Use simpler paths, or combine fewer.")
  }
}

extension PathArrangement.Edge {
  /// The points that two edges share: an end of one on the other, or a crossing, rounded.
  fileprivate func meetings(with other: PathArrangement.Edge) -> [LatticePoint] {
    let (way, otherWay) = (end - start, other.end - other.start)
    let sides = [other.start, other.end].map { way.cross($0 - start) }
    let otherSides = [start, end].map { otherWay.cross($0 - other.start) }
    var touching: [LatticePoint] = []
    for (point, side) in zip([other.start, other.end], sides) where side == 0 && spans(point) { touching.append(point) }
    for (point, side) in zip([start, end], otherSides) where side == 0 && other.spans(point) { touching.append(point) }
    if !touching.isEmpty { return touching }
    guard sides[0].signum() * sides[1].signum() < 0, otherSides[0].signum() * otherSides[1].signum() < 0 else { return [] }
    let fraction = Double(otherSides[0]) / (Double(otherSides[0]) - Double(otherSides[1]))
    let (x, y) = (Double(way.x) * fraction, Double(way.y) * fraction)
    return [LatticePoint(x: start.x + Int(x.rounded()), y: start.y + Int(y.rounded()))]
  }

  /// Whether the box of the edge contains a point.
  private func spans(_ point: LatticePoint) -> Bool {
    point.x >= start.x && point.x <= end.x && point.y >= min(start.y, end.y) && point.y <= max(start.y, end.y)
  }
}
