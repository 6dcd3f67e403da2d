import CompositorAPI
import CompositorOverlay
import Foundation
import Testing

/// Rows and columns of boxes and texts, as a browser lays them out.
struct BrowserFlexTests {
  /// A layer and the same in HTML.
  private struct Pair {
    var layer: Layer
    var html: String
  }

  private struct Maker {
    var numbers = Numbers()

    mutating func integer(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &numbers) }
    mutating func happens(in parts: Int) -> Bool { integer(1...parts) == 1 }
    mutating func pick<Element>(_ list: [Element]) -> Element { list[integer(0...list.count - 1)] }
    /// A length, which may be a part of the parent.
    mutating func length(_ range: ClosedRange<Int>) -> (LayoutLength, String) {
      if happens(in: 3) {
        let percent = integer(5...60)
        return (.fraction(Double(percent) / 100), "\(percent)%")
      }
      let points = integer(range)
      return (.pixels(Double(points)), "\(points)px")
    }
  }

  /// A text of four words, each 100 × 60 pixels at size 100; see ``LayerLayoutTests/measure(_:)``.
  private static func text(size: Int, wraps: Bool) -> Pair {
    var text = TextContent("four words are here")
    text.font.size = Double(size)
    text.wraps = wraps
    var layer = Layer()
    layer.content = .text(text)
    let word = "<i style=\"width:\(size)px;height:\(Double(size) * 0.6)px\"></i>"
    let words = Array(repeating: word, count: 4).joined(separator: wraps ? "<wbr>" : "")
    return Pair(
      layer: layer, html: "<p class=\"b\" style=\"white-space:\(wraps ? "normal" : "nowrap");STYLE\">\(words)</p>")
  }

  /// A browser doesn't narrow a box to the lines of a text that wraps.
  private static func measure(_ text: TextContent) -> Size {
    var size = LayerLayoutTests.measure(text)
    if text.wraps, text.maximumWidth > 0, text.font.size * 4 > text.maximumWidth {
      size.width = max(text.maximumWidth, text.font.size)
    }
    return size
  }

  /// The boxes of words stand on the baseline.
  private static func layOut(_ text: TextContent, in size: Size) -> TextLayout {
    TextLayout(extents: TextExtents(size: size, baseline: text.font.size * 0.6), clusters: [], units: [:])
  }

  private static func item(_ maker: inout Maker, depth: Int, inRow isRow: Bool, wraps isMultiline: Bool) -> Pair {
    var (layout, style) = (LayerLayout(), "")
    func set(_ key: WritableKeyPath<LayerLayout, LayoutLength?>, _ name: String, _ value: (LayoutLength, String)) {
      layout[keyPath: key] = value.0
      style += "\(name):\(value.1);"
    }
    var pair: Pair
    switch maker.integer(0...4) {
    case 0: pair = text(size: maker.integer(10...80), wraps: false)
    case 1: pair = text(size: maker.integer(10...80), wraps: true)
    case 2 where depth < 2: pair = container(&maker, depth: depth + 1)
    default:
      pair = Pair(layer: LayerLayoutTests.layer(LayerLayout()), html: "<div class=\"b\" style=\"STYLE\"></div>")
      if !maker.happens(in: 4) { set(\.width, "width", maker.length(10...300)) }
      if !maker.happens(in: 4) { set(\.height, "height", maker.length(10...200)) }
    }
    if maker.happens(in: 4) { set(\.minimumWidth, "min-width", maker.length(0...200)) }
    if maker.happens(in: 4) { set(\.maximumWidth, "max-width", maker.length(20...300)) }
    if maker.happens(in: 5) { set(\.minimumHeight, "min-height", maker.length(0...100)) }
    if maker.happens(in: 5) { set(\.maximumHeight, "max-height", maker.length(20...200)) }
    if maker.happens(in: 3) {
      let grow = Double(maker.integer(1...6)) / 4
      layout.flexItem.grow = grow
      style += "flex-grow:\(grow);"
    }
    if maker.happens(in: 3) {
      let shrink = Double(maker.integer(0...6)) / 4
      layout.flexItem.shrink = shrink
      style += "flex-shrink:\(shrink);"
    }
    if maker.happens(in: 5) {
      let basis = maker.integer(0...250)
      layout.flexItem.basis = .pixels(Double(basis))
      style += "flex-basis:\(basis)px;"
    }
    if maker.happens(in: 4) {
      let alignment = maker.pick(FlexLayout.Alignment.allCases)
      layout.flexItem.alignSelf = alignment
      style += "align-self:\(css(alignment));"
    }
    pair.layer.layout = layout
    pair.html.replace("STYLE", with: style)
    return pair
  }

  private static func css(_ alignment: FlexLayout.Alignment) -> String {
    switch alignment {
    case .stretch, .center, .baseline: alignment.rawValue
    case .start, .end: "flex-\(alignment.rawValue)"
    }
  }

  private static func css(_ distribution: FlexLayout.Distribution) -> String {
    distribution == .start || distribution == .end ? "flex-\(distribution.rawValue)" : distribution.rawValue
  }

  private static func container(_ maker: inout Maker, depth: Int) -> Pair {
    var flex = FlexLayout(maker.pick(FlexLayout.Direction.allCases))
    // Columns that wrap aren't asked of a browser: they give themselves the width of one column.
    flex.wraps = flex.direction.rawValue.hasPrefix("row") && maker.happens(in: 3)
    flex.gap = Double(maker.integer(0...20))
    if maker.happens(in: 2) { flex.lineGap = Double(maker.integer(0...20)) }
    flex.padding = FlexLayout.Padding(
      top: Double(maker.integer(0...20)), right: Double(maker.integer(0...20)), bottom: Double(maker.integer(0...20)),
      left: Double(maker.integer(0...20)))
    flex.alignItems = maker.pick(FlexLayout.Alignment.allCases)
    flex.justifyContent = maker.pick(FlexLayout.Distribution.allCases)
    if maker.happens(in: 2) { flex.alignContent = maker.pick(FlexLayout.Distribution.allCases) }
    let isRow = flex.direction.rawValue.hasPrefix("row")
    let items = (0..<maker.integer(1...4)).map { _ in item(&maker, depth: depth, inRow: isRow, wraps: flex.wraps) }
    var layer = Layer()
    layer.flex = flex
    layer.sublayers = items.map(\.layer)
    layer.backgroundColor = .white
    let (along, between) = (flex.gap, flex.lineGap ?? flex.gap)
    let padding = flex.padding
    let style = """
      display:flex;flex-direction:\(flex.direction.rawValue);flex-wrap:\(flex.wraps ? "wrap" : "nowrap");\
      column-gap:\(isRow ? along : between)px;row-gap:\(isRow ? between : along)px;\
      padding:\(padding.top)px \(padding.right)px \(padding.bottom)px \(padding.left)px;\
      align-items:\(css(flex.alignItems));justify-content:\(css(flex.justifyContent));\
      align-content:\(flex.alignContent.map(css) ?? "stretch");
      """
    return Pair(layer: layer, html: "<div class=\"b\" style=\"\(style)STYLE\">\(items.map(\.html).joined())</div>")
  }

  /// The outermost box: at the top left, of a size of its own or as large as its items.
  private static func root(_ maker: inout Maker) -> Pair {
    var pair = container(&maker, depth: 0)
    var layout = LayerLayout(left: 0, top: 0)
    var style = "position:absolute;left:0;top:0;"
    if maker.happens(in: 2) {
      let width = maker.integer(100...800)
      layout.width = .pixels(Double(width))
      style += "width:\(width)px;"
    }
    if maker.happens(in: 2) {
      let height = maker.integer(100...600)
      layout.height = .pixels(Double(height))
      style += "height:\(height)px;"
    }
    pair.layer.layout = layout
    pair.html.replace("STYLE", with: style)
    return pair
  }

  /// The rectangles of a tree in the order of its HTML.
  private static func rectangles(_ node: PresentationNode, from origin: Point = .zero) -> [Rect] {
    let own = LayerLayoutTests.frame(node)
    let rect = Rect(x: origin.x + own.minX, y: origin.y + own.minY, width: own.size.width, height: own.size.height)
    return [rect] + node.children.flatMap { rectangles($0, from: rect.origin) }
  }

  @Test(.enabled(if: BrowserLayoutTests.browser != nil, "Chromium is not installed"))
  func layouts_ofEveryKind_areThoseOfABrowser() throws {
    var maker = Maker()
    let cases = (0..<400).map { _ in Self.root(&maker) }
    let canvas = Size(width: 1280, height: 720)
    let body = cases.map { "<section>\($0.html)</section>" }.joined()
    let page = """
      <!doctype html><style>* { box-sizing: border-box; margin: 0 } section { position: absolute; left: 0; top: 0; width: 1280px; height: 720px }
      p { font-size: 0; line-height: 0 } i { display: inline-block }</style>\(body)<pre></pre><script>
      document.querySelector("pre").textContent = "[[" + [...document.querySelectorAll(".b")].map((child) => {
        const box = child.getBoundingClientRect()
        return [box.x, box.y, box.width, box.height].map((value) => value.toFixed(6))
      }).join("],[") + "]]"
      document.querySelectorAll("section").forEach((box) => box.remove())
      </script>
      """
    let found = try BrowserLayoutTests.rectangles(of: page)
    var (index, wrong) = (0, 0)
    for (number, pair) in cases.enumerated() {
      let node = try #require(
        try LayerEvaluator.evaluate(
          pair.layer, at: 0, canvas: canvas, layOut: { (text, size) throws(CompositorError) in Self.layOut(text, in: size) }
        ) { (text) throws(CompositorError) in Self.measure(text) })
      let rects = Self.rectangles(node)
      try #require(found.count >= index + rects.count)
      let theirs = Array(found[index..<index + rects.count])
      index += rects.count
      // Browsers lay out in steps of 1/64 pixel, at each level.
      let isSame = zip(rects, theirs).allSatisfy { LayerLayoutTests.isNear($0, $1, within: 0.5) }
      if !isSame {
        wrong += 1
        if wrong <= 3 { Issue.record("case \(number): \(pair.html)\n\(rects)\n\(theirs)") }
      }
    }
    #expect(wrong == 0 && index == found.count, "\(wrong) of \(cases.count)")
  }
}
