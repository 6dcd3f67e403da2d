import CompositorAPI
import CompositorOverlay
import Foundation
import Testing

/// Layouts as a browser places absolutely positioned boxes.
struct BrowserLayoutTests {
  static let browser = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  /// One box in another, each with what it says along both axes.
  struct Case {
    var layer: Layer
    /// The same in CSS.
    var style: String
  }

  private static func css(_ length: LayoutLength) -> String { "(\(length.pixels)px + \(length.fraction * 100)%)" }

  /// A way to place a box along an axis.
  private static func axis(_ kind: Int, _ a: LayoutLength, _ b: LayoutLength, isAcross: Bool) -> (LayerLayout, String) {
    let (near, far, size) = isAcross ? ("left", "right", "width") : ("top", "bottom", "height")
    var layout = LayerLayout()
    func set(
      _ across: WritableKeyPath<LayerLayout, LayoutLength?>, _ down: WritableKeyPath<LayerLayout, LayoutLength?>,
      _ value: LayoutLength
    ) {
      layout[keyPath: isAcross ? across : down] = value
    }
    switch kind {
    case 0:
      set(\.left, \.top, a)
      set(\.right, \.bottom, b)
      return (layout, "\(near): calc\(css(a)); \(far): calc\(css(b));")
    case 1:
      set(\.left, \.top, a)
      set(\.width, \.height, b)
      return (layout, "\(near): calc\(css(a)); \(size): calc\(css(b));")
    case 2:
      set(\.right, \.bottom, a)
      set(\.width, \.height, b)
      return (layout, "\(far): calc\(css(a)); \(size): calc\(css(b));")
    case 3:
      set(\.centerX, \.centerY, a)
      set(\.width, \.height, b)
      return (layout, "\(near): calc(\(css(a)) - \(css(b)) / 2); \(size): calc\(css(b));")
    case 4:
      set(\.left, \.top, a)
      set(\.centerX, \.centerY, b)
      return (layout, "\(near): calc\(css(a)); \(size): calc(2 * (\(css(b)) - \(css(a))));")
    default:
      set(\.right, \.bottom, a)
      set(\.centerX, \.centerY, b)
      return (layout, "\(far): calc\(css(a)); \(size): calc(2 * (100% - \(css(a)) - \(css(b))));")
    }
  }

  private static func merged(_ across: LayerLayout, _ down: LayerLayout) -> LayerLayout {
    LayerLayout(
      left: across.left, right: across.right, top: down.top, bottom: down.bottom, width: across.width, height: down.height,
      centerX: across.centerX, centerY: down.centerY)
  }

  private static func cases() -> [Case] {
    var numbers = Numbers()
    func length() -> LayoutLength {
      Bool.random(using: &numbers)
        ? LayoutLength(pixels: Double(Int.random(in: 0...300, using: &numbers)))
        : .fraction(Double(Int.random(in: 0...60, using: &numbers)) / 100)
    }
    var cases: [Case] = []
    for across in 0..<6 {
      for down in 0..<6 {
        let (x, y) = (axis(across, length(), length(), isAcross: true), axis(down, length(), length(), isAcross: false))
        cases.append(Case(layer: LayerLayoutTests.layer(merged(x.0, y.0)), style: x.1 + y.1))
      }
      // One axis from the ratio, at an edge.
      let (x, edge, ratio) = (axis(across, length(), length(), isAcross: true), length(), 0.5 + Double(across) / 2)
      var layout = x.0
      (layout.top, layout.aspectRatio) = (edge, ratio)
      cases.append(Case(layer: LayerLayoutTests.layer(layout), style: x.1 + "top: calc\(css(edge)); aspect-ratio: \(ratio);"))
    }
    // One edge, and the layer's own size.
    let (left, bottom) = (length(), length())
    cases.append(
      Case(
        layer: LayerLayoutTests.layer(LayerLayout(left: left, bottom: bottom), bounds: Size(width: 120, height: 40)),
        style: "left: calc\(css(left)); bottom: calc\(css(bottom)); width: 120px; height: 40px;"))
    return cases
  }

  @Test(.enabled(if: browser != nil, "Chromium is not installed"))
  func layouts_ofEveryKind_areWhereABrowserPutsThem() throws {
    let cases = Self.cases()
    var boxes = ""
    for canvas in LayerLayoutTests.canvases {
      for parent in cases.prefix(8) {
        for child in cases {
          boxes += """
            <div style="left:0;top:0;width:\(canvas.width)px;height:\(canvas.height)px"><div style="\(parent.style)"><div class="child" style="\(child.style)"></div></div></div>
            """
        }
      }
    }
    let page = """
      <!doctype html><style>* { box-sizing: border-box; margin: 0 } div { position: absolute }</style>\(boxes)<pre></pre><script>
      const round = (value) => value.toFixed(6)
      document.querySelector("pre").textContent = "[[" + [...document.querySelectorAll(".child")].map((child) => {
        const box = child.getBoundingClientRect()
        return [box.x, box.y, box.width, box.height].map(round)
      }).join("],[") + "]]"
      document.querySelectorAll("div").forEach((box) => box.remove())
      </script>
      """
    let found = try Self.rectangles(of: page)
    var index = 0
    for canvas in LayerLayoutTests.canvases {
      for parent in cases.prefix(8) {
        for child in cases {
          var outer = parent.layer
          outer.sublayers = [child.layer]
          let node = try LayerLayoutTests.evaluate(outer, canvas: canvas)
          let (place, inner) = (LayerLayoutTests.frame(node), LayerLayoutTests.frame(node.children[0]))
          let rect = Rect(
            x: place.minX + inner.minX, y: place.minY + inner.minY, width: inner.size.width, height: inner.size.height)
          // Browsers lay out in steps of 1/64 pixel.
          try #require(found.indices.contains(index))
          #expect(
            LayerLayoutTests.isNear(rect, found[index], within: 0.11),
            "\(canvas) \(parent.style) | \(child.style): \(rect), not \(found[index])")
          index += 1
        }
      }
    }
    #expect(index == found.count && index == 3 * 8 * 43)
  }

  /// The rectangles that a page writes into its `pre`, as a list of lists of numbers.
  static func rectangles(of page: String) throws -> [Rect] {
    let file = FileManager.default.temporaryDirectory.appending(path: "layout-\(UUID().uuidString).html")
    try Data(page.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    return try rectangles(in: file)
  }

  private static func rectangles(in page: URL) throws -> [Rect] {
    let process = Process()
    process.executableURL = URL(filePath: try #require(browser))
    process.arguments = ["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", page.absoluteString]
    let (output, errors) = (Pipe(), FileHandle(forWritingAtPath: "/dev/null"))
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    let start = try #require(text.range(of: "<pre>")), end = try #require(text.range(of: "</pre>"))
    let rows = try JSONDecoder().decode([[Double]].self, from: Data(text[start.upperBound..<end.lowerBound].utf8))
    return rows.map { Rect(x: $0[0], y: $0[1], width: $0[2], height: $0[3]) }
  }
}
