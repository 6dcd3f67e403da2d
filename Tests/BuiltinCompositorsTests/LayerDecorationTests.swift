import BuiltinCompositors
import CompositorAPI
import Foundation
import Testing

/// Round corners, borders and shadows of layers, against shapes sampled 16 × 16 times in each pixel.
struct LayerDecorationTests {
  static let canvas = PixelSize(width: 120, height: 90)
  static let source = PixelSize(width: 60, height: 40)

  static let transforms: [(name: String, matrix: AffineMatrix)] = [
    ("whole pixels", .translation(x: 20, y: 15)), ("between pixels", .translation(x: 20.3, y: 15.75)),
    ("larger", AffineMatrix.scale(x: 1.5, y: 1.5).concatenating(.translation(x: 10, y: 10))),
    ("smaller", AffineMatrix.scale(x: 0.6, y: 0.6).concatenating(.translation(x: 31.2, y: 17.9))),
    ("stretched", AffineMatrix.scale(x: 1.4, y: 0.9).concatenating(.translation(x: 12, y: 20))),
    (
      "turned",
      AffineMatrix.translation(x: -30, y: -20).concatenating(.rotation(radians: 0.4)).concatenating(.translation(x: 60, y: 45))
    ),
  ]

  private func context(_ blending: BlendingSpace = .encoded) -> RenderContext {
    RenderContext(
      size: Self.canvas, outputFormat: .planar(.s444, bitDepth: 16), outputAttributes: FrameAttributes(color: .bt709),
      blending: blending)
  }

  /// The luma of a white picture with a decoration over black, 0 … 1.
  private func frame(
    _ matrix: AffineMatrix, _ look: LayerDecoration?, opacity: Double = 1, aspect: Rational = .one, crop: Rect = .infinite
  ) throws -> [[Double]] {
    try frame(
      matrix, look.map { PropertyTimeline(default: $0) }, at: .zero, opacity: opacity, aspect: aspect, crop: crop)
  }

  private func frame(
    _ matrix: AffineMatrix, _ look: PropertyTimeline<LayerDecoration>?, at time: MediaTime, opacity: Double = 1,
    aspect: Rational = .one, crop: Rect = .infinite
  ) throws -> [[Double]] {
    var source = RenderContext(
      size: Self.source, outputFormat: .planar(.s444, bitDepth: 16), outputAttributes: FrameAttributes(color: .bt709))
    source.outputAttributes.pixelAspectRatio = aspect
    var layer = LayerInstruction(trackID: 1)
    layer.transform = PropertyTimeline(default: matrix)
    layer.opacity = PropertyTimeline(default: opacity)
    layer.crop = PropertyTimeline(default: crop)
    layer.decoration = look
    let white = SourceFrame(
      trackID: 1, frame: try source.makeFrame(filledWith: .white), presentationTime: .zero, duration: .indefinite,
      requestedTime: .zero)
    let context = context()
    let frame = try LayerCompositor(context: context).compose(
      CompositionRequest(
        time: time, instruction: Instruction(timeRange: TestTimes.second, layers: [layer]), sources: [1: white],
        context: context))
    return (0..<Self.canvas.height).map { y in
      (0..<Self.canvas.width).map { x in (frame.code(0, x, y) / 256 - 16) / 219 }
    }
  }

  /// Means of what `value` says of places of the display space, in each pixel.
  private func sampled(_ matrix: AffineMatrix, _ value: (Point) -> Double) throws -> [[Double]] {
    let inverse = try #require(matrix.inverted)
    return (0..<Self.canvas.height).map { y in
      (0..<Self.canvas.width).map { x in
        var sum = 0.0
        for step in 0..<256 {
          let place = Point(x: Double(x) + (Double(step % 16) + 0.5) / 16, y: Double(y) + (Double(step / 16) + 0.5) / 16)
          sum += value(inverse.apply(to: place))
        }
        return sum / 256
      }
    }
  }

  /// Whether a place is in a rectangle with round corners.
  private func isInside(_ place: Point, _ rect: Rect, radius: Double) -> Bool {
    let r = max(min(radius, rect.size.width / 2, rect.size.height / 2), 0)
    let (cx, cy) = (rect.minX + rect.size.width / 2, rect.minY + rect.size.height / 2)
    let (p, q) = (abs(place.x - cx) - rect.size.width / 2 + r, abs(place.y - cy) - rect.size.height / 2 + r)
    if p > 0, q > 0 { return p * p + q * q <= r * r }
    return p <= r && q <= r
  }

  private func largest(_ a: [[Double]], _ b: [[Double]]) -> Double {
    zip(a, b).map { zip($0, $1).map { abs($0 - $1) }.max() ?? 0 }.max() ?? 0
  }

  private let rect = Rect(x: 0, y: 0, width: 60, height: 40)

  @Test(arguments: transforms.indices) func corners_areThoseOfTheShape(index: Int) throws {
    let matrix = Self.transforms[index].matrix
    for radius in [0.0, 3, 12, 20, 100] {
      var look = LayerDecoration()
      // A border of nothing, so that sharp corners are drawn by the same way.
      (look.cornerRadius, look.borderWidth, look.borderColor) = (radius, radius == 0 ? 4 : 0, .white)
      let expected = try sampled(matrix) { isInside($0, rect, radius: radius) ? 1 : 0 }
      let difference = largest(try frame(matrix, look), expected)
      #expect(difference < 0.09, "\(Self.transforms[index].name), radius \(radius): \(difference)")
    }
  }

  @Test(arguments: transforms.indices) func border_liesInsideTheEdge(index: Int) throws {
    let matrix = Self.transforms[index].matrix
    var look = LayerDecoration()
    (look.cornerRadius, look.borderWidth) = (10, 4)
    look.borderColor = Color(red: 0.4, green: 0.4, blue: 0.4)
    let inner = Rect(x: 4, y: 4, width: 52, height: 32)
    let expected = try sampled(matrix) {
      isInside($0, inner, radius: 6) ? 1 : isInside($0, rect, radius: 10) ? 0.4 : 0
    }
    let difference = largest(try frame(matrix, look), expected)
    #expect(difference < 0.09, "\(Self.transforms[index].name): \(difference)")
  }

  @Test func shadow_isTheBlurredSilhouette() throws {
    for (matrix, scale) in [(AffineMatrix.translation(x: 20, y: 15), 1.0), (Self.transforms[3].matrix, 0.6)] {
      var look = LayerDecoration()
      (look.cornerRadius, look.shadowOpacity, look.shadowRadius) = (8, 0.6, 4)
      (look.shadowOffset, look.shadowColor) = (Point(x: 14, y: 9), .white)
      let shape = try sampled(matrix) { isInside(Point(x: $0.x - 14, y: $0.y - 9), rect, radius: 8) ? 1 : 0 }
      let clip = try sampled(matrix) { isInside($0, rect, radius: 8) ? 1 : 0 }
      let sigma = 4 * scale
      let weights = (-20...20).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
      let sum = weights.reduce(0, +)
      func at(_ plane: [[Double]], _ x: Int, _ y: Int) -> Double {
        plane.indices.contains(y) && plane[y].indices.contains(x) ? plane[y][x] : 0
      }
      let found = try frame(matrix, look)
      for (x, y) in [(85, 40), (90, 60), (60, 62), (75, 70), (50, 60), (70, 45), (66, 44), (30, 58)] {
        var blurred = 0.0
        for dy in -20...20 {
          for dx in -20...20 { blurred += weights[dx + 20] * weights[dy + 20] / (sum * sum) * at(shape, x + dx, y + dy) }
        }
        let over = at(clip, x, y)
        #expect(abs(found[y][x] - (over + (1 - over) * 0.6 * blurred)) < 0.02, "\(x) \(y) at \(scale)")
      }
    }
  }

  /// Picture, border and shadow fade as one.
  @Test func opacity_isThatOfEverythingTogether() throws {
    var look = LayerDecoration()
    (look.cornerRadius, look.borderWidth, look.shadowOpacity, look.shadowColor) = (10, 4, 0.7, .white)
    look.borderColor = Color(red: 0.4, green: 0.4, blue: 0.4)
    let (whole, half) = (try frame(Self.transforms[1].matrix, look), try frame(Self.transforms[1].matrix, look, opacity: 0.5))
    #expect(largest(whole.map { $0.map { $0 / 2 } }, half) < 0.001)
  }

  @Test func crop_andPixelAspect_countBeforeTheShape() throws {
    var look = LayerDecoration()
    look.cornerRadius = 9
    let crop = Rect(x: 16, y: 8, width: 40, height: 24)
    let matrix = AffineMatrix.translation(x: 11, y: 13)
    let found = try frame(matrix, look, aspect: Rational(4, 3), crop: crop)
    let expected = try sampled(matrix) { isInside($0, crop, radius: 9) ? 1 : 0 }
    #expect(largest(found, expected) < 0.09)
  }

  /// At every time a changing decoration is drawn like the constant one that it is then.
  @Test func changes_areDrawnLikeConstants() throws {
    var (start, end) = (LayerDecoration(), LayerDecoration())
    (end.cornerRadius, end.borderWidth, end.borderColor) = (16, 6, Color(red: 0.2, green: 0.4, blue: 0.6, alpha: 0.5))
    (start.shadowOpacity, start.shadowRadius, start.shadowColor, start.shadowOffset) = (0, 1, .white, Point(x: -4, y: 0))
    (end.shadowOpacity, end.shadowRadius, end.shadowOffset) = (0.75, 5, Point(x: 12, y: 8))
    var changing = PropertyTimeline(default: start)
    try changing.setRamp(from: start, to: end, timeRange: TestTimes.second)
    let matrix = Self.transforms[1].matrix
    for (step, timescale) in [(0, 1), (1, 4), (1, 2), (7, 8)] as [(Int64, Int32)] {
      let fraction = Double(step) / Double(timescale)
      let constant = start.interpolated(to: end, fraction: fraction)
      let found = try frame(matrix, changing, at: MediaTime(value: step, timescale: timescale))
      #expect(try found == frame(matrix, constant), "at \(fraction) s")
    }
  }

  @Test func plainDecoration_changesNothing() throws {
    let matrix = Self.transforms[5].matrix
    #expect(try frame(matrix, LayerDecoration()) == frame(matrix, nil))
  }
}
