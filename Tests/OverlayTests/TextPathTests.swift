import CompositorAPI
import CompositorOverlay
import Foundation
import Testing

/// Text that lies on a path: places against the geometry of lines and circles.
struct TextPathTests {
  private static let size = PixelSize(width: 640, height: 480)

  private static func layer(_ string: String, _ path: ShapePath, _ change: (inout TextContent) -> Void = { _ in }) -> Layer {
    var text = TextContent(string, font: TextFont(family: "DejaVu Sans", size: 30))
    text.path = path
    change(&text)
    var layer = Layer(frame: Rect(x: 0, y: 0, width: 640, height: 480), content: .text(text))
    layer.name = "text"
    return layer
  }

  /// Where the baseline's point below the middle of each character is, and its angle.
  private static func places(_ layer: Layer, at seconds: Double = 0) throws -> [(point: Point, angle: Double)] {
    let presenter = try LayerPresenter(layer, canvas: size, fonts: try FontLibrary())
    let tree = try #require(try presenter.presentation(at: MediaTime(seconds: seconds, preferredTimescale: 90000)))
    return try tree.units.map { unit in
      let matrix = try #require(unit.transform)
      let place = matrix.projection.apply(to: Point(x: unit.box.minX + unit.box.size.width / 2, y: baseline))
      return (Point(x: place.x, y: place.y), atan2(matrix.x.y, matrix.x.x))
    }
  }

  /// The first baseline of DejaVu Sans at 30 pixels, from a straight line at y = 0.
  private static let baseline: Double = {
    let line = ShapePath([(0, 0), (600, 0)])
    let presenter = try? LayerPresenter(layer("x", line), canvas: size, fonts: try FontLibrary())
    let unit = (try? presenter?.presentation(at: .zero))?.units.first
    return -(unit?.transform?.origin.y ?? 0)
  }()

  private static func draw(_ layer: Layer, _ format: PixelFormat = .rgba16) throws -> [[Int]] {
    Canvas.samples(
      try Canvas.draw([layer], over: Canvas.frame(size, format, FrameAttributes(color: format.isRGB ? .sRGB : .bt709))),
      plane: 0)
  }

  @Test func straightPath_isAStraightText() throws {
    for alignment in [TextAlignment.left, .center, .right] {
      let onPath = Self.layer("Straight away", ShapePath([(0, 100), (640, 100)])) { $0.alignment = alignment }
      var plain = TextContent("Straight away", font: TextFont(family: "DejaVu Sans", size: 30))
      plain.alignment = alignment
      let straight = Layer(
        frame: Rect(x: 0, y: 100 - Self.baseline, width: 640, height: 60), content: .text(plain))
      let (found, wanted) = try (Self.draw(onPath), Self.draw(straight))
      func sums(_ samples: [[Int]]) -> (x: Double, y: Double, light: Double) {
        var (x, y, light) = (0.0, 0.0, 0.0)
        for (row, line) in samples.enumerated() {
          for column in 0..<640 where line[4 * column] > 0 {
            let value = Double(line[4 * column])
            (x, y, light) = (x + value * Double(column), y + value * Double(row), light + value)
          }
        }
        return (x / light, y / light, light)
      }
      let (one, other) = (sums(found), sums(wanted))
      #expect(abs(one.x - other.x) < 0.3 && abs(one.y - other.y) < 0.6 && abs(one.light / other.light - 1) < 0.02)
    }
  }

  /// On a circle every letter stands on it, turned as its tangent, at its distance along it.
  @Test(arguments: [0.0, 100, -250, 5000]) func circle_carriesEveryLetter(offset: Double) throws {
    let circle = ShapePath.circle(center: Point(x: 320, y: 240), radius: 120)
    let layer = Self.layer("Round and round it goes", circle) { ($0.alignment, $0.pathOffset) = (.left, offset) }
    let places = try Self.places(layer)
    #expect(places.count == 19)
    var before: Double?
    for (point, angle) in places {
      let (x, y) = (point.x - 320, point.y - 240)
      #expect(abs((x * x + y * y).squareRoot() - 120) < 0.05)
      // The direction of travel is across the radius.
      let across = cos(angle) * x + sin(angle) * y
      #expect(abs(across) < 0.5, "\(angle)")
      let turn = atan2(y, x)
      if let before {
        let step = (turn - before + 4 * .pi).truncatingRemainder(dividingBy: 2 * .pi)
        #expect(step > 0.03 && step < 0.6, "\(step)")
      }
      before = turn
    }
  }

  @Test func openPath_goesOnStraightBeyondItsEnds() throws {
    let short = ShapePath([(300, 200), (340, 240)])
    let places = try Self.places(Self.layer("A long line of text", short) { $0.alignment = .center })
    // Places are those in the layout, of which the layer's horizontal place depends on the alignment.
    let first = places[0].point
    for (point, angle) in places {
      #expect(abs((point.x - first.x) - (point.y - first.y)) < 1e-6 && abs(angle - .pi / 4) < 1e-9)
    }
    #expect(abs((first.y + places[places.count - 1].point.y) / 2 - 220) < 12)
  }

  /// Lines after the first are further from the path; right-to-left text ends at its end.
  @Test func linesAndDirections_followThePath() throws {
    let line = ShapePath([(100, 400), (100, 0)])
    let two = try Self.places(Self.layer("ab\ncd", line) { $0.alignment = .left })
    #expect(two.count == 4 && two.allSatisfy { abs($0.angle + .pi / 2) < 1e-9 })
    let hebrew = try Self.places(Self.layer("אבגד", line))
    // Upward is the way of the path: the first letter is at its end.
    #expect(hebrew[0].point.y < hebrew[3].point.y && hebrew[0].point.y < 40)
  }

  @Test func animatedOffset_movesTheText_andAnimatorsStayOnThePath() throws {
    let line = ShapePath([(0, 200), (600, 200)])
    var layer = Self.layer("abc", line) { $0.alignment = .left }
    layer.animations = [
      .basic(.textPathOffset, from: 0, to: 100, timing: LayerTiming(duration: 1, fillMode: .both))
    ]
    let (start, middle) = try (Self.places(layer, at: 0), Self.places(layer, at: 0.5))
    for (one, other) in zip(start, middle) { #expect(abs(other.point.x - one.point.x - 50) < 1e-6) }
    let raised = Self.layer("abc", line) { text in
      text.animators = [
        TextAnimator(
          .word, [.basic(.translationY, from: -20, to: -20, timing: LayerTiming(duration: 1, fillMode: .both))])
      ]
    }
    for (one, other) in zip(try Self.places(raised), start) { #expect(abs(one.point.y - other.point.y + 20) < 1e-6) }
  }

  /// Without bounds the layer has those of its path.
  @Test func layerWithoutBounds_hasThoseOfThePath() throws {
    var text = TextContent("x", font: TextFont(family: "DejaVu Sans", size: 30))
    text.path = ShapePath([(10, 20), (110, 70)])
    var layer = Layer()
    layer.content = .text(text)
    let node = try #require(try LayerEvaluator.evaluate(layer, at: 0) { _ in .zero })
    #expect(node.layer.bounds == Rect(x: 10, y: 20, width: 100, height: 50))
  }

  /// A text around a ring without bounds.
  private static func seal(_ change: (inout Layer, inout TextContent) -> Void = { _, _ in }) -> Layer {
    var text = TextContent("HAND MADE · HAND MADE", font: TextFont(family: "DejaVu Sans", size: 30))
    text.path = .circle(center: Point(x: 7, y: 9), radius: 120)
    var layer = Layer()
    change(&layer, &text)
    layer.content = .text(text)
    return layer
  }

  /// The bounds of the first layer in a tree, and where its corner of least coordinates is.
  private static func box(_ layer: Layer, at time: Double = 0) throws -> (bounds: Rect, corner: Point) {
    let engine = try FontLibrary().engine
    let canvas = Size(width: 640, height: 480)
    let root = try #require(
      try LayerEvaluator.evaluate(
        layer, at: time, canvas: canvas,
        layOut: { (text, size) throws(CompositorError) in try engine.layout(StyledText(text, size: size)) },
        measure: { (text) throws(CompositorError) in try engine.extents(of: StyledText(text, size: nil)).size }))
    let node = root.children.first ?? root
    let corner = node.matrix.apply(to: Point(x: node.layer.bounds.minX, y: node.layer.bounds.minY))
    return (node.layer.bounds, Point(x: corner.x, y: corner.y))
  }

  /// With its letters, the box of a ring is larger on all sides by the same; a layout and a row center the ring by it.
  @Test func box_containsTheLetters_andIsCenteredByLayouts() throws {
    let free = try Self.box(Self.seal()).bounds
    let rise = (free.size.width - 240) / 2
    #expect(rise > 20 && rise < 36 && abs(free.size.height - free.size.width) < 1e-3)
    #expect(abs(free.minX + free.size.width / 2 - 7) < 1e-3 && abs(free.minY + free.size.height / 2 - 9) < 1e-3)
    let placed = try Self.box(
      Self.seal { layer, _ in layer.layout = LayerLayout(centerX: .fraction(0.5), centerY: .fraction(0.5)) })
    #expect(placed.bounds == free)
    #expect(abs(placed.corner.x + free.size.width / 2 - 320) < 1e-6 && abs(placed.corner.y + free.size.height / 2 - 240) < 1e-6)
    var row = Layer()
    row.flex = FlexLayout()
    row.sublayers = [Self.seal()]
    row.layout = LayerLayout(left: .pixels(20), top: .pixels(30), height: .pixels(400))
    let item = try Self.box(row)
    #expect(item.bounds.size.width == free.size.width && item.corner.x == 0)
    #expect(abs(item.bounds.minX + item.bounds.size.width / 2 - 7) < 1e-3)
    #expect(abs(item.bounds.minY + item.bounds.size.height / 2 - 9) < 1e-3)
  }

  /// A text that travels along its path leaves its layer where it is, and a layout of the whole canvas counts from its corner.
  @Test func box_isThatOfThePath_whereverTheTextIs() throws {
    let free = try Self.box(Self.seal()).bounds
    let moved = Self.seal { layer, text in
      layer.animations = [.basic(.textPathOffset, from: 0, to: 300, timing: LayerTiming(duration: 1, fillMode: .both))]
      text.runs = [TextRun("less")]
    }
    for time in [0, 0.4, 1] { #expect(try Self.box(moved, at: time).bounds == free) }
    let whole = try Self.box(
      Self.seal { layer, _ in
        layer.layout = LayerLayout(left: .pixels(0), right: .pixels(0), top: .pixels(0), bottom: .pixels(0))
      })
    #expect(whole.bounds == Rect(x: 0, y: 0, width: 640, height: 480))
  }

  /// A line that is longer than its open path reaches beyond its ends, unless it shrinks.
  @Test func box_reachesBeyondTheEndsOfAShortPath() throws {
    func short(_ fit: TextFit) -> Layer {
      Self.seal { _, text in
        text.path = ShapePath([(100, 50), (160, 50)])
        (text.alignment, text.fit) = (.center, fit)
      }
    }
    let (long, shrunk) = try (Self.box(short(.none)).bounds, Self.box(short(.shrink)).bounds)
    #expect(long.size.width > 300 && abs(long.minX + long.size.width / 2 - 130) < 1e-6)
    #expect(long.minY < 26 && long.maxY > 54 && long.maxY < 66)
    #expect(abs(shrunk.size.width - 60) < 0.1 && shrunk.size.height < long.size.height / 3)
  }

  /// What is seen of a text, and whether it crosses an edge, follows from where its letters are.
  @Test func checks_lookAtTheLetters() throws {
    let (canvas, fonts) = (PixelSize(width: 640, height: 480), try FontLibrary())
    func checks(_ layer: Layer) throws -> (TitleVisibility, [TitleSafety]) {
      (
        try TitleVisibility.of(layer, from: 0, to: 1, frame: nil, canvas: canvas, fonts: fonts),
        try TitleSafety.textsOutside(of: layer, from: 0, to: 1, canvas: canvas, fonts: fonts)
      )
    }
    let (seen, crossing) = try checks(Self.seal { layer, _ in layer.position = Point(x: 320, y: 240) })
    #expect(seen == .visible && crossing.isEmpty)
    let (low, cut) = try checks(Self.seal { layer, _ in layer.position = Point(x: 320, y: 400) })
    #expect(low == .visible && cut.first?.excess(beyond: TitleSafety.area(of: canvas)).edge == "bottom")
    // The arch is above the middle of the layer, which is in the corner of the canvas.
    let arch = Self.seal { _, text in
      text.runs = [TextRun("arch")]
      text.alignment = .center
      text.path = ShapePath([(0, 200), (260, 0), (520, 200)])
    }
    #expect(try checks(arch).0 == .outside)
  }

  @Test(arguments: [PixelFormat.yuv420p, .rgba]) func stillText_onAPath_isSeen(_ format: PixelFormat) throws {
    let circle = ShapePath.circle(center: Point(x: 320, y: 240), radius: 120)
    let samples = try Self.draw(Self.layer("Round", circle), format)
    #expect(samples.joined().filter { $0 > 180 }.count > 300)
  }

  @Test func path_isReadWrittenAndRefused() throws {
    let json = #"{"string":"a","path":"M 0 0 C 10 10 20 10 30 0","pathOffset":4}"#
    let text = try JSONDecoder().decode(TextContent.self, from: Data(json.utf8))
    #expect(text.path?.steps == [.move, .curve] && text.pathOffset == 4)
    #expect(try JSONDecoder().decode(TextContent.self, from: JSONEncoder().encode(text)) == text)
    for change: (inout TextContent) -> Void in [
      { $0.pathOffset = .nan }, { $0.path = ShapePath([(0, 0), (.infinity, 0)]) },
    ] {
      let layer = Self.layer("a", ShapePath([(0, 0), (9, 0)]), change)
      #expect(throws: CompositorError.self) { try Self.draw(layer) }
    }
  }
}

extension ShapePath {
  fileprivate init(_ points: [(Double, Double)]) {
    self.init()
    for (index, point) in points.enumerated() {
      let place = Point(x: point.0, y: point.1)
      if index == 0 { move(to: place) } else { line(to: place) }
    }
  }
}
