public import Foundation

/// Round parts, which are made of cubic curves.
extension CGMutablePath {
  /// Adds an arc of a circle, after a straight line from the current point to its start if there is one.
  ///
  /// - Parameters:
  ///   - startAngle: In radians from the x axis toward the y axis.
  ///   - endAngle: In radians. Angles of a full turn or more apart make a circle.
  ///   - clockwise: Whether angles fall, which is clockwise where y points up.
  public func addArc(
    center: CGPoint, radius: CGFloat, startAngle: CGFloat, endAngle: CGFloat, clockwise: Bool,
    transform: CGAffineTransform = .identity
  ) {
    let full = 2 * CGFloat.pi
    var delta = endAngle - startAngle
    if clockwise {
      if delta <= -full { delta = -full } else if delta > 0 { delta = delta.truncatingRemainder(dividingBy: full) - full }
    } else {
      if delta >= full { delta = full } else if delta < 0 { delta = delta.truncatingRemainder(dividingBy: full) + full }
    }
    addRelativeArc(center: center, radius: radius, startAngle: startAngle, delta: delta, transform: transform)
  }

  /// Adds an arc of a circle, after a straight line from the current point to its start if there is one.
  ///
  /// - Parameter delta: How far it goes, in radians; negative to where angles fall.
  public func addRelativeArc(
    center: CGPoint, radius: CGFloat, startAngle: CGFloat, delta: CGFloat, transform: CGAffineTransform = .identity
  ) {
    func point(_ angle: Double, _ along: Double = 0) -> CGPoint {
      CGPoint(
        x: center.x + radius * CGFloat(cos(angle) - along * sin(angle)),
        y: center.y + radius * CGFloat(sin(angle) + along * cos(angle)))
    }
    let start = Double(startAngle)
    if isEmpty { move(to: point(start), transform: transform) } else { addLine(to: point(start), transform: transform) }
    let count = max(Int((abs(Double(delta)) / (Double.pi / 4)).rounded(.up)), 1)
    let step = Double(delta) / Double(count)
    // The tangents' length at which a cubic curve touches the circle in the middle.
    let tangent = 4 / 3 * tan(step / 4)
    for index in 0..<count where delta != 0 {
      let (from, to) = (start + Double(index) * step, start + Double(index + 1) * step)
      addCurve(to: point(to), control1: point(from, tangent), control2: point(to, -tangent), transform: transform)
    }
  }

  /// Adds an arc that touches two lines, from the current point to a corner and on to another point, after a straight line to its start.
  public func addArc(
    tangent1End: CGPoint, tangent2End: CGPoint, radius: CGFloat, transform: CGAffineTransform = .identity
  ) {
    let from = currentPoint.applying(transform.inverted())
    let (ax, ay) = (Double(from.x - tangent1End.x), Double(from.y - tangent1End.y))
    let (bx, by) = (Double(tangent2End.x - tangent1End.x), Double(tangent2End.y - tangent1End.y))
    let (a, b) = ((ax * ax + ay * ay).squareRoot(), (bx * bx + by * by).squareRoot())
    let turn = ax * by - ay * bx
    guard radius > 0, a > 0, b > 0, abs(turn) > 1e-9 * a * b else { return addLine(to: tangent1End, transform: transform) }
    let half = acos(min(max((ax * bx + ay * by) / (a * b), -1), 1)) / 2
    let (reach, distance) = (Double(radius) / tan(half), Double(radius) / sin(half))
    let (mx, my) = (ax / a + bx / b, ay / a + by / b)
    let m = (mx * mx + my * my).squareRoot()
    let (cx, cy) = (Double(tangent1End.x) + mx / m * distance, Double(tangent1End.y) + my / m * distance)
    func angle(_ x: Double, _ y: Double) -> CGFloat {
      CGFloat(atan2(Double(tangent1End.y) + y * reach - cy, Double(tangent1End.x) + x * reach - cx))
    }
    addArc(
      center: CGPoint(x: cx, y: cy), radius: radius, startAngle: angle(ax / a, ay / a), endAngle: angle(bx / b, by / b),
      clockwise: turn > 0, transform: transform)
  }

  /// Adds the largest ellipse in a rectangle as a closed subpath.
  public func addEllipse(in rect: CGRect, transform: CGAffineTransform = .identity) {
    let scaled = CGAffineTransform(a: rect.width / 2, b: 0, c: 0, d: rect.height / 2, tx: rect.midX, ty: rect.midY)
    let circle = CGMutablePath()
    circle.addRelativeArc(center: .zero, radius: 1, startAngle: 0, delta: 2 * .pi)
    circle.closeSubpath()
    addPath(circle, transform: scaled.concatenating(transform))
  }

  /// Adds a rectangle with rounded corners as a closed subpath.
  ///
  /// - Parameters:
  ///   - cornerWidth: At most half the width.
  ///   - cornerHeight: At most half the height.
  public func addRoundedRect(
    in rect: CGRect, cornerWidth: CGFloat, cornerHeight: CGFloat, transform: CGAffineTransform = .identity
  ) {
    precondition(
      cornerWidth >= 0 && 2 * cornerWidth <= rect.width && cornerHeight >= 0 && 2 * cornerHeight <= rect.height,
      "Corners of \(cornerWidth) × \(cornerHeight) do not fit into \(rect.width) × \(rect.height).")
    guard cornerWidth > 0, cornerHeight > 0 else { return addRect(rect, transform: transform) }
    // Corners are circular where both axes are measured in radii.
    let (width, height) = (rect.width / cornerWidth, rect.height / cornerHeight)
    let round = CGMutablePath()
    for (index, corner) in [(width - 1, 1), (width - 1, height - 1), (1, height - 1), (1, 1)].enumerated() {
      round.addRelativeArc(
        center: CGPoint(x: corner.0, y: corner.1), radius: 1, startAngle: CGFloat(index - 1) * .pi / 2, delta: .pi / 2)
    }
    round.closeSubpath()
    let scaled = CGAffineTransform(a: cornerWidth, b: 0, c: 0, d: cornerHeight, tx: rect.minX, ty: rect.minY)
    addPath(round, transform: scaled.concatenating(transform))
  }
}
