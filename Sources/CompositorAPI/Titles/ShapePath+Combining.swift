extension ShapePath {
  /// How the insides of several paths are combined to that of one.
  public enum Operation: String, Hashable, Sendable, Codable, CaseIterable {
    /// What is inside any of the paths.
    case union
    /// What is inside all of the paths.
    case intersection
    /// What is inside the first path, and in none of the others.
    case difference
    /// What is inside an odd number of the paths.
    case exclusion

    /// Whether a point is inside the result.
    ///
    /// - Parameter insides: Whether it is inside each of the paths.
    func isInside(_ insides: some Collection<Bool>) -> Bool {
      switch self {
      case .union: insides.contains(true)
      case .intersection: insides.allSatisfy(\.self)
      case .difference: insides.first == true && !insides.dropFirst().contains(true)
      case .exclusion: insides.count { $0 } % 2 == 1
      }
    }
  }

  /// The outline of a combination of paths, which can be filled and stroked like any other path.
  ///
  /// The inside of each path is determined by the non-zero rule; open subpaths are closed by a straight line. The outline consists
  /// of closed polygons that don't cross, so that both fill rules fill the same area. Curves become lines that deviate by at most
  /// 1/512 of a pixel, and less in paths of less than 64 pixels. The result is the same on every processor.
  ///
  /// ```swift
  /// let ring = try ShapePath.combined(
  ///   [.circle(center: center, radius: 80), .circle(center: center, radius: 50)], by: .difference)
  /// ```
  ///
  /// - Parameter paths: The paths, 100 at most.
  /// - Throws: `.invalidValue` if coordinates aren't finite, if there are too many paths, or if they have too many lines or
  ///   crossings: at most 200,000 lines, curves divided.
  public static func combined(_ paths: [ShapePath], by operation: Operation) throws(CompositorError) -> ShapePath {
    guard paths.count <= 100 else {
      throw CompositorError(
        .invalidValue, "\(paths.count) paths are combined.", recoverySuggestion: "Combine at most 100, or some of them first.")
    }
    let lattice = try PathLattice(paths)
    var arrangement = PathArrangement(operandCount: paths.count)
    for (index, path) in paths.enumerated() {
      for polygon in lattice.polygons(of: path) { arrangement.add(polygon, operand: index) }
      try arrangement.requireSize()
    }
    return lattice.path(try arrangement.outline(of: operation))
  }
}

/// A point with integer coordinates, in the order of a sweep from left to right.
struct LatticePoint: Hashable, Comparable, Sendable {
  var x, y: Int

  static func < (one: LatticePoint, other: LatticePoint) -> Bool { one.x != other.x ? one.x < other.x : one.y < other.y }

  static func - (one: LatticePoint, other: LatticePoint) -> LatticePoint {
    LatticePoint(x: one.x - other.x, y: one.y - other.y)
  }

  /// Positive if `other` is a direction clockwise from this one, as seen on a canvas. Exact for differences of points.
  func cross(_ other: LatticePoint) -> Int { x * other.y - y * other.x }
  /// The scalar product.
  func dot(_ other: LatticePoint) -> Int { x * other.x + y * other.y }
}

/// The grid on which paths are combined: coordinates are integers, so that no decision depends on rounding.
struct PathLattice {
  /// Lattice units per pixel, a power of 2.
  private let scale: Double
  /// The largest distance of a curve from its lines, in pixels.
  private let tolerance: Double

  /// Coordinates up to this, so that products of two differences don't overflow.
  private static let maximumCoordinate = 0x1p29

  /// - Throws: `.invalidValue` if coordinates aren't finite.
  init(_ paths: [ShapePath]) throws(CompositorError) {
    var largest = 0.0
    for path in paths {
      for coordinate in path.coordinates {
        guard coordinate.isFinite, abs(coordinate) <= 1e9 else {
          throw CompositorError(
            .invalidValue, "A path that is combined with others has the coordinate \(coordinate).",
            recoverySuggestion: "Use finite coordinates of at most 1e9.")
        }
        largest = max(largest, abs(coordinate))
      }
    }
    var scale = 0x1p20
    while scale * largest > Self.maximumCoordinate { scale /= 2 }
    self.scale = scale
    tolerance = largest == 0 ? 1 : min(0x1p-9, largest * 0x1p-15)
  }

  /// The closed polygons of a path, each of at least three points.
  func polygons(of path: ShapePath) -> [[LatticePoint]] {
    var (polygons, polygon) = ([[LatticePoint]](), [LatticePoint]())
    var (last, start, index) = (Point.zero, Point.zero, 0)
    func finish() {
      if polygon.count > 2 { polygons.append(polygon) }
      polygon = []
    }
    func add(_ point: Point) {
      let rounded = LatticePoint(x: Int((point.x * scale).rounded()), y: Int((point.y * scale).rounded()))
      if polygon.last != rounded { polygon.append(rounded) }
    }
    for step in path.steps {
      let points = (0..<step.pointCount).map {
        Point(x: path.coordinates[index + 2 * $0], y: path.coordinates[index + 2 * $0 + 1])
      }
      index += 2 * step.pointCount
      switch step {
      case .move:
        finish()
        start = points[0]
      case .line: break
      case .curve: for point in flattened(last, points) { add(point) }
      case .close: finish()
      }
      last = points.last ?? start
      add(last)
    }
    finish()
    return polygons
  }

  /// Points of a curve between its ends.
  private func flattened(_ start: Point, _ points: [Point]) -> [Point] {
    func bend(_ a: Point, _ b: Point, _ c: Point) -> Double { max(abs(a.x - 2 * b.x + c.x), abs(a.y - 2 * b.y + c.y)) }
    let bend = max(bend(start, points[0], points[1]), bend(points[0], points[1], points[2]))
    // A chord deviates by an eighth of the second derivative at most, of which the bend is a sixth in each direction.
    let count = Int(min(max((1.1 * bend / tolerance).squareRoot().rounded(.up), 1), 10_000))
    return (1..<max(count, 1)).map { step in
      let (t, s) = (Double(step) / Double(count), Double(count - step) / Double(count))
      let weights = (s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t)
      func mixed(_ axis: (Point) -> Double) -> Double {
        weights.0 * axis(start) + weights.1 * axis(points[0]) + weights.2 * axis(points[1]) + weights.3 * axis(points[2])
      }
      return Point(x: mixed(\.x), y: mixed(\.y))
    }
  }

  /// A path of closed polygons.
  func path(_ polygons: [[LatticePoint]]) -> ShapePath {
    var path = ShapePath()
    for polygon in polygons {
      for (index, point) in polygon.enumerated() {
        let place = Point(x: Double(point.x) / scale, y: Double(point.y) / scale)
        if index == 0 { path.move(to: place) } else { path.line(to: place) }
      }
      path.close()
    }
    return path
  }
}
