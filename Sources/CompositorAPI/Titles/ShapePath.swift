#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Lines and curves, open or closed, in the layer's own pixels.
public struct ShapePath: Hashable, Sendable {
  /// One step of a path.
  public enum Step: UInt8, Hashable, Sendable {
    /// Starts a new piece; one point.
    case move
    /// A straight line; one point.
    case line
    /// A cubic Bézier curve; three points.
    case curve
    /// A line back to the start of the piece; no point.
    case close

    /// Points of the step.
    package var pointCount: Int {
      switch self {
      case .move, .line: 1
      case .curve: 3
      case .close: 0
      }
    }
  }

  /// The steps.
  public private(set) var steps: [Step] = []
  /// x and y of the points of the steps, one after another.
  public package(set) var coordinates: [Double] = []

  /// An empty path.
  public init() {}

  /// Whether nothing was drawn.
  public var isEmpty: Bool { steps.isEmpty }

  /// Starts a new piece.
  public mutating func move(to point: Point) { append(.move, [point]) }
  /// Draws a straight line.
  public mutating func line(to point: Point) { append(steps.isEmpty ? .move : .line, [point]) }
  /// Draws a cubic Bézier curve.
  public mutating func curve(to end: Point, control1: Point, control2: Point) {
    if steps.isEmpty { move(to: control1) }
    append(.curve, [control1, control2, end])
  }
  /// Closes the piece.
  public mutating func close() { if !steps.isEmpty { steps.append(.close) } }

  private mutating func append(_ step: Step, _ points: [Point]) {
    steps.append(step)
    for point in points {
      coordinates.append(point.x)
      coordinates.append(point.y)
    }
  }

  /// The same path with every point moved by a transform.
  public func applying(_ transform: AffineMatrix) -> ShapePath {
    var copy = self
    for index in stride(from: 0, to: coordinates.count - 1, by: 2) {
      let point = transform.apply(to: Point(x: coordinates[index], y: coordinates[index + 1]))
      (copy.coordinates[index], copy.coordinates[index + 1]) = (point.x, point.y)
    }
    return copy
  }

  /// The box around all points, control points included; zero where there is none, or one is not finite.
  public var controlBounds: Rect {
    var (left, top, right, bottom) = (Double.infinity, Double.infinity, -Double.infinity, -Double.infinity)
    for index in stride(from: 0, to: coordinates.count - 1, by: 2) {
      (left, right) = (min(left, coordinates[index]), max(right, coordinates[index]))
      (top, bottom) = (min(top, coordinates[index + 1]), max(bottom, coordinates[index + 1]))
    }
    guard left.isFinite, right.isFinite, top.isFinite, bottom.isFinite, left <= right else { return .zero }
    return Rect(x: left, y: top, width: right - left, height: bottom - top)
  }
}

extension ShapePath {
  /// A rectangle, clockwise from its top-left corner.
  public static func rectangle(_ rect: Rect) -> ShapePath {
    polygon([
      Point(x: rect.minX, y: rect.minY), Point(x: rect.maxX, y: rect.minY), Point(x: rect.maxX, y: rect.maxY),
      Point(x: rect.minX, y: rect.maxY),
    ])
  }

  /// A rectangle with round corners; the radius is limited to half the shorter side.
  public static func roundedRectangle(_ rect: Rect, radius: Double) -> ShapePath {
    let r = min(max(radius, 0), min(rect.size.width, rect.size.height) / 2)
    guard r > 0 else { return rectangle(rect) }
    let k = r * (1 - 0.552_284_749_831)
    var path = ShapePath()
    func at(_ x: Double, _ y: Double) -> Point { Point(x: x, y: y) }
    path.move(to: at(rect.minX + r, rect.minY))
    path.line(to: at(rect.maxX - r, rect.minY))
    path.curve(
      to: at(rect.maxX, rect.minY + r), control1: at(rect.maxX - k, rect.minY), control2: at(rect.maxX, rect.minY + k))
    path.line(to: at(rect.maxX, rect.maxY - r))
    path.curve(
      to: at(rect.maxX - r, rect.maxY), control1: at(rect.maxX, rect.maxY - k), control2: at(rect.maxX - k, rect.maxY))
    path.line(to: at(rect.minX + r, rect.maxY))
    path.curve(
      to: at(rect.minX, rect.maxY - r), control1: at(rect.minX + k, rect.maxY), control2: at(rect.minX, rect.maxY - k))
    path.line(to: at(rect.minX, rect.minY + r))
    path.curve(
      to: at(rect.minX + r, rect.minY), control1: at(rect.minX, rect.minY + k), control2: at(rect.minX + k, rect.minY))
    path.close()
    return path
  }

  /// An ellipse that fills a rectangle.
  public static func ellipse(in rect: Rect) -> ShapePath {
    let unit = roundedRectangle(Rect(x: -1, y: -1, width: 2, height: 2), radius: 1)
    return unit.applying(
      AffineMatrix(
        a: rect.size.width / 2, b: 0, c: 0, d: rect.size.height / 2, tx: rect.minX + rect.size.width / 2,
        ty: rect.minY + rect.size.height / 2))
  }

  /// Straight lines through points, closed.
  public static func polygon(_ points: [Point]) -> ShapePath {
    var path = ShapePath()
    for point in points { path.line(to: point) }
    path.close()
    return path
  }

  /// A star with one point straight up.
  ///
  /// - Parameters:
  ///   - points: Number of points, 2 … 1000.
  ///   - innerRadius: Distance of the inner corners from the center, in pixels.
  public static func star(points: Int = 5, center: Point, radius: Double, innerRadius: Double? = nil) -> ShapePath {
    let count = min(max(points, 2), 1000)
    let inner = innerRadius ?? radius * 0.381_966
    return polygon(
      (0..<2 * count).map { index in
        let angle = Double.pi * (Double(index) / Double(count) - 0.5)
        let distance = index % 2 == 0 ? radius : inner
        return Point(x: center.x + distance * cos(angle), y: center.y + distance * sin(angle))
      })
  }
}
