import CompositorAPI
import CompositorOverlay
import Foundation
import Testing

/// Layers that lean.
struct SkewTests {
  private static func box(_ change: (inout LayerTransform) -> Void) -> Layer {
    var layer = Layer(frame: Rect(x: 40, y: 60, width: 100, height: 50))
    layer.backgroundColor = .white
    change(&layer.transform)
    return layer
  }

  private static func corners(_ layer: Layer, at time: Double = 0) throws -> [Point] {
    let node = try LayerLayoutTests.evaluate(layer, canvas: Size(width: 640, height: 360), at: time)
    return [Point(x: 0, y: 0), Point(x: 100, y: 0), Point(x: 100, y: 50), Point(x: 0, y: 50)].map(node.matrix.apply)
  }

  private static func isNear(_ left: [Point], _ right: [Point], within limit: Double = 1e-9) -> Bool {
    zip(left, right).allSatisfy { abs($0.x - $1.x) <= limit && abs($0.y - $1.y) <= limit }
  }

  @Test func skew_leansAboutTheAnchor() throws {
    let lean = 25 * tan(Double.pi / 6)
    #expect(
      Self.isNear(
        try Self.corners(Self.box { $0.skewX = .pi / 6 }),
        [Point(x: 40 - lean, y: 60), Point(x: 140 - lean, y: 60), Point(x: 140 + lean, y: 110), Point(x: 40 + lean, y: 110)]))
    let drop = 50 * tan(0.2)
    #expect(
      Self.isNear(
        try Self.corners(Self.box { $0.skewY = 0.2 }),
        [Point(x: 40, y: 60 - drop), Point(x: 140, y: 60 + drop), Point(x: 140, y: 110 + drop), Point(x: 40, y: 110 - drop)]))
  }

  @Test func skew_isAnimated() throws {
    var layer = Self.box { _ in }
    layer.animations = [.basic(.skewX, from: 0, to: 0.5, timing: LayerTiming(duration: 2))]
    #expect(
      Self.isNear(try Self.corners(layer, at: 1), try Self.corners(Self.box { $0.skewX = 0.25 })))
  }

  /// A layer that leans by a quarter turn has no end: the error names the angle, and any other angle is drawn.
  @Test(arguments: [(90.0, true), (-90, true), (270, true), (89.99, false), (180, false)])
  func skew_byAQuarterTurn_isRefused(_ degrees: Double, _ isRefused: Bool) throws {
    let layers = [
      ("transform.skewX", Self.box { $0.skewX = degrees * .pi / 180 }),
      ("transform.skewY", Self.box { $0.skewY = degrees * .pi / 180 }),
    ]
    for (key, layer) in layers {
      guard isRefused else {
        try layer.requireDrawable()
        continue
      }
      let error = #expect(throws: CompositorError.self) { try layer.requireDrawable() }
      #expect(
        error?.message.contains("leans by \(Int(degrees)) degrees") == true && error?.location.path == key,
        "\(String(describing: error))")
    }
  }

  /// After the scale, before the rotation, as in `transform: rotate(…) skew(…) scale(…)` of CSS.
  @Test(.enabled(if: BrowserLayoutTests.browser != nil, "Chromium is not installed"))
  func skew_isThatOfABrowser() throws {
    var numbers = Numbers()
    func random(_ range: ClosedRange<Double>) -> Double { (Double.random(in: range, using: &numbers) * 100).rounded() / 100 }
    let cases = (0..<40).map { _ in (random(-60...60), random(-60...60), random(-170...170), random(0.3...2), random(0.3...2)) }
    let boxes = cases.map { x, y, turn, wide, high in
      let transform = "rotate(\(turn)deg) skew(\(x)deg, \(y)deg) scale(\(wide), \(high))"
      return "<div style=\"position:absolute;left:40px;top:60px;width:100px;height:50px;transform:\(transform)\"></div>"
    }
    let found = try BrowserLayoutTests.rectangles(
      of: """
        <!doctype html><body>\(boxes.joined())<pre></pre><script>
        document.querySelector("pre").textContent = "[[" + [...document.querySelectorAll("div")].map((child) => {
          const box = child.getBoundingClientRect()
          return [box.x, box.y, box.width, box.height].map((value) => value.toFixed(6))
        }).join("],[") + "]]"
        </script>
        """)
    try #require(found.count == cases.count)
    for ((x, y, turn, wide, high), theirs) in zip(cases, found) {
      let layer = Self.box {
        ($0.skewX, $0.skewY, $0.rotationZ) = (x * .pi / 180, y * .pi / 180, turn * .pi / 180)
        ($0.scaleX, $0.scaleY) = (wide, high)
      }
      let points = try Self.corners(layer)
      let (xs, ys) = (points.map(\.x).sorted(), points.map(\.y).sorted())
      let ours = Rect(x: xs[0], y: ys[0], width: xs[3] - xs[0], height: ys[3] - ys[0])
      #expect(LayerLayoutTests.isNear(ours, theirs, within: 0.05), "\(x) \(y) \(turn) \(wide) \(high): \(ours), not \(theirs)")
    }
  }
}
