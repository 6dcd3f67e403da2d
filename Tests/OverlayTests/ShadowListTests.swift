import CompositorAPI
import CompositorOverlay
import Foundation
import Testing

/// Several shadows, inner shadows and glows, against sums in double precision.
struct ShadowListTests {
  private static let size = PixelSize(width: 160, height: 120)
  private static let box = Rect(x: 50, y: 40, width: 60, height: 40)

  private static func draw(over gray: Double = 0, _ layer: Layer) throws -> [[Int]] {
    var ground = Canvas.box(Rect(x: 0, y: 0, width: 160, height: 120), Color(red: gray, green: gray, blue: gray))
    ground.name = "ground"
    return Canvas.samples(
      try Canvas.draw([ground, layer], over: Canvas.frame(size, .rgba16, FrameAttributes(color: .sRGB))), plane: 0)
  }

  private static func boxed(_ shadows: [LayerShadow], _ color: Color = .white) -> Layer {
    var layer = Canvas.box(box, color)
    layer.shadows = shadows
    return layer
  }

  /// The coverage of the box, displaced and blurred by a Gaussian.
  private static func coverage(_ x: Int, _ y: Int, dx: Int, dy: Int, sigma: Double) -> Double {
    func part(_ at: Int, _ low: Int, _ high: Int) -> Double {
      guard sigma > 0 else { return (low..<high).contains(at) ? 1 : 0 }
      let reach = Int(6 * sigma) + 2
      let weights = (-reach...reach).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
      let sum = weights.reduce(0, +)
      return weights.enumerated().reduce(0) { (low..<high).contains(at + $1.offset - reach) ? $0 + $1.element / sum : $0 }
    }
    return part(x, 50 + dx, 110 + dx) * part(y, 40 + dy, 80 + dy)
  }

  private static func worst(_ samples: [[Int]], _ expected: (_ x: Int, _ y: Int) -> [Double]) -> Double {
    var worst = 0.0
    for y in 0..<size.height {
      for x in 0..<size.width {
        for (part, value) in expected(x, y).enumerated() {
          worst = max(worst, abs(Double(samples[y][4 * x + part]) / 257 - 255 * value))
        }
      }
    }
    return worst
  }

  @Test func shadows_lieAboveOneAnother_theFirstInFront() throws {
    let layer = Self.boxed([
      LayerShadow(Color(red: 1, green: 0, blue: 0), opacity: 0.5, offset: Point(x: 6, y: 3), radius: 4),
      LayerShadow(Color(red: 0, green: 0, blue: 1), offset: Point(x: -9, y: 8), radius: 2),
    ])
    let samples = try Self.draw(over: 0.5, layer)
    let worst = Self.worst(samples) { x, y in
      let (first, second) = (
        Self.coverage(x, y, dx: 6, dy: 3, sigma: 4) * 0.5, Self.coverage(x, y, dx: -9, dy: 8, sigma: 2)
      )
      let inside = Self.coverage(x, y, dx: 0, dy: 0, sigma: 0)
      func mixed(_ ground: Double, _ red: Double, _ blue: Double) -> Double {
        let behind = ground * (1 - second) + blue * second
        return (behind * (1 - first) + red * first) * (1 - inside) + inside
      }
      return [mixed(0.5, 1, 0), mixed(0.5, 0, 0), mixed(0.5, 0, 1)]
    }
    #expect(worst < 1.5, "\(worst) codes")
  }

  /// The shadow of the single keys is the first of the list.
  @Test func shadowOfKeys_isTheFirst() throws {
    let listed = Self.boxed([
      LayerShadow(Color(red: 1, green: 0, blue: 0), opacity: 0.7, offset: Point(x: 5, y: 5), radius: 3),
      LayerShadow(Color(red: 0, green: 1, blue: 0), offset: Point(x: -5, y: 5), radius: 3),
    ])
    var keyed = Self.boxed([LayerShadow(Color(red: 0, green: 1, blue: 0), offset: Point(x: -5, y: 5), radius: 3)])
    keyed.shadowColor = Color(red: 1, green: 0, blue: 0)
    (keyed.shadowOpacity, keyed.shadowOffset, keyed.shadowRadius) = (0.7, Point(x: 5, y: 5), 3)
    #expect(try Self.draw(over: 0.3, keyed) == Self.draw(over: 0.3, listed))
  }

  @Test(arguments: [0.0, 1.5, 5]) func innerShadow_fallsIntoTheLayerOnly(sigma: Double) throws {
    let layer = Self.boxed([LayerShadow(.black, opacity: 0.8, offset: Point(x: 4, y: -7), radius: sigma, isInner: true)])
    let worst = Self.worst(try Self.draw(over: 0.25, layer)) { x, y in
      guard Self.coverage(x, y, dx: 0, dy: 0, sigma: 0) > 0 else { return [0.25] }
      return [1 - 0.8 * (1 - Self.coverage(x, y, dx: 4, dy: -7, sigma: sigma))]
    }
    #expect(worst < 1.5, "\(worst) codes")
  }

  /// As in CSS, the box is the shape, however little its background covers: the edge of glass.
  @Test(arguments: [0.0, 0.15, 0.6]) func innerShadow_ofATransparentBox_isThatOfTheBox(alpha: Double) throws {
    let layer = Self.boxed(
      [LayerShadow(.white, opacity: 0.5, radius: 3, isInner: true)], Color(red: 0, green: 0, blue: 1, alpha: alpha))
    let worst = Self.worst(try Self.draw(over: 0.25, layer)) { x, y in
      guard Self.coverage(x, y, dx: 0, dy: 0, sigma: 0) > 0 else { return [0.25, 0.25, 0.25] }
      let share = 0.5 * (1 - Self.coverage(x, y, dx: 0, dy: 0, sigma: 3))
      return [0.0, 0, 1].map { (0.25 * (1 - alpha) + $0 * alpha) * (1 - share) + share }
    }
    #expect(worst < 1.5, "\(worst) codes")
  }

  /// Of a layer that is half outside the canvas, the shadow is that of the whole layer.
  @Test func innerShadow_atTheEdgeOfTheCanvas_isThatOfTheWholeLayer() throws {
    func row(x: Double) throws -> [Int] {
      var layer = Canvas.box(Rect(x: x, y: 40, width: 60, height: 40))
      layer.shadows = [LayerShadow(.black, radius: 6, isInner: true)]
      layer.position.x += 0
      return try Self.draw(layer)[60]
    }
    let (whole, cut) = (try row(x: 50), try row(x: -30))
    #expect(Array(cut[0..<4 * 30]) == Array(whole[4 * 80..<4 * 110]))
  }

  /// The picture and its blurred light, added, at most white; over the ground by its alpha.
  @Test(arguments: [(3.0, 1.0), (8, 0.5), (14, 1.7)]) func glow_addsTheBlurredLight(radius: Double, intensity: Double) throws {
    var layer = Self.boxed([], Color(red: 0.6, green: 0.2, blue: 0))
    (layer.filters.glowRadius, layer.filters.glowIntensity) = (radius, intensity)
    let worst = Self.worst(try Self.draw(over: 0.2, layer)) { x, y in
      let light = Self.coverage(x, y, dx: 0, dy: 0, sigma: radius) * intensity
      let inside = Self.coverage(x, y, dx: 0, dy: 0, sigma: 0)
      let alpha = min(inside + light, 1)
      return [0.6, 0.2, 0].map { min((inside + light) * $0, alpha) + 0.2 * (1 - alpha) }
    }
    #expect(worst < 2, "\(worst) codes")
  }

  @Test func animatedGlow_atATime_isTheStillOne() throws {
    var animated = Self.boxed([])
    animated.filters.glowIntensity = 0.5
    animated.animations = [.basic(.glowRadius, from: 0, to: 10, timing: LayerTiming(duration: 1, fillMode: .both))]
    var still = Self.boxed([])
    (still.filters.glowRadius, still.filters.glowIntensity) = (5, 0.5)
    let canvas = try Canvas.frame(Self.size, .rgba16, FrameAttributes(color: .sRGB))
    let (moving, fixed) = (
      Canvas.samples(try Canvas.draw([animated], over: canvas, at: 0.5), plane: 0),
      Canvas.samples(try Canvas.draw([still], over: canvas), plane: 0)
    )
    for (row, other) in zip(moving, fixed) { #expect(zip(row, other).allSatisfy { abs($0 - $1) <= 2 }) }
  }

  @Test func shadowsThatCannotBeDrawn_areRefused() throws {
    for shadow in [
      LayerShadow(radius: -1), LayerShadow(radius: .nan), LayerShadow(opacity: .infinity),
      LayerShadow(offset: Point(x: .nan, y: 0)), LayerShadow(Color(red: .nan, green: 0, blue: 0)),
    ] {
      #expect(throws: CompositorError.self) { try Self.draw(Self.boxed([shadow])) }
    }
  }
}
