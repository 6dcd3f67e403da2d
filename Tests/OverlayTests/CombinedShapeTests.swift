import CompositorAPI
import CompositorOverlay
import Testing

/// Combined paths, drawn: their fills have no seams, and their strokes follow the outline of the whole.
struct CombinedShapeTests {
  private static func rect(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> ShapePath {
    .rectangle(Rect(x: x, y: y, width: width, height: height))
  }

  /// The light of the samples of a white shape over black, 0 … 1.
  private static func light(_ path: ShapePath, _ change: (inout ShapeContent) -> Void = { _ in }) throws -> [[Double]] {
    var shape = ShapeContent(path, fill: .white)
    change(&shape)
    let layer = Layer(frame: Rect(x: 0, y: 0, width: 96, height: 72), content: .shape(shape))
    return Canvas.samples(try LayerContentTests.draw(layer), plane: 0).map { row in row.map { Double($0 - 16) / 219 } }
  }

  private static func stroked(_ shape: inout ShapeContent) {
    (shape.fillColor, shape.strokeColor, shape.lineWidth) = (nil, .white, 4)
  }

  private static func largest(_ one: [[Double]], _ other: [[Double]]) -> Double {
    zip(one.joined(), other.joined()).map { abs($0 - $1) }.max() ?? 0
  }

  /// Two halves that meet between pixels are one rectangle. Drawn over each other, they would show a line.
  @Test func union_hasNoSeam() throws {
    let halves = [Self.rect(10, 10, 20.3, 40), Self.rect(30.3, 10, 30.7, 40)]
    let whole = Self.rect(10, 10, 51, 40)
    let union = try ShapePath.combined(halves, by: .union)
    #expect(try Self.largest(Self.light(union), Self.light(whole)) < 0.005)
    #expect(try Self.largest(Self.light(union, Self.stroked), Self.light(whole, Self.stroked)) < 0.005)
  }

  /// Curves are divided finely enough for their lines not to be seen: coverage is that of a true circle and ring.
  @Test func circle_isRound() throws {
    let (x, y, radius) = (48.3, 36.6, 29.7)
    let circle = try ShapePath.combined([.circle(center: Point(x: x, y: y), radius: radius)], by: .union)
    #expect(circle.steps.allSatisfy { $0 != .curve })
    func covered(_ distances: ClosedRange<Double>) -> [[Double]] {
      (0..<72).map { row in
        (0..<96).map { column in
          let inside = (0..<256).count { step in
            let (dx, dy) = (Double(step % 16) + 0.5, Double(step / 16) + 0.5)
            let (left, top) = (Double(column) + dx / 16 - x, Double(row) + dy / 16 - y)
            return distances.contains((left * left + top * top).squareRoot())
          }
          return Double(inside) / 256
        }
      }
    }
    // The rasterizer's own grid has 15 rows to a pixel.
    #expect(try Self.largest(Self.light(circle), covered(0...radius)) < 0.05)
    #expect(try Self.largest(Self.light(circle, Self.stroked), covered(radius - 2...radius + 2)) < 0.05)
  }

  @Test func difference_isAHoleWithEitherFillRule() throws {
    let frame = try ShapePath.combined([Self.rect(10, 10, 60, 50), Self.rect(25, 25, 30, 20)], by: .difference)
    for rule in [FillRule.nonZero, .evenOdd] {
      let found = try Self.light(frame) { $0.fillRule = rule }
      #expect(found[12][12] > 0.99 && found[35][40] == 0 && found[50][60] > 0.99)
    }
    let stroke = try Self.light(frame, Self.stroked)
    #expect(stroke[10][40] > 0.99 && stroke[25][40] > 0.99 && stroke[35][40] == 0 && stroke[18][40] == 0)
  }

  /// The stroke of a cross doesn't run through its middle.
  @Test func union_isStrokedAroundItsOutside() throws {
    let cross = try ShapePath.combined([Self.rect(40, 5, 16, 60), Self.rect(10, 27, 76, 16)], by: .union)
    #expect(cross.steps.count { $0 != .close } == 12)
    let stroke = try Self.light(cross, Self.stroked)
    #expect(stroke[35][40] == 0 && stroke[27][48] == 0 && stroke[5][48] > 0.99 && stroke[27][20] > 0.99)
  }
}
