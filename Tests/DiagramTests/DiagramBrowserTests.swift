import CompositorAPI
import CompositorDiagram
import CompositorMediaIO
import CompositorMediaWriting
import CompositorTestSupport
import CompositorValidation
import Foundation
import Testing

/// What Chromium makes of diagrams: the independent opinion about SVG.
@Suite(.enabled(if: hasChromium != nil, "Chromium is not installed"))
struct DiagramBrowserTests {
  private func chromium(_ arguments: [String], in folder: TemporaryFolder) throws -> String {
    try runTool(
      try #require(hasChromium),
      ["--headless=new", "--no-sandbox", "--hide-scrollbars", "--user-data-dir=\(folder.file("profile"))"] + arguments)
  }

  private func pixels(_ path: String) throws -> (size: PixelSize, bytes: [UInt8]) {
    let size = try runTool(
      "ffprobe", ["-v", "error", "-show_entries", "stream=width,height", "-of", "csv=p=0:s=x", path])
    let sides = size.trimmingCharacters(in: .whitespacesAndNewlines).split(separator: "x").compactMap { Int($0) }
    let bytes = try runProgram("ffmpeg", ["-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"])
    return (PixelSize(width: sides[0], height: sides[1]), Array(bytes))
  }

  @Test(.enabled(if: hasFFmpeg), arguments: [DiagramSettings.Theme.light, .dark])
  func pixels_insideOfBoxes_areThoseOfOurOwnImage(_ theme: DiagramSettings.Theme) throws {
    let folder = try TemporaryFolder()
    let edit = try Edits.faultyEditor()
    let diagram = TimelineDiagram(edit, diagnostics: CompositionValidator.validate(edit, catalog: Edits.catalog).diagnostics)
    let settings = DiagramSettings(time: .seconds(4), theme: theme)
    let text = diagram.svg(settings)
    try text.write(toFile: folder.file("diagram.svg"), atomically: true, encoding: .utf8)
    try PNGWriter.write(try diagram.image(settings), to: folder.file("own.png"))
    let svg = try SVGElements(text)
    let (width, height) = (
      Int(try #require(svg.root.number("width"))), Int(try #require(svg.root.number("height")).rounded(.up))
    )
    _ = try chromium(
      [
        "--screenshot=\(folder.file("browser.png"))", "--window-size=\(width),\(height)",
        "file://\(folder.file("diagram.svg"))",
      ], in: folder)
    let (own, browser) = (try pixels(folder.file("own.png")), try pixels(folder.file("browser.png")))
    #expect(own.size == PixelSize(width: width, height: height) && browser.size == own.size)
    func differs(_ x: Int, _ y: Int) -> Bool {
      let place = 3 * (y * width + x)
      return (0..<3).contains { abs(Int(own.bytes[place + $0]) - Int(browser.bytes[place + $0])) > 24 }
    }
    // Two rasterizers smooth edges in their own ways; squares of eight pixels have the same mean all the same.
    func mean(_ image: [UInt8], _ left: Int, _ top: Int) -> [Double] {
      (0..<3).map { channel in
        var sum = 0
        for y in top..<top + 8 { for x in left..<left + 8 { sum += Int(image[3 * (y * width + x) + channel]) } }
        return Double(sum) / 64
      }
    }
    var (different, count) = (0, 0)
    for top in stride(from: 0, through: height - 8, by: 8) {
      for left in stride(from: 0, through: width - 8, by: 8) {
        count += 1
        if zip(mean(own.bytes, left, top), mean(browser.bytes, left, top)).contains(where: { abs($0 - $1) > 24 }) {
          different += 1
        }
      }
    }
    #expect(Double(different) / Double(count) < 0.005, "\(different) of \(count) squares differ")
    let tops = try #require(svg.elements.first { $0.attributes["data-row"] == "video-1" })
    let top = try #require(tops.attributes["transform"]?.matches(of: /[\d.]+/).last.flatMap { Double($0.0) })
    let segments = svg.all("segment").filter { $0.row == "video-1" }
    #expect(segments.count == 2)
    for segment in segments {
      let y = Int(top + 30)
      let (x, length) = (try #require(segment.number("x")), try #require(segment.number("width")))
      func color(_ x: Int, _ image: [UInt8]) -> [UInt8] { Array(image[3 * (y * width + x)..<3 * (y * width + x) + 3]) }
      for place in [Int(x) + 3, Int(x + length) - 4] {
        #expect(!differs(place, y))
        // The segment's fill, as its attribute says.
        let fill = try #require(segment.attributes["fill"].flatMap { UInt32($0.dropFirst(), radix: 16) })
        #expect(color(place, browser.bytes) == [UInt8(fill >> 16), UInt8(fill >> 8 & 255), UInt8(fill & 255)])
      }
      if x > 200 { #expect(color(Int(x) - 4, browser.bytes) != color(Int(x) + 3, browser.bytes)) }
    }
  }

  /// A browser measures its text itself: no label is wider than the room that it was given.
  @Test(arguments: [3, 40, 500]) func labels_measuredByTheBrowser_doNotOverlap(_ count: Int) throws {
    let folder = try TemporaryFolder()
    let names = ["short.mov", "WWWWWWWWWWWWWWWW.mov", "日本語のクリップ.mov", "قائمة التشغيل.mov", "🎬🎬🎬🎬🎬.mov", "iiiiiiiillllllll.mov"]
    let edit = try Edits.clips(count, of: .seconds(3)) { names[$0 % names.count] }
    let diagnostics = (0..<9).map {
      ValidationDiagnostic(.invalidValueForKey, "A value is outside of its range, WWWW \($0).", instruction: $0 % count)
    }
    let script = """
      const boxes = [...document.querySelectorAll('svg text')].map(e => { const b = e.getBBox(); const g = e.closest('[data-row]');
        return [g ? g.dataset.row : '', b.x, b.x + b.width, b.y, b.y + b.height, e.textContent] });
      document.body.innerHTML = ''; const p = document.createElement('pre'); p.id = 'out';
      p.textContent = JSON.stringify(boxes); document.body.append(p);
      """
    let svg = TimelineDiagram(edit, diagnostics: diagnostics).svg()
    try "<!DOCTYPE html><meta charset=utf-8><body>\(svg)<script>\(script)</script></body>".write(
      toFile: folder.file("page.html"), atomically: true, encoding: .utf8)
    let page = try chromium(["--dump-dom", "file://\(folder.file("page.html"))"], in: folder)
    let json = try #require(page.firstMatch(of: /<pre id="out">(.*)<\/pre>/.dotMatchesNewlines()).map { String($0.1) })
      .replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&amp;", with: "&")
    let list = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[Any]])
    #expect(list.count > 20)
    let boxes = list.compactMap { item -> (row: String, box: [Double], text: String)? in
      let numbers = item[1...4].compactMap { ($0 as? NSNumber)?.doubleValue }
      guard let row = item[0] as? String, let text = item[5] as? String, numbers.count == 4 else { return nil }
      return (row, numbers, text)
    }
    #expect(boxes.count == list.count)
    for (index, one) in boxes.enumerated() {
      #expect(one.box[1] <= 1280.5, "\(one.text)")
      for other in boxes[(index + 1)...] where other.row == one.row {
        let across = min(one.box[1], other.box[1]) - max(one.box[0], other.box[0])
        let down = min(one.box[3], other.box[3]) - max(one.box[2], other.box[2])
        // Boxes of lines are higher than their letters.
        #expect(across <= 0.5 || down <= 4.5, "“\(one.text)” and “\(other.text)” in \(one.row)")
      }
    }
  }
}
