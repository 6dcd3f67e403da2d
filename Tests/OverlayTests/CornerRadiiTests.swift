import CompositorAPI
import CompositorOverlay
import Foundation
import Testing

/// Corners of different radii.
struct CornerRadiiTests {
  /// Radii that don't fit are reduced by one factor, as in CSS.
  @Test(arguments: [
    ([10, 20, 30, 40], [10, 20, 30, 40]), ([100, 0, 0, 0], [60, 0, 0, 0]), ([80, 80, 0, 0], [50, 50, 0, 0]),
    ([60, 60, 60, 0], [30, 30, 30, 0]), ([-5, 10, 0, 0], [0, 10, 0, 0]),
  ])
  func radii_fitTheBox(_ given: [Double], _ expected: [Double]) {
    let radii = CornerRadii(topLeft: given[0], topRight: given[1], bottomRight: given[2], bottomLeft: given[3])
    let fitted = radii.fitting(Size(width: 100, height: 60))
    let found = [fitted.topLeft, fitted.topRight, fitted.bottomRight, fitted.bottomLeft]
    #expect(zip(found, expected).allSatisfy { abs($0 - $1) < 1e-9 })
  }

  @Test func equalRadii_areThePathOfOne() {
    let rect = Rect(x: 3, y: 4, width: 90, height: 50)
    #expect(ShapePath.roundedRectangle(rect, radii: CornerRadii(all: 12)) == .roundedRectangle(rect, radius: 12))
    var layer = Layer(frame: rect)
    layer.backgroundColor = .white
    layer.cornerRadius = 12
    let plain = layer
    layer.cornerRadii = CornerRadii(all: 12)
    #expect(layer.shownRadii == plain.shownRadii)
  }

  /// The coverage of each corner is that of a quarter of a circle of its radius: of the box, 1 - π/4 of the square is missing.
  @Test func drawnCorners_haveTheirRadii() throws {
    var layer = Layer(frame: Rect(x: 20, y: 10, width: 120, height: 80))
    layer.backgroundColor = .white
    layer.cornerRadii = CornerRadii(topLeft: 40, topRight: 0, bottomRight: 20, bottomLeft: 10)
    let drawn = try Canvas.draw([layer], over: Canvas.frame(PixelSize(width: 160, height: 100)))
    let luma = Canvas.samples(drawn, plane: 0)
    for (x, y, side) in [(20, 10, 40.0), (100, 10, 0), (120, 70, 20.0), (20, 80, 10.0)] {
      let square = max(Int(side), 10)
      var missing = 0.0
      for row in y..<min(y + square, 90) {
        for column in x..<min(x + square, 140) { missing += 1 - Double(luma[row][column] - 16) / 219 }
      }
      #expect(abs(missing - (1 - .pi / 4) * side * side) < 0.02 * side * side + 0.5, "\(x) \(y): \(missing)")
    }
  }

  @Test func radii_areAnimatedAndEncoded() throws {
    var layer = Layer(frame: Rect(x: 0, y: 0, width: 100, height: 100))
    layer.backgroundColor = .white
    layer.cornerRadii = CornerRadii(topLeft: 10)
    #expect(try JSONDecoder().decode(Layer.self, from: JSONEncoder().encode(layer)) == layer)
    layer.animations = [
      .basic(.cornerRadii, from: .numbers([0, 0, 0, 0]), to: .numbers([20, 10, 0, 40]), timing: LayerTiming(duration: 2))
    ]
    let node = try LayerLayoutTests.evaluate(layer, canvas: Size(width: 200, height: 200), at: 1)
    #expect(node.layer.cornerRadii == CornerRadii(topLeft: 10, topRight: 5, bottomLeft: 20))
  }
}
