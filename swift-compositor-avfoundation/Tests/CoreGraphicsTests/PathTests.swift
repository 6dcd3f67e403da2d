import CoreGraphics
import Testing

@Suite struct PathTests {
  private func near(_ left: CGRect, _ right: CGRect, _ tolerance: CGFloat = 1e-3) -> Bool {
    [left.minX - right.minX, left.minY - right.minY, left.maxX - right.maxX, left.maxY - right.maxY].allSatisfy {
      abs($0) < tolerance
    }
  }

  @Test func rectangles_haveFiveParts() {
    let path = CGPath(rect: CGRect(x: 1, y: 2, width: 3, height: 4), transform: nil)
    var types: [CGPathElementType] = []
    var points: [CGPoint] = []
    path.applyWithBlock { element in
      types.append(element.pointee.type)
      if element.pointee.type != .closeSubpath { points.append(element.pointee.points[0]) }
    }
    #expect(types == [.moveToPoint, .addLineToPoint, .addLineToPoint, .addLineToPoint, .closeSubpath])
    #expect(points.last == CGPoint(x: 1, y: 6) && path.boundingBox == CGRect(x: 1, y: 2, width: 3, height: 4))
    #expect(path.currentPoint == CGPoint(x: 1, y: 2) && !path.isEmpty && CGMutablePath().boundingBox.isNull)
  }

  @Test func roundShapes_fillTheirRectangles() {
    let rect = CGRect(x: 10, y: 20, width: 40, height: 30)
    let ellipse = CGPath(ellipseIn: rect, transform: nil)
    #expect(near(ellipse.boundingBoxOfPath, rect) && ellipse.contains(CGPoint(x: 30, y: 35)))
    #expect(!ellipse.contains(CGPoint(x: 13, y: 22)))
    let round = CGPath(roundedRect: rect, cornerWidth: 8, cornerHeight: 5, transform: nil)
    #expect(near(round.boundingBoxOfPath, rect) && !round.contains(CGPoint(x: 10.5, y: 20.5)))
    #expect(round.contains(CGPoint(x: 18, y: 20.5)) && round.contains(CGPoint(x: 10.5, y: 25)))
    var twice = CGAffineTransform(scaleX: 2, y: 2)
    #expect(near(CGPath(ellipseIn: rect, transform: &twice).boundingBoxOfPath, rect.applying(twice)))
    #expect(near(ellipse.copy(using: &twice)?.boundingBoxOfPath ?? .zero, rect.applying(twice)))
  }

  /// Angles rise unless the arc is clockwise, and the way that is given is taken even if the other one is shorter.
  @Test func arcs_goTheirWay() {
    func arc(_ start: CGFloat, _ end: CGFloat, clockwise: Bool) -> CGRect {
      let path = CGMutablePath()
      path.addArc(center: .zero, radius: 10, startAngle: start, endAngle: end, clockwise: clockwise)
      return path.boundingBoxOfPath
    }
    #expect(near(arc(0, .pi / 2, clockwise: false), CGRect(x: 0, y: 0, width: 10, height: 10)))
    #expect(near(arc(0, .pi / 2, clockwise: true), CGRect(x: -10, y: -10, width: 20, height: 20)))
    #expect(near(arc(0, -.pi / 2, clockwise: true), CGRect(x: 0, y: -10, width: 10, height: 10)))
    #expect(near(arc(0, 9 * .pi, clockwise: false), CGRect(x: -10, y: -10, width: 20, height: 20)))
    let corner = CGMutablePath()
    corner.move(to: CGPoint(x: 0, y: 0))
    corner.addArc(tangent1End: CGPoint(x: 10, y: 0), tangent2End: CGPoint(x: 10, y: 10), radius: 4)
    #expect(abs(corner.currentPoint.x - 10) < 1e-9 && abs(corner.currentPoint.y - 4) < 1e-9)
    #expect(near(corner.boundingBoxOfPath, CGRect(x: 0, y: 0, width: 10, height: 4)))
  }

  @Test func curves_haveTheirBounds() {
    let path = CGMutablePath()
    path.move(to: .zero)
    path.addQuadCurve(to: CGPoint(x: 10, y: 0), control: CGPoint(x: 5, y: 10))
    #expect(near(path.boundingBoxOfPath, CGRect(x: 0, y: 0, width: 10, height: 5)))
    #expect(path.boundingBox == CGRect(x: 0, y: 0, width: 10, height: 10))
    path.addCurve(to: .zero, control1: CGPoint(x: 10, y: -8), control2: CGPoint(x: 0, y: -8))
    #expect(near(path.boundingBoxOfPath, CGRect(x: 0, y: -6, width: 10, height: 11)))
    #expect(path.contains(CGPoint(x: 5, y: 4.5)) && !path.contains(CGPoint(x: 5, y: 5.5)))
  }

  /// A square in a square is a hole by odd numbers only.
  @Test func rules_differ() {
    let path = CGMutablePath()
    path.addRects([CGRect(x: 0, y: 0, width: 9, height: 9), CGRect(x: 3, y: 3, width: 3, height: 3)])
    #expect(path.contains(CGPoint(x: 4, y: 4)) && !path.contains(CGPoint(x: 4, y: 4), using: .evenOdd))
    let copy = path.copy()
    path.closeSubpath()
    #expect(copy != path && copy == copy?.mutableCopy() && copy?.hashValue == copy?.mutableCopy()?.hashValue)
  }

  /// Paths may be sent to other threads, and so may those that change.
  @Test func path_takesPartsFromManyThreads() async {
    let path = CGMutablePath()
    await withTaskGroup(of: Void.self) { group in
      for column in 0..<4 {
        group.addTask {
          for row in 0..<250 { path.addRect(CGRect(x: column, y: row, width: 1, height: 1)) }
        }
      }
    }
    var count = 0
    path.applyWithBlock { _ in count += 1 }
    #expect(count == 4 * 250 * 5 && path.boundingBox == CGRect(x: 0, y: 0, width: 4, height: 250))
  }
}
