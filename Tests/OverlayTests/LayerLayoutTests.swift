import CompositorAPI
import CompositorOverlay
import Foundation
import Testing

/// Layouts by edges, centers, sizes and ratios, against values by hand and against a browser's.
struct LayerLayoutTests {
  static let canvases = [(1920.0, 1080.0), (1080.0, 1080.0), (1080.0, 1920.0)].map { Size(width: $0, height: $1) }
  /// A text of 400 × 60 pixels, 4 × 0.6 per pixel of its font; words of 100 pixels break at the width.
  static func measure(_ text: TextContent) -> Size {
    let (width, line) = (text.font.size * 4, text.font.size * 0.6)
    guard text.wraps, text.maximumWidth > 0, width > text.maximumWidth else { return Size(width: width, height: line) }
    let words = max((text.maximumWidth / (width / 4)).rounded(.down), 1)
    return Size(width: words * width / 4, height: (4 / words).rounded(.up) * line)
  }

  static func evaluate(_ layer: Layer, canvas: Size, at time: Double = 0) throws -> PresentationNode {
    try #require(
      try LayerEvaluator.evaluate(layer, at: time, canvas: canvas) { (text) throws(CompositorError) in measure(text) })
  }

  /// The rectangle that a layer takes in its parent.
  static func frame(_ node: PresentationNode) -> Rect {
    let origin = node.matrix.apply(to: node.layer.bounds.origin)
    return Rect(origin: origin, size: node.layer.bounds.size)
  }

  static func layer(_ layout: LayerLayout, bounds: Size = .zero, anchor: Point = Point(x: 0.5, y: 0.5)) -> Layer {
    var layer = Layer()
    layer.layout = layout
    layer.bounds.size = bounds
    layer.anchorPoint = anchor
    layer.backgroundColor = .white
    return layer
  }

  static func isNear(_ left: Rect, _ right: Rect, within limit: Double = 1e-9) -> Bool {
    abs(left.minX - right.minX) <= limit && abs(left.minY - right.minY) <= limit
      && abs(left.size.width - right.size.width) <= limit && abs(left.size.height - right.size.height) <= limit
  }

  /// A drawing of 1000 × 500 in what 10 % at each side leave of the frame: as large as fits, in the middle, whatever its anchor.
  @Test(arguments: [Point(x: 0.5, y: 0.5), .zero, Point(x: 1, y: 0.25)]) func viewBox_inAnyFrame_justFits(anchor: Point) throws
  {
    let margin = LayoutLength.fraction(0.1)
    let drawing = Self.layer(
      LayerLayout(left: margin, right: margin, top: margin, bottom: margin, viewBox: Size(width: 1000, height: 500)),
      anchor: anchor)
    for (canvas, wanted) in zip(
      Self.canvases,
      [
        Rect(x: 192, y: 156, width: 1536, height: 768), Rect(x: 108, y: 324, width: 864, height: 432),
        Rect(x: 108, y: 744, width: 864, height: 432),
      ])
    {
      let node = try Self.evaluate(drawing, canvas: canvas)
      #expect(node.layer.bounds == Rect(x: 0, y: 0, width: 1000, height: 500))
      let corners = [Point.zero, Point(x: 1000, y: 500)].map { node.matrix.apply(to: $0) }
      let found = Rect(
        x: corners[0].x, y: corners[0].y, width: corners[1].x - corners[0].x, height: corners[1].y - corners[0].y)
      #expect(Self.isNear(found, wanted), "\(canvas): \(found)")
    }
  }

  /// With one side given, or none, the view box gives the other.
  @Test func viewBox_withoutASize_givesIt() throws {
    let box = Size(width: 1000, height: 500)
    for (layout, width) in [
      (LayerLayout(left: 0, top: 0, width: 400, viewBox: box), 400.0),
      (LayerLayout(left: 0, top: 0, height: 100, viewBox: box), 200),
      (LayerLayout(left: 0, top: 0, viewBox: box), 1000),
    ] {
      let node = try Self.evaluate(Self.layer(layout), canvas: Self.canvases[0])
      let corner = node.matrix.apply(to: Point(x: 1000, y: 500))
      #expect(abs(corner.x - width) < 1e-9 && abs(corner.y - width / 2) < 1e-9, "\(layout)")
    }
  }

  /// A card at the lower left: 5 % and 8 % off the edges, 60 % wide, 4 : 1, with a bar of 12 pixels inside and a dot at its right.
  @Test func oneTree_inThreeFrames_isWhereAHandPutsIt() throws {
    var card = Self.layer(
      LayerLayout(left: .fraction(0.05), bottom: .fraction(0.08), width: .fraction(0.6), aspectRatio: 4))
    card.sublayers = [
      Self.layer(LayerLayout(left: 0, top: 0, bottom: 0, width: 12)),
      Self.layer(LayerLayout(right: 20, width: 40, height: 40, centerY: .fraction(0.5)), anchor: .zero),
    ]
    let wanted = [
      [
        Rect(x: 96, y: 705.6, width: 1152, height: 288), Rect(x: 0, y: 0, width: 12, height: 288),
        Rect(x: 1092, y: 124, width: 40, height: 40),
      ],
      [
        Rect(x: 54, y: 831.6, width: 648, height: 162), Rect(x: 0, y: 0, width: 12, height: 162),
        Rect(x: 588, y: 61, width: 40, height: 40),
      ],
      [
        Rect(x: 54, y: 1604.4, width: 648, height: 162), Rect(x: 0, y: 0, width: 12, height: 162),
        Rect(x: 588, y: 61, width: 40, height: 40),
      ],
    ]
    for (canvas, wanted) in zip(Self.canvases, wanted) {
      let node = try Self.evaluate(card, canvas: canvas)
      let found = ([node] + node.children).map(Self.frame)
      #expect(zip(found, wanted).allSatisfy { Self.isNear($0, $1) }, "\(canvas): \(found)")
    }
  }

  @Test func text_withoutASize_keepsItsOwnAndWrapsWhereTheParentEnds() throws {
    func frame(
      _ layout: LayerLayout, canvas: Size = Size(width: 1000, height: 500), _ change: (inout TextContent) -> Void = { _ in }
    )
      throws -> Rect
    {
      var layer = Self.layer(layout)
      var text = TextContent("words", font: TextFont(size: 100))
      change(&text)
      layer.content = .text(text)
      return Self.frame(try Self.evaluate(layer, canvas: canvas))
    }
    #expect(try frame(LayerLayout(left: 50, top: 20)) == Rect(x: 50, y: 20, width: 400, height: 60))
    #expect(try frame(LayerLayout(right: 50, bottom: 20)) == Rect(x: 550, y: 420, width: 400, height: 60))
    #expect(try frame(LayerLayout(right: 50, bottom: 20)) { $0.padding = 10 } == Rect(x: 530, y: 400, width: 420, height: 80))
    #expect(try frame(LayerLayout(top: 0, centerX: .fraction(0.5))) == Rect(x: 300, y: 0, width: 400, height: 60))
    #expect(try frame(LayerLayout(left: 0, right: 0, top: 0)) == Rect(x: 0, y: 0, width: 1000, height: 60))
    // 350 pixels are left: three words a line.
    let narrow = Size(width: 400, height: 500)
    #expect(
      try frame(LayerLayout(left: 50, top: 0), canvas: narrow) { $0.wraps = true } == Rect(x: 50, y: 0, width: 300, height: 120)
    )
    #expect(
      try frame(LayerLayout(left: 50, top: 0), canvas: narrow) == Rect(x: 50, y: 0, width: 400, height: 60), "no wrapping")
    #expect(
      try frame(LayerLayout(left: 50, top: 0, width: 220), canvas: narrow) { ($0.wraps, $0.padding) = (true, 10) }
        == Rect(x: 50, y: 0, width: 220, height: 140))
    #expect(
      try frame(LayerLayout(left: 50, top: 0), canvas: narrow) { ($0.wraps, $0.maximumWidth) = (true, 210) }
        == Rect(x: 50, y: 0, width: 200, height: 120))
    #expect(
      try frame(LayerLayout(left: 50, top: 0), canvas: narrow) { $0.fit = .shrink }
        == Rect(x: 50, y: 0, width: 350, height: 52.5))
    #expect(
      try frame(LayerLayout(left: 0, top: 0, width: 200, aspectRatio: 2)) == Rect(x: 0, y: 0, width: 200, height: 100))
  }

  @Test func text_thatShrinks_fitsItsBoxAndNeverGrows() throws {
    func size(_ bounds: Size, _ change: (inout TextContent) -> Void = { _ in }) throws -> (font: Double, outline: Double) {
      var layer = Layer()
      layer.bounds.size = bounds
      var text = TextContent("words", font: TextFont(size: 100))
      (text.fit, text.outlineWidth) = (.shrink, 10)
      change(&text)
      layer.content = .text(text)
      let node = try Self.evaluate(layer, canvas: .zero)
      guard case .text(let shown) = node.layer.content else { return (0, 0) }
      #expect(node.layer.bounds.size == bounds || bounds == .zero)
      return (shown.font.size, shown.outlineWidth)
    }
    #expect(try size(Size(width: 200, height: 100)) == (50, 5))
    #expect(try size(Size(width: 400, height: 30)) == (50, 5), "the height is what is short")
    #expect(try size(Size(width: 4000, height: 600)) == (100, 10))
    #expect(try size(Size(width: 220, height: 120)) { $0.padding = 10 } == (50, 5))
    #expect(try size(.zero) { $0.maximumWidth = 100 } == (25, 2.5))
    // Four words of a quarter of 4 em each in two lines of 2 × 1 em need 200 × 120 at 100 pixels.
    let wrapped = try size(Size(width: 150, height: 90)) { $0.wraps = true }.font
    #expect(wrapped <= 75 && wrapped > 74.9)
  }

  @Test func animations_ofPlaceAndTransform_applyOnTopOfTheLayout() throws {
    var layer = Self.layer(LayerLayout(left: 100, top: 100, width: 200, height: 100))
    layer.animations = [
      .basic(.translationX, from: -300, to: 0, timing: LayerTiming(duration: 2)),
      .basic(.positionY, by: 50, timing: LayerTiming(duration: 2)),
    ]
    let canvas = Size(width: 1000, height: 500)
    #expect(Self.frame(try Self.evaluate(layer, canvas: canvas, at: 1)) == Rect(x: -50, y: 125, width: 200, height: 100))
    #expect(Self.frame(try Self.evaluate(layer, canvas: canvas, at: 3)) == Rect(x: 100, y: 100, width: 200, height: 100))
    layer.animations = [.basic(.boundsSize, to: .point(x: 400, y: 100), timing: LayerTiming(duration: 2))]
    layer.sublayers = [Self.layer(LayerLayout(right: 10, width: 20, height: 20, centerY: .fraction(0.5)))]
    let node = try Self.evaluate(layer, canvas: canvas, at: 1)
    #expect(node.layer.bounds.size == Size(width: 300, height: 100))
    #expect(Self.frame(node.children[0]) == Rect(x: 270, y: 40, width: 20, height: 20), "the child follows its parent's edge")
    #expect(node.hasAnimatedDescendants)
  }

  @Test func group_withoutBounds_handsOnTheBoxThatItIsIn() throws {
    var group = Layer()
    group.sublayers = [Self.layer(LayerLayout(right: 10, bottom: 10, width: 20, height: 20))]
    var root = Layer(canvas: PixelSize(width: 200, height: 100)) { group }
    #expect(
      Self.frame(try Self.evaluate(root, canvas: .zero).children[0].children[0]) == Rect(x: 170, y: 70, width: 20, height: 20))
    root.sublayers[0].mask = Self.layer(.fill)
    #expect(try Self.evaluate(root, canvas: .zero).children[0].mask?.layer.bounds == Rect(x: 0, y: 0, width: 200, height: 100))
  }

  @Test(arguments: [
    (LayerLayout(left: 0, right: 0, width: 5), Layer()), (LayerLayout(top: 0, height: 5, centerY: 5), Layer()),
    (LayerLayout(viewBox: Size(width: 0, height: 5)), Layer()),
    (LayerLayout(viewBox: Size(width: 5, height: 5)), Layer().changed { $0.bounds.size.height = 4 }),
    (LayerLayout(width: 5, height: 5, aspectRatio: 1), Layer()), (LayerLayout(aspectRatio: 0), Layer()),
    (LayerLayout(left: .pixels(.nan)), Layer()), (LayerLayout(left: 0), Layer().changed { $0.position.x = 4 }),
    (LayerLayout(width: 3), Layer().changed { $0.bounds.size.width = 4 }),
    (LayerLayout(width: 3, aspectRatio: 2), Layer().changed { $0.bounds.size.height = 4 }),
  ])
  func contradiction_isRefused(layout: LayerLayout, layer: Layer) throws {
    var layer = layer
    layer.layout = layout
    let error = #expect(throws: CompositorError.self) {
      try OverlayRenderer(root: layer, renderSize: PixelSize(width: 8, height: 8))
    }
    #expect(error?.code == .invalidValue && error?.recoverySuggestion != nil)
    layer.layout = LayerLayout(top: 1, centerX: 4)
    layer.position.x = 0
    #expect(throws: Never.self) { try OverlayRenderer(root: layer, renderSize: PixelSize(width: 8, height: 8)) }
  }

  @Test func layout_asJSON_keepsItsValues() throws {
    var layer = Layer()
    layer.layout = LayerLayout(
      left: 4, right: .fraction(0.07), centerY: LayoutLength(pixels: 3, fraction: 0.1), aspectRatio: 1.5)
    #expect(try JSONDecoder().decode(Layer.self, from: JSONEncoder().encode(layer)) == layer)
    let read = try JSONDecoder().decode(LayerLayout.self, from: Data(#"{ "left": "5%", "width": 12 }"#.utf8))
    #expect(read == LayerLayout(left: .fraction(0.05), width: 12))
  }
}
