import CompositorAPI
import CompositorOverlay
import Foundation
import Testing

/// Texts that are larger than their boxes, or longer than the closed paths on which they lie.
struct OverflowingTextTests {
  private static let canvas = PixelSize(width: 640, height: 360)
  private static let fonts = Result { try FontLibrary(.system) }

  private static func text(_ string: String, size: Double = 24, _ change: (inout TextContent) -> Void = { _ in }) -> Layer {
    var text = TextContent(string, font: TextFont(family: "DejaVu Sans", size: size))
    change(&text)
    var layer = Layer()
    layer.content = .text(text)
    return layer
  }

  private func found(_ layers: [Layer]) throws -> [OverflowingText] {
    var title = Layer(frame: Rect(x: 0, y: 0, width: 640, height: 360))
    title.sublayers = layers
    return try OverflowingTexts(title, canvas: Self.canvas, fonts: try Self.fonts.get()).find(from: 0, to: 2)
  }

  /// The widths of a box from far too narrow to wide enough: about 330 pixels are needed.
  @Test(arguments: [60.0, 120, 240, 310, 345, 400, 600], [false, true])
  func textInABox_overflowsIfItIsLonger(width: Double, shrinks: Bool) throws {
    let string = "Dr. Ada Lovelace, Countess"
    var layer = Self.text(string) { if shrinks { $0.fit = .shrink } }
    layer.bounds.size = Size(width: width, height: 40)
    layer.position = Point(x: 320, y: 180)
    #expect(try found([layer]).isEmpty, "without a background nothing shows the box")
    layer.backgroundColor = .black
    let overflowing = try found([layer])
    let overflows = width < 330 && !shrinks
    #expect(overflowing.map(\.room) == (overflows ? [.ownBox] : []), "\(overflowing)")
    #expect(overflowing.allSatisfy { $0.path == "sublayers[0]" && $0.edge == "right" && abs($0.excess - (333 - width)) < 12 })
    layer.backgroundColor = Color(red: 0, green: 0, blue: 0, alpha: 0)
    (layer.borderWidth, layer.borderColor) = (2, .white)
    #expect(try found([layer]).map(\.room) == (overflows ? [.ownBox] : []))
    layer.masksToBounds = true
    #expect(try found([layer]).map(\.room) == (overflows ? [.cut] : []))
    // It is large enough at times, faint, generated, or of letters that move on their own.
    var grown = layer
    var timing = LayerTiming()
    timing.duration = 1
    grown.animations = [.basic(.boundsSize, to: .numbers([640, 40]), timing: timing)]
    var faint = layer
    faint.opacity = 0.3
    #expect(try found([grown]).isEmpty && found([faint]).isEmpty)
  }

  @Test(arguments: [30.0, 60, 90, 140]) func linesInABox_overflowIfThereAreTooMany(height: Double) throws {
    // Three lines of 28 pixels.
    var layer = Self.text("Words that need three lines of this box, at least") { $0.wraps = true }
    layer.bounds.size = Size(width: 240, height: height)
    layer.position = Point(x: 320, y: 180)
    layer.backgroundColor = .black
    let overflowing = try found([layer])
    #expect(overflowing.isEmpty == (height > 80), "\(overflowing)")
    #expect(overflowing.allSatisfy { $0.wraps && ($0.edge == "bottom" || $0.edge == "top") })
  }

  @Test(arguments: [FlexLayout.Direction.row, .column], [120.0, 300, 500])
  func arrangedText_overflowsTheBoxThatArrangesIt(direction: FlexLayout.Direction, width: Double) throws {
    var box = Layer()
    var layout = LayerLayout()
    (layout.left, layout.top, layout.width, layout.height) = (20, 20, LayoutLength(pixels: width), 90)
    box.layout = layout
    box.flex = FlexLayout(direction)
    box.sublayers = [Self.text("A long heading of a card"), Self.text("7")]
    #expect(try found([box]).isEmpty)
    box.backgroundColor = .black
    let overflowing = try found([box])
    #expect(overflowing.contains { $0.path == "sublayers[0].sublayers[0]" } == (width < 300), "\(overflowing)")
    #expect(overflowing.allSatisfy { $0.room == .arrangingBox && $0.edge == "right" })
    // A tag that hangs over the edge is meant to.
    box.sublayers[0].transform.translationY = -30
    #expect(try found([box]).allSatisfy { $0.path != "sublayers[0].sublayers[0]" })
    // What has a place of its own, moves, or is cut off for that isn't arranged.
    var badge = box
    var place = LayerLayout()
    (place.right, place.top) = (-90, -10)
    badge.sublayers[0].layout = place
    var ticker = box
    ticker.masksToBounds = true
    #expect(try found([badge]).allSatisfy { $0.path != "sublayers[0].sublayers[0]" } && found([ticker]).isEmpty)
  }

  @Test(arguments: [20.0, 40, 60, 100], [true, false])
  func textOnAPath_overflowsIfThePathIsClosedAndShorter(radius: Double, isClosed: Bool) throws {
    let string = "FRESH · ROASTED · DAILY"
    func layer(_ fit: TextFit) -> Layer {
      var layer = Self.text(string, size: 20) {
        $0.path = .ellipse(in: Rect(x: -radius, y: -radius, width: 2 * radius, height: 2 * radius))
        if !isClosed { $0.path = .arc(center: Point(x: 0, y: 0), radius: radius, start: 0, end: 6) }
        $0.fit = fit
      }
      layer.position = Point(x: 320, y: 180)
      return layer
    }
    let straight = Self.text(string, size: 20)
    guard case .text(let text) = straight.content else { return }
    let length = try Self.fonts.get().engine.extents(of: StyledText(text, size: nil)).size.width
    let excess = length - 2 * Double.pi * radius
    let overflowing = try found([layer(.none)])
    #expect(overflowing.map(\.room) == (isClosed && excess > 3 ? [.closedPath] : []), "\(overflowing)")
    var spaced = layer(.none)
    if case .text(var text) = spaced.content {
      text.runs[0].text += String(repeating: " ", count: 40)
      spaced.content = .text(text)
    }
    #expect(try found([spaced]).map(\.room) == overflowing.map(\.room), "blanks at the end")
    #expect(overflowing.allSatisfy { $0.edge == nil && abs($0.excess - excess) < 1 }, "\(overflowing) \(excess)")
    #expect(try found([layer(.shrink)]).isEmpty)
  }
}
