internal import CFacadeCairo
public import Foundation

/// Paths, which are made in the space that is valid when a part is added.
extension CGContext {
  /// Forgets the path.
  public func beginPath() { cairo_new_path(cairo) }
  /// Begins a subpath.
  public func move(to point: CGPoint) { cairo_move_to(cairo, Double(point.x), Double(point.y)) }
  /// Adds a straight line.
  public func addLine(to point: CGPoint) { cairo_line_to(cairo, Double(point.x), Double(point.y)) }
  /// Adds a cubic curve.
  public func addCurve(to end: CGPoint, control1: CGPoint, control2: CGPoint) {
    cairo.add(CGPath.Step(type: .addCurveToPoint, points: [control1, control2, end]))
  }
  /// Adds a quadratic curve.
  public func addQuadCurve(to end: CGPoint, control: CGPoint) {
    cairo.add(CGPath.Step(type: .addQuadCurveToPoint, points: [control, end]))
  }
  /// Adds a line to the beginning of the subpath.
  public func closePath() { cairo_close_path(cairo) }
  /// Adds a subpath of straight lines between points.
  public func addLines(between points: [CGPoint]) {
    for (index, point) in points.enumerated() { index == 0 ? move(to: point) : addLine(to: point) }
  }
  /// Adds a rectangle.
  public func addRect(_ rect: CGRect) { addPath(CGPath(rect: rect, transform: nil)) }
  /// Adds rectangles.
  public func addRects(_ rects: [CGRect]) { for rect in rects { addRect(rect) } }
  /// Adds the largest ellipse in a rectangle.
  public func addEllipse(in rect: CGRect) { addPath(CGPath(ellipseIn: rect, transform: nil)) }
  /// Adds a path.
  public func addPath(_ path: CGPath) { for step in path.steps { cairo.add(step) } }
  /// Adds an arc of a circle, after a straight line from the current point to its start if there is one.
  ///
  /// - Parameters:
  ///   - startAngle: In radians from the x axis toward the y axis.
  ///   - clockwise: Whether angles fall, which is clockwise where y points up.
  public func addArc(center: CGPoint, radius: CGFloat, startAngle: CGFloat, endAngle: CGFloat, clockwise: Bool) {
    let arc = CGMutablePath()
    arc.addArc(center: center, radius: radius, startAngle: startAngle, endAngle: endAngle, clockwise: clockwise)
    let isFirst = cairo_has_current_point(cairo) == 0
    for (index, step) in arc.steps.enumerated() {
      cairo.add(index == 0 && !isFirst ? CGPath.Step(type: .addLineToPoint, points: step.points) : step)
    }
  }

  /// Whether nothing was added to the path.
  public var isPathEmpty: Bool { cairo_has_current_point(cairo) == 0 }

  /// Fills the path, and forgets it.
  public func fillPath(using rule: CGPathFillRule = .winding) { drawPath(using: rule == .winding ? .fill : .eoFill) }
  /// Draws the line of the path, and forgets it.
  public func strokePath() { drawPath(using: .stroke) }
  /// Draws the path, and forgets it.
  public func drawPath(using mode: CGPathDrawingMode) {
    draw {
      setRule([.eoFill, .eoFillStroke].contains(mode) ? .evenOdd : .winding)
      if mode != .stroke {
        setSource(state.fillColor)
        cairo_fill_preserve(cairo)
      }
      if [.stroke, .fillStroke, .eoFillStroke].contains(mode) {
        setSource(state.strokeColor)
        cairo_stroke_preserve(cairo)
      }
      cairo_new_path(cairo)
    }
  }

  /// Limits drawing to the inside of the path, and forgets it.
  public func clip(using rule: CGPathFillRule = .winding) {
    setRule(rule)
    cairo_clip(cairo)
  }
  /// Limits drawing to a rectangle.
  public func clip(to rect: CGRect) {
    beginPath()
    addRect(rect)
    clip()
  }
  /// Limits drawing to rectangles.
  public func clip(to rects: [CGRect]) {
    beginPath()
    addRects(rects)
    clip()
  }
  /// Draws everywhere again.
  public func resetClip() { cairo_reset_clip(cairo) }

  private func setRule(_ rule: CGPathFillRule) {
    cairo_set_fill_rule(cairo, rule == .winding ? CAIRO_FILL_RULE_WINDING : CAIRO_FILL_RULE_EVEN_ODD)
  }
}
