import CompositorPlatform

extension ShapePath {
  /// A closed circle, clockwise from its topmost point. It deviates from a true circle by less than 5 millionths of the radius.
  public static func circle(center: Point, radius: Double) -> ShapePath {
    ellipse(center: center, radiusX: radius, radiusY: radius)
  }

  /// A closed ellipse, clockwise from its topmost point.
  ///
  /// - Parameters:
  ///   - radiusX: Half the width, in pixels.
  ///   - radiusY: Half the height, in pixels.
  public static func ellipse(center: Point, radiusX: Double, radiusY: Double) -> ShapePath {
    var path = arc(center: .zero, radius: 1, start: -.pi / 2, end: 1.5 * .pi)
    // Make the last point exactly equal to the first.
    path.coordinates.replaceSubrange(path.coordinates.count - 2..<path.coordinates.count, with: path.coordinates[..<2])
    path.close()
    return path.applying(AffineMatrix(a: radiusX, b: 0, c: 0, d: radiusY, tx: center.x, ty: center.y))
  }

  /// An arc of a circle, open.
  ///
  /// - Parameters:
  ///   - start: The start angle in radians, clockwise; 0 is to the right of the center.
  ///   - end: The end angle in radians. The arc is clockwise if it is greater than `start`, and counterclockwise otherwise. If
  ///     the angles are more than a full turn apart, the arc goes around several times, 1000 at most.
  public static func arc(center: Point, radius: Double, start: Double, end: Double) -> ShapePath {
    var path = ShapePath()
    let sweep = min(max(end - start, -2000 * .pi), 2000 * .pi)
    path.move(to: Point(x: center.x + radius * cos(start), y: center.y + radius * sin(start)))
    path.addArc(
      AffineMatrix(a: radius, b: 0, c: 0, d: radius, tx: center.x, ty: center.y), start: start, sweep: sweep, endingAt: nil)
    return path
  }

  /// A closed regular polygon with one corner straight up.
  ///
  /// - Parameter sides: Number of sides, 3 … 1000.
  public static func regularPolygon(center: Point, radius: Double, sides: Int) -> ShapePath {
    let count = min(max(sides, 3), 1000)
    return polygon(
      (0..<count).map { index in
        let angle = 2 * Double.pi * Double(index) / Double(count) - .pi / 2
        return Point(x: center.x + radius * cos(angle), y: center.y + radius * sin(angle))
      })
  }

  /// Adds an elliptical arc from the current point, as `A` does in SVG (SVG 1.1, appendix F.6). Radii that are too small are
  /// scaled up. A radius of 0 produces a straight line, and an end at the current point produces nothing.
  ///
  /// - Parameters:
  ///   - end: The end point.
  ///   - radiusX: Radius along the ellipse's own first axis, in pixels. Its sign is ignored.
  ///   - radiusY: Radius along its other axis, in pixels.
  ///   - rotation: Rotation of the ellipse in radians, clockwise.
  ///   - isLarge: Whether the arc is longer than half the ellipse.
  ///   - isClockwise: Whether the arc runs clockwise.
  public mutating func arc(
    to end: Point, radiusX: Double, radiusY: Double, rotation: Double = 0, isLarge: Bool = false, isClockwise: Bool = true
  ) {
    guard let from = currentPoint else { return move(to: end) }
    arc(
      from: from, to: end, radiusX: radiusX, radiusY: radiusY, rotation: rotation, isLarge: isLarge, isClockwise: isClockwise)
  }

  /// The same for a known current point.
  mutating func arc(
    from: Point, to end: Point, radiusX: Double, radiusY: Double, rotation: Double, isLarge: Bool, isClockwise: Bool
  ) {
    guard from != end else { return }
    var (rx, ry) = (abs(radiusX), abs(radiusY))
    guard rx > 0, ry > 0, rx.isFinite, ry.isFinite, rotation.isFinite else { return line(to: end) }
    let (cosine, sine) = (cos(rotation), sin(rotation))
    let (halfX, halfY) = ((from.x - end.x) / 2, (from.y - end.y) / 2)
    let (x, y) = (cosine * halfX + sine * halfY, cosine * halfY - sine * halfX)
    let reach = x * x / (rx * rx) + y * y / (ry * ry)
    if reach > 1 { (rx, ry) = (rx * reach.squareRoot(), ry * reach.squareRoot()) }
    // In units of the radii, `reach` is the squared distance of the chord's midpoint from the center.
    let distance = (max(1 / max(reach, .leastNormalMagnitude) - 1, 0)).squareRoot() * (isLarge == isClockwise ? -1 : 1)
    let (centerX, centerY) = (distance * rx * y / ry, -distance * ry * x / rx)
    let start = atan2((y - centerY) / ry, (x - centerX) / rx)
    var sweep = atan2((-y - centerY) / ry, (-x - centerX) / rx) - start
    if isClockwise, sweep <= 0 { sweep += 2 * .pi }
    if !isClockwise, sweep >= 0 { sweep -= 2 * .pi }
    let toEllipse = AffineMatrix(
      a: rx * cosine, b: rx * sine, c: -ry * sine, d: ry * cosine,
      tx: cosine * centerX - sine * centerY + (from.x + end.x) / 2,
      ty: sine * centerX + cosine * centerY + (from.y + end.y) / 2)
    addArc(toEllipse, start: start, sweep: sweep, endingAt: end)
  }

  /// Adds an arc of the unit circle, transformed, as curves of at most an eighth of a circle.
  private mutating func addArc(_ transform: AffineMatrix, start: Double, sweep: Double, endingAt end: Point?) {
    guard start.isFinite, sweep.isFinite else { return }
    let count = max(Int((abs(sweep) / (.pi / 4) - 1e-9).rounded(.up)), 1)
    let part = sweep / Double(count)
    let handle = 4.0 / 3 * tan(part / 4)
    func point(_ angle: Double, ahead: Double) -> Point {
      let (cosine, sine) = (cos(angle), sin(angle))
      return transform.apply(to: Point(x: cosine - ahead * sine, y: sine + ahead * cosine))
    }
    for index in 0..<count {
      let (from, to) = (start + Double(index) * part, start + Double(index + 1) * part)
      let last = index == count - 1 ? end : nil
      curve(to: last ?? point(to, ahead: 0), control1: point(from, ahead: handle), control2: point(to, ahead: -handle))
    }
  }

  /// The start point of the next step; `nil` on an empty path.
  private var currentPoint: Point? {
    guard steps.last == .close else {
      let count = coordinates.count
      return count >= 2 ? Point(x: coordinates[count - 2], y: coordinates[count - 1]) : nil
    }
    var (index, start) = (0, Point?.none)
    for step in steps {
      if step == .move { start = Point(x: coordinates[index], y: coordinates[index + 1]) }
      index += 2 * step.pointCount
    }
    return start
  }
}
