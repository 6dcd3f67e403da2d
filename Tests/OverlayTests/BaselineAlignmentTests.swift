import CompositorAPI
import CompositorOverlay
import Foundation
import Testing

/// Rows whose items stand on one baseline, with the ascent of DejaVu Sans, by hand.
struct BaselineAlignmentTests {
  private static let fonts = Result { () throws(CompositorError) in try FontLibrary() }

  /// The ascent and the height of a line of DejaVu Sans, in pixels.
  private static func line(_ size: Double) -> (ascent: Double, height: Double) { (size * 1901 / 2048, size * 2384 / 2048) }

  private static func text(_ string: String, _ size: Double, _ change: (inout TextContent) -> Void = { _ in }) -> Layer {
    var text = TextContent(string, font: TextFont(family: "DejaVu Sans", size: size))
    change(&text)
    var layer = Layer()
    layer.content = .text(text)
    return layer
  }

  private static func box(_ width: Double, _ height: Double) -> Layer {
    var layer = Layer()
    layer.layout = LayerLayout(width: .pixels(width), height: .pixels(height))
    layer.backgroundColor = .white
    return layer
  }

  private static func container(_ flex: FlexLayout, _ sublayers: [Layer], _ layout: LayerLayout? = nil) -> Layer {
    var layer = Layer()
    (layer.flex, layer.layout, layer.sublayers, layer.backgroundColor) = (flex, layout, sublayers, .black)
    return layer
  }

  /// A row at the top left, and what it shows.
  private static func row(
    _ sublayers: [Layer], height: LayoutLength? = nil, at time: Double = 0, _ change: (inout FlexLayout) -> Void = { _ in }
  ) throws -> (own: Rect, items: [Rect]) {
    var flex = FlexLayout(alignItems: .baseline)
    change(&flex)
    let layer = container(flex, sublayers, LayerLayout(left: 0, top: 0, height: height))
    let engine = try fonts.get().engine
    let node = try #require(
      try LayerEvaluator.evaluate(
        layer, at: time, canvas: Size(width: 1920, height: 1080),
        layOut: { (text, size) throws(CompositorError) in try engine.layout(StyledText(text, size: size)) },
        measure: { (text) throws(CompositorError) in try engine.extents(of: StyledText(text, size: nil)).size }))
    return (LayerLayoutTests.frame(node), node.children.map(LayerLayoutTests.frame))
  }

  private static func isNear(_ found: Double, _ wanted: Double) -> Bool { abs(found - wanted) < 0.05 }

  @Test func textsOfSeveralSizes_haveOneBaseline_andTheRowGrows() throws {
    let (small, large) = (Self.line(20), Self.line(60))
    let found = try Self.row([Self.text("Ag", 20), Self.text("Ag", 60), Self.box(10, 30)])
    #expect(Self.isNear(found.items[1].minY, 0) && Self.isNear(found.own.size.height, large.height))
    #expect(Self.isNear(found.items[0].minY, large.ascent - small.ascent))
    #expect(Self.isNear(found.items[2].maxY, large.ascent))
    // What is below the baseline of one and above that of another adds up.
    let below = try Self.row([Self.text("Ag\nAg\nAg", 20), Self.box(10, 90)])
    #expect(Self.isNear(below.own.size.height, 90 + 3 * small.height - small.ascent))
    #expect(Self.isNear(below.items[0].minY, 90 - small.ascent) && below.items[1].minY == 0)
  }

  /// In a row of a given height, items stay at its top; one aligned otherwise isn't moved by them.
  @Test func onlySome_alignedByTheirBaselines() throws {
    var (one, other, last) = (Self.text("Ag", 20), Self.text("Ag", 60), Self.box(10, 30))
    one.layout = LayerLayout()
    one.layout?.flexItem.alignSelf = .baseline
    other.layout = one.layout
    last.layout?.flexItem.alignSelf = .end
    let found = try Self.row([one, other, last], height: 200) { $0.alignItems = .center }
    #expect(found.items[1].minY == 0 && Self.isNear(found.items[0].minY, Self.line(60).ascent - Self.line(20).ascent))
    #expect(found.items[2].maxY == 200)
  }

  @Test func column_takesBaselineAsStart() throws {
    let found = try Self.row([Self.text("Ag", 20), Self.text("Ag", 60)], height: 300) { $0.direction = .column }
    #expect(found.items.allSatisfy { $0.minX == 0 } && found.items[0].minY == 0)
    #expect(Self.isNear(found.items[1].minY, Self.line(20).height))
  }

  /// A nested column stands on the line of its first text, a nested row on that of its items, and one of boxes on its first box.
  @Test func nestedLayouts_haveTheBaselineOfTheirFirstItem() throws {
    let padded = FlexLayout(.column, gap: 3, padding: FlexLayout.Padding(top: 7, right: 0, bottom: 11, left: 0))
    let large = Self.text("Ag", 60)
    let column = Self.container(padded, [Self.text("Ag", 20), Self.text("Ag", 40)])
    #expect(
      Self.isNear(try Self.row([large, column]).items[1].minY, Self.line(60).ascent - Self.line(20).ascent - 7))
    let inner = Self.container(FlexLayout(alignItems: .baseline), [Self.text("Ag", 20), Self.text("Ag", 40)])
    #expect(Self.isNear(try Self.row([large, inner]).items[1].minY, Self.line(60).ascent - Self.line(40).ascent))
    let centered = Self.container(FlexLayout(alignItems: .center), [Self.text("Ag", 20), Self.box(9, 50)])
    #expect(
      Self.isNear(
        try Self.row([large, centered]).items[1].minY,
        Self.line(60).ascent - Self.line(20).ascent - (50 - Self.line(20).height) / 2))
    let boxes = Self.container(padded, [Self.box(9, 15), Self.box(9, 25)])
    #expect(Self.isNear(try Self.row([large, boxes]).items[1].minY, Self.line(60).ascent - 15 - 7))
    #expect(Self.isNear(try Self.row([large, Self.container(padded, [])]).items[1].maxY, Self.line(60).ascent))
  }

  /// Where the first line is in its box: below padding, lower in a taller box, smaller if the text shrinks, scaled by a view box.
  @Test func firstLine_isWhereItIsDrawn() throws {
    let (small, large) = (Self.line(20), Self.line(60))
    func top(_ layer: Layer) throws -> Double { try Self.row([Self.text("Ag", 60), layer]).items[1].minY }
    #expect(Self.isNear(try top(Self.text("Ag", 20) { $0.padding = 9 }), large.ascent - small.ascent - 9))
    var tall = Self.text("Ag", 20) { $0.verticalAlignment = .bottom }
    tall.layout = LayerLayout(height: 50)
    #expect(Self.isNear(try top(tall), large.ascent - small.ascent - (50 - small.height)))
    var shrunk = Self.text("Ag", 40) { $0.fit = .shrink }
    shrunk.layout = LayerLayout(height: .pixels(small.height))
    #expect(abs(try top(shrunk) - large.ascent + small.ascent) < 0.2)
    var scaled = Self.text("Ag", 20)
    scaled.layout = LayerLayout(width: 100, height: 80, viewBox: Size(width: 50, height: 30))
    let row = try Self.row([Self.box(1, 200), scaled])
    #expect(Self.isNear(row.own.size.height, 200 + 80 - (10 + 2 * small.ascent)))
    // Columns of letters have no such line.
    let columns = try Self.row([Self.text("Ag", 60), Self.text("縦書", 20) { $0.writingMode = .verticalRL }])
    #expect(Self.isNear(columns.items[1].maxY, large.ascent))
  }

  @Test func rowsThatWrap_eachHaveABaseline() throws {
    let (small, large) = (Self.line(20), Self.line(60))
    var flex = FlexLayout(alignItems: .baseline)
    (flex.wraps, flex.lineGap) = (true, 5)
    let items = [Self.text("Ag", 20), Self.box(100, 40), Self.text("Ag", 20), Self.text("Ag", 60)]
    let layer = Self.container(flex, items, LayerLayout(width: 140))
    let outer = try Self.row([layer, Self.box(1, 100)])
    // The first row of it stands on the line of the outer one.
    #expect(Self.isNear(outer.items[0].minY, 60))
    #expect(Self.isNear(outer.items[0].size.height, 40 + small.height - small.ascent + 5 + large.height))
  }

  /// A text of a size of its own whose letters grow moves those beside it.
  @Test func siblings_followLettersThatGrow() throws {
    var growing = Self.text("Ag", 20)
    growing.bounds.size = Size(width: 100, height: 100)
    growing.animations = [.basic(.fontSize, from: 20, to: 60, timing: LayerTiming(duration: 2))]
    for (time, size) in [(0.0, 20.0), (1, 40)] {
      let found = try Self.row([growing, Self.box(10, 10)], at: time)
      #expect(Self.isNear(found.items[1].maxY, Self.line(size).ascent), "\(time)")
    }
  }

  /// Nested layouts are measured once for each question: their cost doesn't double with each level.
  @Test func deepNesting_ends() throws {
    var layer = Self.text("Ag", 20) { $0.wraps = true }
    for level in 0..<45 {
      layer = Self.container(
        FlexLayout(level % 3 == 2 ? .column : .row, gap: 1, alignItems: .baseline), [layer, Self.box(2, 2)])
    }
    let start = ContinuousClock.now
    _ = try Self.row([layer])
    #expect(ContinuousClock.now - start < .seconds(20))
  }
}
