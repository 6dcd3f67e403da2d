import CompositorAPI
import CompositorOverlay
import Testing

/// A text with a maximum width is drawn in the box that its layout measured: it wraps there, and nothing lies outside.
struct MaximumWidthTests {
  static let size = PixelSize(width: 300, height: 300)

  /// A layout that leaves the length of lines open.
  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var writingMode = WritingMode.horizontal
    let maximumWidth: Double
    let layout: LayerLayout
    /// The greatest length of a line.
    let limit: Double
  }

  static let rows = [
    Row(testDescription: "from the left", maximumWidth: 150, layout: LayerLayout(left: 20, top: 10), limit: 150),
    Row(testDescription: "from the right", maximumWidth: 120, layout: LayerLayout(right: 20, top: 10), limit: 120),
    Row(testDescription: "centered", maximumWidth: 150, layout: LayerLayout(top: 10, centerX: .fraction(0.5)), limit: 150),
    Row(testDescription: "from the bottom", maximumWidth: 170, layout: LayerLayout(left: 10, bottom: 15), limit: 170),
    Row(
      testDescription: "of a height", maximumWidth: 150, layout: LayerLayout(left: 20, top: 10, height: 250), limit: 150),
    Row(testDescription: "with less room", maximumWidth: 400, layout: LayerLayout(left: 60, top: 10), limit: 240),
    Row(
      testDescription: "in columns", writingMode: .verticalLR, maximumWidth: 140, layout: LayerLayout(left: 10, top: 20),
      limit: 140),
  ]

  @Test(arguments: rows, [0, 9.3]) func text_isDrawnAsItWasMeasured(row: Row, padding: Double) throws {
    var text = TextContent("lorem ipsum dolor sit amet", font: TextFont(family: "DejaVu Sans", size: 22))
    (text.maximumWidth, text.writingMode, text.padding) = (row.maximumWidth, row.writingMode, padding)
    var layer = Layer()
    layer.content = .text(text)
    layer.layout = row.layout
    let presenter = try LayerPresenter(Canvas.root(Self.size, [layer]), canvas: Self.size, fonts: try FontLibrary())
    let box = try presenter.firstSize
    let isVertical = row.writingMode != .horizontal
    let (length, depth) = isVertical ? (box.height, box.width) : (box.width, box.height)
    #expect(length <= row.limit + 2 * padding + 0.1 && depth > 50, "\(box)")
    let ink = TextDirectionTests.ink(try Canvas.draw([layer], over: Canvas.frame(Self.size, .rgba)))
    #expect(Double(ink.width) <= box.width + 1 && Double(ink.height) <= box.height + 1, "\(ink) in \(box)")
    #expect(ink.x0 >= 0 && ink.x1 <= 300 && (isVertical ? ink.width : ink.height) > 36, "\(ink)")
    // The same in an animation, whose frames are laid out anew.
    layer.animations = [.basic(.opacity, from: 1, to: 1, timing: LayerTiming(duration: 5))]
    #expect(TextDirectionTests.ink(try Canvas.draw([layer], over: Canvas.frame(Self.size, .rgba), at: 1)) == ink)
  }

  @Test func text_thatFits_staysOnOneLine() throws {
    var text = TextContent("lorem", font: TextFont(family: "DejaVu Sans", size: 22))
    text.maximumWidth = 200
    var layer = Layer()
    layer.content = .text(text)
    layer.layout = LayerLayout(left: 20, top: 10)
    let ink = TextDirectionTests.ink(try Canvas.draw([layer], over: Canvas.frame(Self.size, .rgba)))
    #expect(ink.height < 25 && ink.x0 >= 20)
  }
}
