import CompositorAPI
import CompositorDiagram
import Foundation
import Testing

/// The row of the documentation's example: a program's own.
struct BeatRow: DiagramRow {
  let beats: [MediaTime]
  let identifier = "beats"
  let title = "Beats"

  func height(in context: DiagramContext) -> Double { 16 }

  func draw(in context: DiagramContext, on canvas: inout DiagramCanvas) {
    for beat in beats {
      let x = canvas.scale.x(beat)
      var mark = DiagramMark(.line([Point(x: x, y: 2), Point(x: x, y: 14)]), kind: "beat", stroke: .text)
      mark.timeRange = TimeRange(start: beat, duration: .zero)
      canvas.add(mark)
    }
  }
}

/// A row of a program's own that tries everything.
private struct WildRow: DiagramRow {
  let identifier = "wild row\" onload=\"alert(1)"
  let title = "Wild <row>"
  let rowHeight: Double
  func height(in context: DiagramContext) -> Double { rowHeight }
  func draw(in context: DiagramContext, on canvas: inout DiagramCanvas) {
    canvas.add(
      DiagramMark(
        .rectangle(Rect(x: .nan, y: -.infinity, width: .infinity, height: 1e300)), kind: "a\"b<c", fill: .text, stroke: .text))
    canvas.add(DiagramMark(.line([]), kind: "x", stroke: .text))
    canvas.add(DiagramMark(.polygon([Point(x: .nan, y: 1)]), kind: "x", fill: .text))
    canvas.add(DiagramMark(.text("a\u{0}b", at: Point(x: .infinity, y: 0), size: .nan), kind: "x"))
    canvas.add(
      DiagramMark(
        .picture(DiagramImage(bytes: [1, 2, 3], mediaType: "image/\"png"), in: Rect(x: 1, y: 1, width: 4, height: 4)),
        kind: "x"))
    canvas.spans(
      [DiagramSpan(.invalid, label: "a", kind: "x"), DiagramSpan(.all, label: "b", kind: "x")], top: 0, height: 10,
      noun: "thing")
  }
}

@Suite struct OwnRowTests {
  @Test func ownRow_inADiagram_isDrawnLikeTheOthers() throws {
    var diagram = TimelineDiagram(try Edits.clips(3, of: .seconds(4)))
    let builtIn = diagram.rows.map(\.identifier)
    #expect(builtIn == ["ruler", "diagnostics", "video-1", "video-2", "instructions", "opacity-1", "opacity-2", "audio-3"])
    let beats = (0..<12).map { MediaTime.seconds($0) }
    diagram.rows.append(BeatRow(beats: beats))
    let svg = try SVGElements(diagram.svg())
    let marks = svg.all("beat")
    #expect(marks.compactMap { $0.number("data-time") } == beats.map(\.seconds))
    for mark in marks {
      #expect(mark.row == "beats")
      let x = try #require(mark.attributes["points"]?.split(separator: ",").first.flatMap { Double($0) })
      #expect(abs(x - (try svg.x(try #require(mark.number("data-time"))))) < 0.011)
    }
    let line = try #require(diagram.text().split(separator: "\n").first { $0.hasPrefix("Beats") })
    #expect(line.count { $0 == "┴" } == 12)
    diagram.rows.removeAll { $0.identifier != "beats" }
    #expect(try SVGElements(diagram.svg()).all("segment").isEmpty)
  }

  @Test(arguments: [10.0, 0, -1, .nan, .infinity, 1e9]) func ownRow_thatDrawsNonsense_harmsNothing(_ height: Double) throws {
    var diagram = TimelineDiagram(try Edits.clips(3, of: .seconds(4)))
    diagram.rows.append(WildRow(rowHeight: height))
    let svg = try SVGElements(diagram.svg())
    #expect(svg.all("instruction").count == 3)
    #expect(!svg.elements.contains { $0.attributes["onload"] != nil })
    #expect(try #require(svg.root.number("height")) < 5000)
    #expect(!diagram.text().isEmpty)
    // Slow in a debug build.
    if height == 10 { _ = try diagram.image(DiagramSettings(width: 480)) }
  }
}

@Suite struct DiagramDocumentTests {
  /// The example of the page is the one that this file compiles.
  @Test func example_ofThePage_isTheOneThatCompiles() throws {
    let source = try String(contentsOfFile: #filePath, encoding: .utf8)
    let page = try String(contentsOf: repository.appending(path: "docs/diagram.md"), encoding: .utf8)
    let start = try #require(source.range(of: "struct BeatRow"))
    let end = try #require(source.range(of: "\n}\n", range: start.lowerBound..<source.endIndex))
    #expect(page.contains(source[start.lowerBound..<end.upperBound]))
  }
}
