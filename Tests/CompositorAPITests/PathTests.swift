import CompositorAPI
import Foundation
import Testing

/// Shapes, arcs, and motion along them, against analytic curves.
struct PathTests {
  typealias Curve = (p0: Point, p1: Point, p2: Point, p3: Point)

  static let curves: [Curve] = [
    (Point(x: 0, y: 0), Point(x: 0, y: 400), Point(x: 700, y: -300), Point(x: 900, y: 100)),
    (Point(x: 10, y: 500), Point(x: 900, y: 500), Point(x: -500, y: 20), Point(x: 700, y: 40)),
    // A cusp, a loop, handles of no length at one end, at the other, at both.
    (Point(x: 0, y: 0), Point(x: 300, y: 300), Point(x: 0, y: 300), Point(x: 300, y: 0)),
    (Point(x: 0, y: 0), Point(x: 600, y: 400), Point(x: -300, y: 400), Point(x: 300, y: 0)),
    (Point(x: 0, y: 0), Point(x: 0, y: 0), Point(x: 200, y: 300), Point(x: 500, y: 0)),
    (Point(x: 0, y: 0), Point(x: 200, y: 300), Point(x: 500, y: 0), Point(x: 500, y: 0)),
    (Point(x: 0, y: 0), Point(x: 0, y: 0), Point(x: 500, y: 200), Point(x: 500, y: 200)),
    (Point(x: 0, y: 0), Point(x: 0, y: 0), Point(x: 0, y: 0), Point(x: 500, y: 200)),
  ]

  private static func value(_ c: Curve, _ t: Double) -> Point {
    let u = 1 - t
    func mix(_ a: Double, _ b: Double, _ c: Double, _ d: Double) -> Double {
      u * u * u * a + 3 * u * u * t * b + 3 * u * t * t * c + t * t * t * d
    }
    return Point(x: mix(c.p0.x, c.p1.x, c.p2.x, c.p3.x), y: mix(c.p0.y, c.p1.y, c.p2.y, c.p3.y))
  }

  private static func path(_ c: Curve) -> ShapePath {
    var path = ShapePath()
    path.move(to: c.p0)
    path.curve(to: c.p3, control1: c.p1, control2: c.p2)
    return path
  }

  private static func degrees(_ a: Double, _ b: Double) -> Double {
    abs(remainder(a - b, 2 * .pi)) * 180 / .pi
  }

  /// Arc lengths at 200,000 parameters, by chords.
  private static func table(_ c: Curve) -> [Double] {
    var sums = [0.0]
    var last = c.p0
    for index in 1...200_000 {
      let next = value(c, Double(index) / 200_000)
      sums.append((sums.last ?? 0) + hypot(next.x - last.x, next.y - last.y))
      last = next
    }
    return sums
  }

  @Test(arguments: curves.indices) func place_followsTheCurveAndItsTangentAtEveryFrame(index: Int) throws {
    let curve = Self.curves[index]
    let (measured, table) = (MeasuredPath(Self.path(curve)), Self.table(curve))
    let total = try #require(table.last)
    #expect(abs(measured.length - total) < total * 1e-7)
    var (worst, far, at) = (0.0, 0.0, 0)
    for frame in 0...3000 {
      let distance = total * Double(frame) / 3000
      while at < 200_000, table[at] < distance { at += 1 }
      let place = try #require(measured.place(at: distance))
      let true_ = Self.value(curve, Double(at) / 200_000)
      far = max(far, hypot(place.point.x - true_.x, place.point.y - true_.y))
      guard at > 2, at < 199_998 else { continue }
      let (before, after) = (Self.value(curve, Double(at - 1) / 200_000), Self.value(curve, Double(at + 1) / 200_000))
      // At the tip of a cusp there is no tangent.
      guard hypot(after.x - before.x, after.y - before.y) > 1e-3 else { continue }
      worst = max(worst, Self.degrees(place.angle, atan2(after.y - before.y, after.x - before.x)))
    }
    #expect(worst < 0.2, "\(worst) degrees")
    #expect(far < 0.02, "\(far) pixels")
  }

  @Test func ends_withHandlesOfNoLength_pointAlongTheCurve() throws {
    for curve in Self.curves.dropFirst(4) {
      let measured = MeasuredPath(Self.path(curve))
      let (start, end) = (try #require(measured.place(at: 0)), try #require(measured.place(at: measured.length)))
      let (early, late) = (Self.value(curve, 1e-5), Self.value(curve, 1 - 1e-5))
      #expect(Self.degrees(start.angle, atan2(early.y - curve.p0.y, early.x - curve.p0.x)) < 0.2)
      #expect(Self.degrees(end.angle, atan2(curve.p3.y - late.y, curve.p3.x - late.x)) < 0.2)
    }
  }

  @Test func slowMotion_turnsAtEveryFrame() throws {
    let measured = MeasuredPath(.arc(center: .zero, radius: 300, start: 0, end: .pi / 2))
    var last = -1.0
    for frame in 0...600 {
      let place = try #require(measured.place(at: measured.length * Double(frame) / 600))
      let angle = .pi / 2 + .pi / 2 * Double(frame) / 600
      #expect(Self.degrees(place.angle, angle) < 0.01)
      #expect(abs(hypot(place.point.x, place.point.y) - 300) < 0.002)
      #expect(place.angle > last)
      last = place.angle
    }
  }

  @Test func corners_closedPathsAndStepsOfNoLength_haveTheDirectionOfWhatFollows() throws {
    let measured = MeasuredPath(try ShapePath(svg: "M0 0 L100 0 L100 0 L100 100 C100 100 100 100 100 100 L0 100 L0 0 Z"))
    #expect(measured.length == 400 && measured.stepDistances == [0, 100, 100, 200, 200, 300, 400, 400])
    let expected = [(0.0, 0.0), (50, 0), (100, 90), (150, 90), (200, 180), (300, -90), (400, -90)]
    for (distance, angle) in expected {
      let place = try #require(measured.place(at: distance))
      #expect(Self.degrees(place.angle, angle * .pi / 180) < 1e-9, "\(distance)")
    }
    #expect(measured.place(at: 400)?.point == .zero)
    #expect(MeasuredPath(try ShapePath(svg: "M3 4")).place(at: 0)?.point == Point(x: 3, y: 4))
    #expect(MeasuredPath(ShapePath()).place(at: 0) == nil)
  }

  /// Paths with arcs, the points on them that SVG's center parameterization gives, and their ends.
  @Test func arcs_ofSVG_runThroughTheirEllipse() throws {
    for (large, sweep) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
      for turn in [0.0, 30, 75] {
        let path = try ShapePath(svg: "M 20 30 A 50 30 \(turn) \(large) \(sweep) 70 60")
        #expect(path.coordinates.suffix(2) == [70, 60])
        let measured = MeasuredPath(path)
        // Every point is at the same distance from one center, in units of the radii.
        let turned = path.applying(.rotation(radians: -turn * .pi / 180)).applying(.scale(x: 1, y: 50.0 / 30))
        let circle = MeasuredPath(turned)
        let points = try (0...40).map { try #require(circle.place(at: circle.length * Double($0) / 40)).point }
        let center = Self.center(points[0], points[13], points[29])
        for point in points { #expect(abs(hypot(point.x - center.x, point.y - center.y) - 50) < 0.001) }
        #expect((circle.length > 50 * .pi) == (large == 1))
        let cross = (points[1].x - center.x) * (points[0].y - center.y) - (points[1].y - center.y) * (points[0].x - center.x)
        #expect((cross < 0) == (sweep == 1), "clockwise where y points down")
        #expect(measured.length > 0)
      }
    }
  }

  private static func center(_ a: Point, _ b: Point, _ c: Point) -> Point {
    let d = 2 * (a.x * (b.y - c.y) + b.x * (c.y - a.y) + c.x * (a.y - b.y))
    let (a2, b2, c2) = (a.x * a.x + a.y * a.y, b.x * b.x + b.y * b.y, c.x * c.x + c.y * c.y)
    return Point(
      x: (a2 * (b.y - c.y) + b2 * (c.y - a.y) + c2 * (a.y - b.y)) / d,
      y: (a2 * (c.x - b.x) + b2 * (a.x - c.x) + c2 * (b.x - a.x)) / d)
  }

  @Test func arcs_atTheirLimits_followTheNotesOfSVG() throws {
    // Flags need no separators; radii that are too small grow; a radius of 0 is a line; to the same point is nothing.
    let compact = try ShapePath(svg: "M0 0a1 1 0 00.5.5")
    #expect(compact == (try ShapePath(svg: "M 0 0 A 1 1 0 0 0 0.5 0.5")))
    #expect(compact.coordinates.suffix(2) == [0.5, 0.5])
    let grown = try ShapePath(svg: "M 0 0 A 1 1 0 0 1 100 0")
    #expect(abs(MeasuredPath(grown).length - 50 * .pi) < 0.01 && abs(grown.controlBounds.minY + 50) < 4)
    #expect(try ShapePath(svg: "M 0 0 A 0 9 0 0 1 100 0") == ShapePath(svg: "M 0 0 L 100 0"))
    #expect(try ShapePath(svg: "M 5 5 A 9 9 0 1 1 5 5") == ShapePath(svg: "M 5 5"))
    #expect(try ShapePath(svg: "M 0 0 A -9 9 0 0 1 9 9") == ShapePath(svg: "M 0 0 A 9 9 0 0 1 9 9"))
    // Several arcs under one letter, then another command from where they end.
    let several = try ShapePath(svg: "M 0 0 a 5 5 0 1 1 10 0 5 5 0 0 1 0 10 l 1 1")
    #expect(several.coordinates.suffix(2) == [11, 11])
    for wrong in ["M 0 0 A 1 1 0 2 0 5 5", "M 0 0 A 1 1 0 0 5 5", "A", "M 0 0 A 1 1 0 x 0 1 1"] {
      #expect(throws: CompositorError.self) { try ShapePath(svg: wrong) }
    }
  }

  @Test func shapes_asObjects_areThePathsOfTheirBuilders() throws {
    func read(_ json: String) throws -> ShapePath { try JSONDecoder().decode(ShapePath.self, from: Data(json.utf8)) }
    let center = Point(x: 10, y: 20)
    #expect(try read(#"{"circle":{"center":[10,20],"radius":5}}"#) == .circle(center: center, radius: 5))
    #expect(
      try read(#"{"ellipse":{"center":{"x":10,"y":20},"radiusX":5,"radiusY":2}}"#)
        == .ellipse(center: center, radiusX: 5, radiusY: 2))
    #expect(
      try read(#"{"rect":{"x":1,"y":2,"width":30,"height":40,"cornerRadius":4}}"#)
        == .roundedRectangle(Rect(x: 1, y: 2, width: 30, height: 40), radius: 4))
    #expect(try read(#"{"polygon":{"points":[[0,0],[9,0],[0,9]]}}"#) == ShapePath(svg: "M0 0L9 0L0 9Z"))
    #expect(try read(#"{"polygon":{"center":[10,20],"radius":5,"sides":6}}"#).steps.count == 7)
    #expect(
      try read(#"{"arc":{"center":[10,20],"radius":5,"start":0,"end":1}}"#)
        == .arc(center: center, radius: 5, start: 0, end: 1))
    for wrong in ["{}", #"{"circle":{"radius":5}}"#, #"{"polygon":{"radius":5}}"#, #"{"star":{}}"#, "5"] {
      #expect(throws: (any Error).self) { try read(wrong) }
    }
    let circle = ShapePath.circle(center: center, radius: 100)
    #expect(circle.steps.last == .close && Array(circle.coordinates[..<2]) == Array(circle.coordinates.suffix(2)))
    #expect(abs(MeasuredPath(circle).length - 200 * .pi) < 0.002)
    #expect(abs(MeasuredPath(.arc(center: .zero, radius: 1, start: 0, end: 4 * .pi)).length - 4 * .pi) < 1e-4)
  }
}
