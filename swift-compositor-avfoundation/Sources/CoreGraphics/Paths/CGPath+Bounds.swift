internal import CFacadeCairo
internal import Foundation

/// Where a path is.
extension CGPath {
  /// The smallest rectangle that holds all points, also those that only direct curves; `CGRect.null` for an empty path.
  public final var boundingBox: CGRect { Self.box(of: steps.flatMap(\.points)) }

  /// The smallest rectangle that holds the path; `CGRect.null` for an empty one.
  public final var boundingBoxOfPath: CGRect {
    var points: [CGPoint] = []
    var current = CGPoint.zero
    var start = CGPoint.zero
    for step in steps {
      switch step.type {
      case .moveToPoint: start = step.points[0]
      case .addLineToPoint: break
      case .addQuadCurveToPoint: points += Self.extremes(CGMutablePath.cubic(current, step.points[0], step.points[1]))
      case .addCurveToPoint: points += Self.extremes([current] + step.points)
      case .closeSubpath: current = start
      }
      if let end = step.points.last {
        points.append(end)
        current = end
      }
    }
    return Self.box(of: points)
  }

  /// Whether a point is inside the path. Subpaths are taken as closed.
  public final func contains(
    _ point: CGPoint, using rule: CGPathFillRule = .winding, transform: CGAffineTransform = .identity
  ) -> Bool {
    // A context measures in 24.8 fixed point: a surface of one pixel serves for any path.
    let surface = cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1)
    let cairo = cairo_create(surface)
    defer {
      cairo_destroy(cairo)
      cairo_surface_destroy(surface)
    }
    for step in applied(transform) { cairo?.add(step) }
    cairo_set_fill_rule(cairo, rule == .winding ? CAIRO_FILL_RULE_WINDING : CAIRO_FILL_RULE_EVEN_ODD)
    return cairo_in_fill(cairo, Double(point.x), Double(point.y)) != 0
  }

  private static func box(of points: [CGPoint]) -> CGRect {
    guard let left = points.map(\.x).min(), let right = points.map(\.x).max(), let low = points.map(\.y).min(),
      let high = points.map(\.y).max()
    else { return .null }
    return CGRect(x: left, y: low, width: right - left, height: high - low)
  }

  /// The points at which a cubic curve turns back in x or in y.
  private static func extremes(_ curve: [CGPoint]) -> [CGPoint] {
    let times = turns(curve.map { Double($0.x) }) + turns(curve.map { Double($0.y) })
    return times.map { time in
      CGPoint(x: value(curve.map { Double($0.x) }, at: time), y: value(curve.map { Double($0.y) }, at: time))
    }
  }

  private static func value(_ c: [Double], at t: Double) -> Double {
    let s = 1 - t
    return s * s * s * c[0] + 3 * s * s * t * c[1] + 3 * s * t * t * c[2] + t * t * t * c[3]
  }

  /// Times in 0 … 1 at which the derivative of a cubic polynomial is 0.
  private static func turns(_ c: [Double]) -> [Double] {
    let (first, second, third) = (c[1] - c[0], c[2] - c[1], c[3] - c[2])
    let (a, b) = (first - 2 * second + third, 2 * (second - first))
    var roots: [Double] = []
    if abs(a) < 1e-12 {
      if abs(b) > 1e-12 { roots = [-first / b] }
    } else {
      let discriminant = b * b - 4 * a * first
      if discriminant >= 0 {
        roots = [(-b + discriminant.squareRoot()) / (2 * a), (-b - discriminant.squareRoot()) / (2 * a)]
      }
    }
    return roots.filter { $0 > 0 && $0 < 1 }
  }
}

extension OpaquePointer {
  /// Adds a part of a path to a context of Cairo.
  func add(_ step: CGPath.Step) {
    let p = step.points.map { (x: Double($0.x), y: Double($0.y)) }
    switch step.type {
    case .moveToPoint: cairo_move_to(self, p[0].x, p[0].y)
    case .addLineToPoint: cairo_line_to(self, p[0].x, p[0].y)
    case .addQuadCurveToPoint:
      var (x, y) = (p[0].x, p[0].y)
      if cairo_has_current_point(self) != 0 { cairo_get_current_point(self, &x, &y) }
      let c = CGMutablePath.cubic(CGPoint(x: x, y: y), step.points[0], step.points[1])
      cairo_curve_to(self, Double(c[1].x), Double(c[1].y), Double(c[2].x), Double(c[2].y), p[1].x, p[1].y)
    case .addCurveToPoint: cairo_curve_to(self, p[0].x, p[0].y, p[1].x, p[1].y, p[2].x, p[2].y)
    case .closeSubpath: cairo_close_path(self)
    }
  }
}
