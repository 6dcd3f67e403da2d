extension ShapePath: Codable {
  enum ShapeKeys: String, CodingKey, CaseIterable { case circle, ellipse, rect, polygon, arc }

  /// Reads the text of an SVG path's `d`, or an object with one shape: `{ circle: { center, radius } }`,
  /// `{ ellipse: { center, radiusX, radiusY } }`, `{ rect: { x, y, width, height, cornerRadius } }`, `{ polygon: { points } }` or
  /// `{ polygon: { center, radius, sides } }`, `{ arc: { center, radius, start, end } }` in radians.
  public init(from decoder: any Decoder) throws {
    if let text = try? decoder.singleValueContainer().decode(String.self) {
      try self.init(svg: text)
      return
    }
    let values = try decoder.container(keyedBy: ShapeKeys.self)
    guard values.allKeys.count == 1, let key = values.allKeys.first else {
      throw CompositorError(
        .invalidValue, "A path is written as \(values.allKeys.count) shapes.",
        recoverySuggestion: "Give one of circle, ellipse, rect, polygon and arc, or the text of an SVG path.")
    }
    switch key {
    case .circle: self = try values.decode(CircleNotation.self, forKey: key).path
    case .ellipse: self = try values.decode(EllipseNotation.self, forKey: key).path
    case .rect: self = try values.decode(RectangleNotation.self, forKey: key).path
    case .polygon: self = try values.decode(PolygonNotation.self, forKey: key).path()
    case .arc: self = try values.decode(ArcNotation.self, forKey: key).path
    }
  }

  /// Writes the text of an SVG path's `d`.
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
