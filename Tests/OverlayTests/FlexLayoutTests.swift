import CompositorAPI
import CompositorOverlay
import Foundation
import Testing

/// Rows and columns of layers, by hand.
struct FlexLayoutTests {
  /// The rectangles of the sublayers that show.
  private static func frames(_ layer: Layer, at time: Double = 0) throws -> [Rect] {
    try LayerLayoutTests.evaluate(layer, canvas: Size(width: 1920, height: 1080), at: time).children
      .map(LayerLayoutTests.frame)
  }

  private static func box(_ width: Double, _ height: Double, _ change: (inout LayerLayout) -> Void = { _ in }) -> Layer {
    var layout = LayerLayout(width: .pixels(width), height: .pixels(height))
    change(&layout)
    return LayerLayoutTests.layer(layout)
  }

  private static func container(_ flex: FlexLayout, _ layout: LayerLayout? = nil, _ sublayers: [Layer]) -> Layer {
    var layer = Layer()
    layer.flex = flex
    layer.layout = layout
    layer.sublayers = sublayers
    layer.backgroundColor = .black
    return layer
  }

  private static func text(_ size: Double, wraps: Bool = false) -> Layer {
    var text = TextContent("four words are here")
    text.font.size = size
    text.wraps = wraps
    var layer = Layer()
    layer.content = .text(text)
    return layer
  }

  /// A lower third that hugs its lines: of one line, and of two.
  @Test func layerWithoutASize_isAsLargeAsItsItems() throws {
    let flex = FlexLayout(.column, gap: 10, padding: FlexLayout.Padding(top: 5, right: 20, bottom: 15, left: 30))
    let (name, role) = (Self.text(100), Self.text(50))
    let node = try LayerLayoutTests.evaluate(
      Self.container(flex, LayerLayout(left: 100, bottom: 80), [name, role]), canvas: Size(width: 1920, height: 1080))
    #expect(LayerLayoutTests.frame(node) == Rect(x: 100, y: 1080 - 80 - 120, width: 450, height: 120))
    #expect(
      node.children.map(LayerLayoutTests.frame)
        == [Rect(x: 30, y: 5, width: 400, height: 60), Rect(x: 30, y: 75, width: 400, height: 30)])
    // An empty or hidden line takes no space, and no gap.
    var (empty, hidden) = (Layer(text: "", size: 50), role)
    hidden.isHidden = true
    empty.backgroundColor = .white
    for absent in [empty, hidden] {
      let alone = try LayerLayoutTests.evaluate(
        Self.container(flex, LayerLayout(left: 100, bottom: 80), [name, absent]), canvas: Size(width: 1920, height: 1080))
      #expect(LayerLayoutTests.frame(alone) == Rect(x: 100, y: 1080 - 80 - 80, width: 450, height: 80))
      #expect(alone.children.count == 1)
    }
  }

  @Test func limits_ofALayoutWithoutFlex_limitItsSize() throws {
    let canvas = Size(width: 1000, height: 500)
    var layout = LayerLayout(left: 10, top: 10, width: .fraction(0.5), height: 40)
    layout.maximumWidth = 300
    layout.minimumHeight = .fraction(0.2)
    let node = try LayerLayoutTests.evaluate(LayerLayoutTests.layer(layout), canvas: canvas)
    #expect(LayerLayoutTests.frame(node) == Rect(x: 10, y: 10, width: 300, height: 100))
    // A text that wraps does so at its largest width.
    var words = Self.text(100, wraps: true)
    words.layout = LayerLayout(right: 0, top: 0)
    words.layout?.maximumWidth = 250
    let wrapped = try LayerLayoutTests.evaluate(words, canvas: canvas)
    #expect(LayerLayoutTests.frame(wrapped) == Rect(x: 800, y: 0, width: 200, height: 120))
  }

  /// Sublayers that say where they are stay there.
  @Test func sublayersWithAPlace_areNotArranged() throws {
    var placed = Layer(frame: Rect(x: 7, y: 9, width: 3, height: 3))
    placed.backgroundColor = .white
    let corner = LayerLayoutTests.layer(LayerLayout(right: 1, top: 2, width: 5, height: 5))
    let row = Self.container(
      FlexLayout(gap: 4), LayerLayout(left: 0, top: 0, width: 100, height: 50),
      [placed, Self.box(10, 20), corner, Self.box(10, 20)])
    let frames = try Self.frames(row)
    #expect(frames[0] == Rect(x: 7, y: 9, width: 3, height: 3) && frames[2] == Rect(x: 94, y: 2, width: 5, height: 5))
    #expect(frames[1].minX == 0 && frames[3].minX == 14)
  }

  /// Siblings follow a layer whose size is animated, and a text that changes.
  @Test func itemsFollowSizesThatChange() throws {
    var growing = Layer()
    growing.bounds.size = Size(width: 100, height: 20)
    growing.backgroundColor = .white
    growing.animations = [
      .basic(.boundsSize, from: .point(x: 100, y: 20), to: .point(x: 300, y: 20), timing: LayerTiming(duration: 2))
    ]
    let row = Self.container(FlexLayout(gap: 5), LayerLayout(left: 0, top: 0, height: 20), [growing, Self.box(10, 20)])
    #expect(try Self.frames(row, at: 0)[1].minX == 105)
    #expect(try Self.frames(row, at: 1)[1].minX == 205)
    #expect(try Self.frames(row, at: 1)[0].size.width == 200)
    #expect(try LayerLayoutTests.evaluate(row, canvas: Size(width: 1920, height: 1080), at: 1).layer.bounds.size.width == 215)
  }

  /// Nested layouts are measured once for each question: their cost doesn't double with each level.
  @Test func deepNesting_ends() throws {
    var layer = Self.text(20, wraps: true)
    for level in 0..<100 {
      layer = Self.container(FlexLayout(level % 2 == 0 ? .row : .column, gap: 1), nil, [layer, Self.box(2, 2)])
    }
    layer.layout = LayerLayout(left: 0, top: 0, width: 500)
    let start = ContinuousClock.now
    _ = try LayerLayoutTests.evaluate(layer, canvas: Size(width: 1920, height: 1080))
    #expect(ContinuousClock.now - start < .seconds(20))
  }

  @Test func project_keepsEveryKey() throws {
    var flex = FlexLayout(.columnReverse, gap: 3, padding: FlexLayout.Padding(top: 1, right: 2, bottom: 3, left: 4))
    (flex.wraps, flex.lineGap, flex.alignItems) = (true, 9, .center)
    (flex.justifyContent, flex.alignContent) = (.spaceEvenly, .end)
    var layer = Self.box(30, 40) {
      ($0.minimumWidth, $0.maximumWidth, $0.minimumHeight, $0.maximumHeight) = (1, .fraction(0.5), 2, 90)
      ($0.flexItem.grow, $0.flexItem.shrink, $0.flexItem.basis, $0.flexItem.alignSelf) = (2, 0.5, 12, .end)
    }
    layer.flex = flex
    let decoded = try JSONDecoder().decode(Layer.self, from: JSONEncoder().encode(layer))
    #expect(decoded == layer)
  }
}
