import CompositorAPI
import Foundation
import CompositorOverlay
import Testing

/// What each kind of content looks like, against arithmetic.
struct LayerContentTests {
  static let size = PixelSize(width: 96, height: 72)

  /// The box of the samples above a code, in pixels.
  static func ink(_ frame: Frame, above code: Int = 40) -> PixelBox {
    var box = PixelBox(x0: .max, y0: .max, x1: 0, y1: 0)
    for (y, row) in Canvas.samples(frame, plane: 0).enumerated() {
      for (x, sample) in row.enumerated() where sample > code {
        box = PixelBox(x0: min(box.x0, x), y0: min(box.y0, y), x1: max(box.x1, x + 1), y1: max(box.y1, y + 1))
      }
    }
    return box
  }

  static func draw(_ layers: Layer..., options: OverlayRenderer.Options = .init()) throws -> Frame {
    try Canvas.draw(layers, over: Canvas.frame(size), options: options)
  }

  /// Light from 0 to 1 of a gray sample at the middle of a pixel.
  static func light(_ frame: Frame, _ x: Int, _ y: Int) -> Double { Double(Canvas.samples(frame, plane: 0)[y][x] - 16) / 219 }

  static func gradient(_ kind: GradientContent.Kind, from start: Point, to end: Point) -> Layer {
    var gradient = GradientContent([.black, .white], kind: kind)
    (gradient.startPoint, gradient.endPoint) = (start, end)
    return Layer(frame: Rect(x: 8, y: 4, width: 64, height: 64), content: .gradient(gradient))
  }

  @Test func axialGradient_isTheShareOfTheWay() throws {
    let frame = try Self.draw(Self.gradient(.axial, from: Point(x: 0, y: 0.5), to: Point(x: 1, y: 0.5)))
    for x in stride(from: 0, to: 64, by: 7) { #expect(abs(Self.light(frame, 8 + x, 30) - (Double(x) + 0.5) / 64) < 0.006) }
  }

  @Test func radialGradient_isTheDistance() throws {
    let frame = try Self.draw(Self.gradient(.radial, from: Point(x: 0.5, y: 0.5), to: Point(x: 1, y: 1)))
    for (x, y) in [(0, 31), (10, 20), (31, 31), (50, 12), (63, 63)] {
      let distance = hypot(Double(x) - 31.5, Double(y) - 31.5) / 32
      #expect(abs(Self.light(frame, 8 + x, 4 + y) - min(distance, 1)) < 0.006)
    }
  }

  @Test func conicGradient_isTheAngleClockwise() throws {
    let frame = try Self.draw(Self.gradient(.conic, from: Point(x: 0.5, y: 0.5), to: Point(x: 1, y: 0.5)))
    for (x, y) in [(60, 45), (40, 60), (10, 50), (3, 20), (31, 2), (55, 10)] {
      let angle = atan2(Double(y) - 31.5, Double(x) - 31.5)
      let share = (angle < 0 ? angle + 2 * .pi : angle) / (2 * .pi)
      #expect(abs(Self.light(frame, 8 + x, 4 + y) - share) < 0.006, "\(x) \(y)")
    }
  }

  /// A picture of 30 × 30: dark at the corners, brighter at the edges, white in the middle.
  static func ninePatch() throws -> OverlayRenderer.Options {
    let parts = [0.2, 0.5, 1.0]
    var tiles: [Layer] = []
    for row in 0..<3 {
      for column in 0..<3 {
        let light = parts[(row == 1 ? 1 : 0) + (column == 1 ? 1 : 0)]
        tiles.append(
          Canvas.box(
            Rect(x: Double(column) * 10, y: Double(row) * 10, width: 10, height: 10),
            Color(red: light, green: light, blue: light, transfer: .bt709)))
      }
    }
    let tags = ColorTags(primaries: .bt709, transfer: .bt709, matrix: .identity, range: .full)
    let attributes = FrameAttributes(color: tags, alphaMode: .straight)
    var options = OverlayRenderer.Options()
    options.images["tile"] = try Canvas.draw(
      tiles, over: Canvas.frame(PixelSize(width: 30, height: 30), .rgba, attributes, color: .clear))
    return options
  }

  @Test func ninePartStretch_keepsCornersAndStretchesTheRest() throws {
    var image = ImageContent("tile")
    image.contentsCenter = Rect(x: 1.0 / 3, y: 1.0 / 3, width: 1.0 / 3, height: 1.0 / 3)
    let frame = try Self.draw(
      Layer(frame: Rect(x: 4, y: 6, width: 80, height: 60), content: .image(image)), options: Self.ninePatch())
    let places: [(x: Int, y: Int, light: Double)] = [
      (5, 5, 0.2), (8, 8, 0.2), (75, 55, 0.2), (71, 51, 0.2), (16, 5, 0.5), (40, 5, 0.5), (60, 55, 0.5), (5, 30, 0.5),
      (75, 20, 0.5), (20, 16, 1), (40, 30, 1), (60, 42, 1),
    ]
    for place in places {
      #expect(abs(Self.light(frame, 4 + place.x, 6 + place.y) - place.light) < 0.03, "\(place)")
    }
    image.contentsCenter = Rect(x: 0, y: 0, width: 1, height: 1)
    let whole = try Self.draw(
      Layer(frame: Rect(x: 4, y: 6, width: 80, height: 60), content: .image(image)), options: Self.ninePatch())
    #expect(abs(Self.light(whole, 4 + 20, 6 + 5) - 0.2) < 0.03, "without it everything stretches")
  }

  @Test(arguments: ContentGravity.allCases) func gravity_putsThePictureWhereItSays(gravity: ContentGravity) throws {
    // The picture is 30 × 30, the bounds 60 × 40 at (10, 10).
    let expected: [ContentGravity: PixelBox] = [
      .resize: PixelBox(x0: 10, y0: 10, x1: 70, y1: 50), .resizeAspect: PixelBox(x0: 20, y0: 10, x1: 60, y1: 50),
      .resizeAspectFill: PixelBox(x0: 10, y0: 0, x1: 70, y1: 60), .center: PixelBox(x0: 25, y0: 15, x1: 55, y1: 45),
      .top: PixelBox(x0: 25, y0: 10, x1: 55, y1: 40), .bottom: PixelBox(x0: 25, y0: 20, x1: 55, y1: 50),
      .left: PixelBox(x0: 10, y0: 15, x1: 40, y1: 45), .right: PixelBox(x0: 40, y0: 15, x1: 70, y1: 45),
      .topLeft: PixelBox(x0: 10, y0: 10, x1: 40, y1: 40), .topRight: PixelBox(x0: 40, y0: 10, x1: 70, y1: 40),
      .bottomLeft: PixelBox(x0: 10, y0: 20, x1: 40, y1: 50), .bottomRight: PixelBox(x0: 40, y0: 20, x1: 70, y1: 50),
    ]
    let layer = Layer(
      frame: Rect(x: 10, y: 10, width: 60, height: 40), content: .image(ImageContent("tile", gravity: gravity)))
    #expect(Self.ink(try Self.draw(layer, options: Self.ninePatch())) == expected[gravity])
  }

  @Test func contentsRect_showsThatPartOnly() throws {
    var image = ImageContent("tile")
    image.contentsRect = Rect(x: 1.0 / 3, y: 1.0 / 3, width: 1.0 / 3, height: 1.0 / 3)
    let frame = try Self.draw(
      Layer(frame: Rect(x: 10, y: 10, width: 40, height: 40), content: .image(image)), options: Self.ninePatch())
    for (x, y) in [(10, 10), (49, 10), (30, 30), (49, 49)] { #expect(Self.light(frame, x, y) > 0.98) }
  }

  @Test func partialStroke_drawsThatPartOfTheLength() throws {
    var path = ShapePath()
    path.move(to: Point(x: 10, y: 20))
    path.line(to: Point(x: 50, y: 20))
    path.line(to: Point(x: 50, y: 60))
    var shape = ShapeContent(path, fill: nil)
    (shape.strokeColor, shape.lineWidth) = (.white, 4)
    func box(_ start: Double, _ end: Double, cap: LineCap = .butt, dash: [Double] = []) throws -> PixelBox {
      (shape.strokeStart, shape.strokeEnd, shape.lineCap, shape.lineDashPattern) = (start, end, cap, dash)
      return Self.ink(try Self.draw(Layer(frame: Rect(x: 0, y: 0, width: 96, height: 72), content: .shape(shape))))
    }
    #expect(try box(0.125, 0.375) == PixelBox(x0: 20, y0: 18, x1: 40, y1: 22))
    #expect(try box(0.75, 1) == PixelBox(x0: 48, y0: 40, x1: 52, y1: 60))
    #expect(try box(0.125, 0.375, cap: .square) == PixelBox(x0: 18, y0: 18, x1: 42, y1: 22))
    #expect(try box(0, 1, dash: [10, 200]) == PixelBox(x0: 10, y0: 18, x1: 20, y1: 22))
  }

  @Test func joinsAndFillRules_lookAsTheyAreCalled() throws {
    var path = ShapePath()
    path.move(to: Point(x: 10, y: 50))
    path.line(to: Point(x: 30, y: 10))
    path.line(to: Point(x: 50, y: 50))
    var shape = ShapeContent(path, fill: nil)
    (shape.strokeColor, shape.lineWidth) = (.white, 10)
    func top(_ join: LineJoin, limit: Double = 10) throws -> Int {
      (shape.lineJoin, shape.miterLimit) = (join, limit)
      return Self.ink(try Self.draw(Layer(frame: Rect(x: 0, y: 0, width: 96, height: 72), content: .shape(shape)))).y0
    }
    // Half the angle at the top has the sine 20/√2000: the miter reaches 5/sin = 11.2 pixels up, beyond the frame.
    #expect(try top(.miter) == 0)
    #expect(try top(.miter, limit: 2) > 6, "cut")
    #expect(try top(.round) == 5)
    #expect(try top(.bevel) > 6)
    var rings = ShapePath.rectangle(Rect(x: 10, y: 10, width: 40, height: 40))
    rings.append(.rectangle(Rect(x: 20, y: 20, width: 20, height: 20)))
    var filled = ShapeContent(rings, fill: .white)
    for (rule, light) in [(FillRule.nonZero, 1.0), (.evenOdd, 0)] {
      filled.fillRule = rule
      let frame = try Self.draw(Layer(frame: Rect(x: 0, y: 0, width: 96, height: 72), content: .shape(filled)))
      #expect(abs(Self.light(frame, 30, 30) - light) < 0.005 && Self.light(frame, 15, 30) > 0.99)
    }
  }

  @Test func softMask_multipliesCoverage() throws {
    var layer = Canvas.box(Rect(x: 8, y: 4, width: 64, height: 64))
    var gradient = GradientContent([.white, .clear])
    (gradient.startPoint, gradient.endPoint) = (Point(x: 0, y: 0), Point(x: 1, y: 0))
    layer.mask = Layer(frame: Rect(x: 0, y: 0, width: 64, height: 64), content: .gradient(gradient))
    let frame = try Self.draw(layer)
    for x in [2, 20, 40, 60] { #expect(abs(Self.light(frame, 8 + x, 30) - (1 - (Double(x) + 0.5) / 64)) < 0.01) }
  }

  @Test func layerTurnedUnderAPerspective_isNarrowerAndLargerWhereItIsNear() throws {
    var parent = Layer(frame: Rect(x: 8, y: 4, width: 80, height: 64))
    parent.perspective = 100
    parent.sublayers = [Canvas.box(Rect(x: 20, y: 12, width: 40, height: 40))]
    parent.sublayers[0].transform.rotationY = .pi / 3
    let frame = try Self.draw(parent)
    // The upright edges stand ±10 aside and ±17.3 in depth: seen from 100 away they are 40 · 100 / (100 ∓ 17.3) high.
    let depth = 20 * sin(Double.pi / 3)
    let (near, far) = (100 / (100 - depth), 100 / (100 + depth))
    let box = Self.ink(frame)
    let edges = [10 * near, 10 * far].sorted()
    #expect(abs(Double(box.x1 - box.x0) - (edges[0] + edges[1])) <= 2)
    #expect(abs(Double(box.y1 - box.y0) - 40 * near) <= 2)
    func height(_ x: Int) -> Int { Canvas.samples(frame, plane: 0).count { $0[x] > 125 } }
    let ends = [height(box.x0 + 1), height(box.x1 - 2)].sorted()
    #expect(abs(Double(ends[0]) - 40 * far) <= 3 && abs(Double(ends[1]) - 40 * near) <= 3)
  }
}
