import CompositorPlatform

/// A path of lines and curves, open or closed, in the layer's own pixels.
public struct ShapePath: Hashable, Sendable {
  /// One step of a path.
  public enum Step: UInt8, Hashable, Sendable {
    /// Starts a new subpath; one point.
    case move
    /// A straight line; one point.
    case line
    /// A cubic Bézier curve; three points.
    case curve
    /// A line back to the start of the subpath; no points.
    case close

    /// The number of points of the step.
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
  /// The x and y coordinates of the points of all steps, consecutively.
  public package(set) var coordinates: [Double] = []

  /// Creates an empty path.
  public init() {}

  /// Whether the path has no steps.
  public var isEmpty: Bool { steps.isEmpty }

  /// Starts a new subpath.
  public mutating func move(to point: Point) { append(.move, [point]) }
  /// Adds a straight line.
  public mutating func line(to point: Point) { append(steps.isEmpty ? .move : .line, [point]) }
  /// Adds a cubic Bézier curve.
  public mutating func curve(to end: Point, control1: Point, control2: Point) {
    if steps.isEmpty { move(to: control1) }
    append(.curve, [control1, control2, end])
  }
  /// Closes the subpath.
  public mutating func close() { if !steps.isEmpty { steps.append(.close) } }

  private mutating func append(_ step: Step, _ points: [Point]) {
    steps.append(step)
    for point in points {
      coordinates.append(point.x)
      coordinates.append(point.y)
    }
  }

  /// The path with every point transformed.
  public func applying(_ transform: AffineMatrix) -> ShapePath {
    var copy = self
    for index in stride(from: 0, to: coordinates.count - 1, by: 2) {
      let point = transform.apply(to: Point(x: coordinates[index], y: coordinates[index + 1]))
      (copy.coordinates[index], copy.coordinates[index + 1]) = (point.x, point.y)
    }
    return copy
  }

  /// The bounding box of all points, including control points; zero if there are none or one isn't finite.
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

  /// A rectangle with rounded corners. The radius is limited to half the shorter side.
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

  /// A closed polygon through the points.
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

extension ShapePath: Codable {
  enum ShapeKeys: String, CodingKey, CaseIterable {
    case circle, ellipse, rect, polygon, arc, union, intersection, difference, exclusion
  }

  /// Decodes SVG path data, or an object with one shape: `{ circle: { center, radius } }`, `{ ellipse: { center, radiusX,
  /// radiusY } }`, `{ rect: { x, y, width, height, cornerRadius } }`, `{ polygon: { points } }`, `{ polygon: { center, radius,
  /// sides } }`, `{ arc: { center, radius, start, end } }` in radians, or the combination of a list of paths (``Operation``): `{ union:
  /// […] }`, `{ intersection: […] }`, `{ difference: […] }`, `{ exclusion: […] }`.
  public init(from decoder: any Decoder) throws {
    if let text = try? decoder.singleValueContainer().decode(String.self) {
      try self.init(svg: text)
      return
    }
    let values = try decoder.container(keyedBy: ShapeKeys.self)
    guard values.allKeys.count == 1, let key = values.allKeys.first else {
      throw CompositorError(
        .invalidValue, "A path is written as \(values.allKeys.count) shapes.",
        recoverySuggestion: "Give one of \(ShapeKeys.allCases.map(\.rawValue).joined(separator: ", ")), or SVG path data.")
    }
    switch key {
    case .circle: self = try values.decode(CircleNotation.self, forKey: key).path
    case .ellipse: self = try values.decode(EllipseNotation.self, forKey: key).path
    case .rect: self = try values.decode(RectangleNotation.self, forKey: key).path
    case .polygon: self = try values.decode(PolygonNotation.self, forKey: key).path()
    case .arc: self = try values.decode(ArcNotation.self, forKey: key).path
    case .union: self = try Self.combined(values.decode([ShapePath].self, forKey: key), .union)
    case .intersection: self = try Self.combined(values.decode([ShapePath].self, forKey: key), .intersection)
    case .difference: self = try Self.combined(values.decode([ShapePath].self, forKey: key), .difference)
    case .exclusion: self = try Self.combined(values.decode([ShapePath].self, forKey: key), .exclusion)
    }
  }

  private static func combined(_ paths: [ShapePath], _ operation: Operation) throws(CompositorError) -> ShapePath {
    guard !paths.isEmpty else {
      throw CompositorError(
        .invalidValue, "The \(operation.rawValue) of no paths has no outline.", recoverySuggestion: "Give it two or more paths."
      )
    }
    return try combined(paths, by: operation)
  }

  /// Encodes SVG path data.
  public func encode(to encoder: any Encoder) throws {
    var single = encoder.singleValueContainer()
    try single.encode(svg)
  }
}

private struct CircleNotation: Decodable {
  let center: PointNotation
  let radius: Double

  var path: ShapePath { .circle(center: center.point, radius: radius) }
}

private struct EllipseNotation: Decodable {
  let center: PointNotation
  let radiusX, radiusY: Double

  var path: ShapePath { .ellipse(center: center.point, radiusX: radiusX, radiusY: radiusY) }
}

private struct RectangleNotation: Decodable {
  let x, y: Double?
  let width, height: Double
  let cornerRadius: Double?

  var path: ShapePath {
    .roundedRectangle(Rect(x: x ?? 0, y: y ?? 0, width: width, height: height), radius: cornerRadius ?? 0)
  }
}

private struct PolygonNotation: Decodable {
  let points: [PointNotation]?
  let center: PointNotation?
  let radius: Double?
  let sides: Int?

  func path() throws(CompositorError) -> ShapePath {
    switch (points, center, radius, sides) {
    case (let points?, nil, nil, nil) where points.count >= 2: return .polygon(points.map(\.point))
    case (nil, let center?, let radius?, let sides?) where (3...1000).contains(sides):
      return .regularPolygon(center: center.point, radius: radius, sides: sides)
    default:
      throw CompositorError(
        .invalidValue, "A polygon has neither points nor center, radius and sides.",
        recoverySuggestion: "Give it at least two points, or a center, a radius and 3 to 1000 sides.")
    }
  }
}

private struct ArcNotation: Decodable {
  let center: PointNotation
  let radius, start, end: Double

  var path: ShapePath { .arc(center: center.point, radius: radius, start: start, end: end) }
}
