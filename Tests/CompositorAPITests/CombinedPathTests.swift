import CompositorAPI
import CompositorTestSupport
import Foundation
import Testing

/// Combinations of paths against the definition of their operations, at points.
struct CombinedPathTests {
  /// How often a path winds around a point.
  private static func winding(_ path: ShapePath, around point: Point) -> Int {
    var (polygons, index, last) = ([[Point]](), 0, Point.zero)
    for step in path.steps {
      let points = (0..<step.pointCount).map {
        Point(x: path.coordinates[index + 2 * $0], y: path.coordinates[index + 2 * $0 + 1])
      }
      index += 2 * step.pointCount
      switch step {
      case .move: polygons.append(points)
      case .line: polygons[polygons.count - 1] += points
      case .curve:
        for number in 1...400 {
          let (t, s) = (Double(number) / 400, 1 - Double(number) / 400)
          let (a, b, c, d) = (s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t)
          polygons[polygons.count - 1].append(
            Point(
              x: a * last.x + b * points[0].x + c * points[1].x + d * points[2].x,
              y: a * last.y + b * points[0].y + c * points[1].y + d * points[2].y))
        }
      case .close: break
      }
      last = points.last ?? polygons[polygons.count - 1][0]
    }
    return polygons.reduce(0) { sum, polygon in
      sum
        + polygon.indices.reduce(0) { turns, index in
          let (from, to) = (polygon[index], polygon[(index + 1) % polygon.count])
          guard (from.y <= point.y) != (to.y <= point.y) else { return turns }
          let x = from.x + (point.y - from.y) / (to.y - from.y) * (to.x - from.x)
          return x > point.x ? turns + (to.y > from.y ? 1 : -1) : turns
        }
    }
  }

  private static func isInside(_ insides: [Bool], _ operation: ShapePath.Operation) -> Bool {
    switch operation {
    case .union: insides.contains(true)
    case .intersection: !insides.contains(false)
    case .difference: insides[0] && !insides.dropFirst().contains(true)
    case .exclusion: insides.filter(\.self).count % 2 == 1
    }
  }

  private static func area(_ path: ShapePath) -> Double {
    let points = stride(from: 0, to: path.coordinates.count, by: 2).map {
      Point(x: path.coordinates[$0], y: path.coordinates[$0 + 1])
    }
    var (sum, first, next) = (0.0, 0, 0)
    for step in path.steps {
      if step == .move { first = next }
      if step == .line { sum += points[next - 1].x * points[next].y - points[next].x * points[next - 1].y }
      if step == .close { sum += points[next - 1].x * points[first].y - points[first].x * points[next - 1].y }
      next += step.pointCount
    }
    return abs(sum / 2)
  }

  private static func rect(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> ShapePath {
    .rectangle(Rect(x: x, y: y, width: width, height: height))
  }

  private static let center = Point(x: 50, y: 50)
  static let scenes: [(name: String, paths: [ShapePath])] = [
    ("overlapping", [rect(10, 10, 50, 50), rect(40, 30, 50, 50)]), ("apart", [rect(5, 5, 20, 20), rect(60, 60, 20, 20)]),
    ("inside", [rect(10, 10, 80, 80), rect(30, 30, 20, 20)]), ("the same", [rect(10, 10, 50, 50), rect(10, 10, 50, 50)]),
    ("edge to edge", [rect(10, 10, 30, 40), rect(40, 20, 30, 40)]),
    ("corner to corner", [rect(10, 10, 30, 30), rect(40, 40, 30, 30)]),
    ("circles", [.circle(center: center, radius: 30), .circle(center: Point(x: 70, y: 45), radius: 25)]),
    ("a circle that touches", [rect(20, 20, 30, 60), .circle(center: Point(x: 70, y: 50), radius: 20)]),
    (
      "many",
      [
        .circle(center: center, radius: 40), rect(45, 0, 10, 100), rect(0, 45, 100, 10),
        .regularPolygon(center: Point(x: 48, y: 52), radius: 31, sides: 7),
      ]
    ),
    (
      "stars",
      [.star(points: 9, center: center, radius: 48, innerRadius: 9), .star(points: 7, center: Point(x: 51, y: 49), radius: 45)]
    ),
    (
      "a loop",
      [.polygon([Point(x: 10, y: 10), Point(x: 90, y: 80), Point(x: 90, y: 20), Point(x: 10, y: 90)]), rect(30, 5, 20, 90)]
    ),
    (
      "alone",
      [.polygon([Point(x: 50, y: 5), Point(x: 80, y: 95), Point(x: 5, y: 35), Point(x: 95, y: 35), Point(x: 20, y: 95)])]
    ),
  ]

  @Test(arguments: scenes.indices, ShapePath.Operation.allCases) func insides_areThoseOfTheDefinition(
    index: Int, operation: ShapePath.Operation
  ) throws {
    let paths = Self.scenes[index].paths
    let result = try ShapePath.combined(paths, by: operation)
    var random = SplitMix64(state: UInt64(index) + 1)
    var wrong = 0
    for _ in 0..<1500 {
      // Not on a line of the scenes.
      let point = Point(
        x: (Double.random(in: 0...100, using: &random) * 8).rounded() / 8 + 0.0371,
        y: (Double.random(in: 0...100, using: &random) * 8).rounded() / 8 + 0.0213)
      let turns = Self.winding(result, around: point)
      let expected = Self.isInside(paths.map { Self.winding($0, around: point) != 0 }, operation)
      // Every polygon runs around its inside once, in one direction, so that fill rules agree.
      if turns != (expected ? turns.signum() : 0) || abs(turns) != (expected ? 1 : 0) { wrong += 1 }
    }
    // A point may be nearer to a curve than the lines that replace it.
    #expect(wrong <= 1, "\(Self.scenes[index].name) \(operation)")
  }

  @Test func rectangles_haveExactOutlines() throws {
    func outline(_ operation: ShapePath.Operation, _ paths: ShapePath...) throws -> String {
      try ShapePath.combined(paths, by: operation).svg
    }
    let (left, right) = (Self.rect(0, 0, 20, 10), Self.rect(10, 0, 20, 10))
    #expect(try outline(.union, left, right) == ShapePath.rectangle(Rect(x: 0, y: 0, width: 30, height: 10)).svg)
    #expect(try outline(.intersection, left, right) == ShapePath.rectangle(Rect(x: 10, y: 0, width: 10, height: 10)).svg)
    #expect(try outline(.difference, left, right) == ShapePath.rectangle(Rect(x: 0, y: 0, width: 10, height: 10)).svg)
    #expect(try ShapePath.combined([left, right], by: .exclusion).steps.count == 10)
    #expect(try ShapePath.combined([left, left], by: .exclusion).isEmpty)
    #expect(try ShapePath.combined([left, Self.rect(40, 0, 5, 5)], by: .intersection).isEmpty)
    #expect(try ShapePath.combined([], by: .union).isEmpty)
  }

  /// Areas add up, at any size.
  @Test(arguments: [1e-3, 1, 1e5]) func areas_addUp(scale: Double) throws {
    let paths = [
      ShapePath.circle(center: Point(x: 0.4, y: 0.5), radius: 0.3), .circle(center: Point(x: 0.6, y: 0.45), radius: 0.25),
    ].map { $0.applying(.scale(x: scale, y: scale)) }
    func area(_ operation: ShapePath.Operation, _ paths: [ShapePath]) throws -> Double {
      Self.area(try ShapePath.combined(paths, by: operation)) / (scale * scale)
    }
    let (union, common) = (try area(.union, paths), try area(.intersection, paths))
    let circles = [0.3, 0.25].map { Double.pi * $0 * $0 }
    #expect(abs(union + common - circles[0] - circles[1]) < 2e-4)
    #expect(try abs(area(.difference, paths) - (union - Double.pi * 0.25 * 0.25)) < 2e-4)
    #expect(try abs(area(.difference, paths.reversed()) - (union - Double.pi * 0.3 * 0.3)) < 2e-4)
  }

  /// Lines with ends on a coarse grid meet in every way that lines can.
  @Test func randomPolygons_onACoarseGrid() throws {
    var random = SplitMix64(state: 8)
    for _ in 0..<60 {
      let paths = (0..<3).map { _ in
        ShapePath.polygon(
          (0..<7).map { _ in
            Point(x: Double(Int.random(in: 0...6, using: &random)), y: Double(Int.random(in: 0...6, using: &random)))
          })
      }
      for operation in ShapePath.Operation.allCases {
        let result = try ShapePath.combined(paths, by: operation)
        for y in 0..<12 {
          for x in 0..<12 {
            let point = Point(x: Double(x) / 2 + 0.2357, y: Double(y) / 2 + 0.2713)
            let expected = Self.isInside(paths.map { Self.winding($0, around: point) != 0 }, operation)
            #expect(abs(Self.winding(result, around: point)) == (expected ? 1 : 0), "\(paths.map(\.svg)) \(operation) \(point)")
          }
        }
      }
    }
  }

  @Test func limits_areReported() {
    let wide = Self.rect(0, 0, .infinity, 1)
    let comb = ShapePath.polygon((0..<20_000).map { Point(x: Double($0), y: $0 % 2 == 0 ? 0 : 20_000) })
    let rows = ShapePath.polygon((0..<20_000).map { Point(x: $0 % 2 == 0 ? 0 : 20_000, y: Double($0)) })
    for paths in [[wide], Array(repeating: Self.rect(0, 0, 1, 1), count: 101), [comb, rows]] {
      let error = #expect(throws: CompositorError.self) { try ShapePath.combined(paths, by: .union) }
      #expect(error?.code == .invalidValue)
    }
  }

  @Test func notation_isAListOfPaths() throws {
    let json = #"{"difference":[{"rect":{"width":20,"height":10}},"M 10 -5 h 40 v 40 h -40 z"]}"#
    let path = try JSONDecoder().decode(ShapePath.self, from: Data(json.utf8))
    #expect(path.svg == Self.rect(0, 0, 10, 10).svg)
    #expect(throws: CompositorError.self) { try JSONDecoder().decode(ShapePath.self, from: Data(#"{"union":[]}"#.utf8)) }
    let nested =
      #"{"union":[{"intersection":[\#(json),{"rect":{"width":5,"height":5}}]},{"rect":{"x":5,"width":5,"height":5}}]}"#
    #expect(try JSONDecoder().decode(ShapePath.self, from: Data(nested.utf8)).svg == Self.rect(0, 0, 10, 5).svg)
  }
}
