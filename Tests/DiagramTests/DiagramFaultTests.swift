import CompositorAPI
import CompositorDiagram
import CompositorValidation
import Foundation
import Testing

/// Edits that are wrong: drawn, and marked where they are wrong.
@Suite struct DiagramFaultTests {
  @Test func faultyEditor_validated_isMarkedAtItsInstructions() throws {
    let edit = try Edits.faultyEditor()
    let diagnostics = CompositionValidator.validate(edit, catalog: Edits.catalog).diagnostics
    try #require(!diagnostics.isEmpty)
    let text = TimelineDiagram(edit, diagnostics: diagnostics).svg()
    let svg = try SVGElements(text)
    for (index, diagnostic) in diagnostics.enumerated() {
      let marks = svg.elements.filter { $0.attributes["data-diagnostic"] == "\(index)" }
      #expect(marks.contains { $0.row == "diagnostics" }, "\(diagnostic)")
      #expect(marks.contains { $0.row == nil }, "in the list: \(diagnostic)")
      for mark in marks where mark.row != nil { #expect(mark.tooltip.contains(diagnostic.message)) }
      guard let range = diagnostic.timeRange, range.isNumeric, range.duration > .zero else { continue }
      for mark in svg.all("fault") where mark.attributes["data-diagnostic"] == "\(index)" {
        let (x, width) = (try #require(mark.number("x")), try #require(mark.number("width")))
        #expect(abs(x - (try svg.x(range.start.seconds))) < 0.011)
        #expect(abs(x + width - (try svg.x(range.end.seconds))) < 0.021)
      }
    }
    #expect(svg.all("fault").contains { $0.row == "instructions" })
    // Both instructions that overlap are seen: in lanes of their own.
    let boxes = svg.all("instruction").filter { !$0.kinds.contains("fill") }
    #expect(boxes.count == 5 && Set(boxes.compactMap { $0.number("y") }).count == 2)
    #expect(svg.elements.contains { $0.kinds.contains("message") && $0.text.hasPrefix("error: ") })
  }

  static let times: [(String, MediaTime)] = [
    ("invalid", .invalid), ("indefinite", .indefinite), ("plus", .positiveInfinity), ("minus", .negativeInfinity),
    ("negative", .seconds(-7)), ("huge", MediaTime(value: .max, timescale: 1)),
    ("low", MediaTime(value: .min + 1, timescale: 1)),
    ("no timescale", MediaTime(value: 5, timescale: 0, flags: .valid)), ("tiny", MediaTime(value: 1, timescale: .max)),
    ("usual", .seconds(4)),
    ("epoch", MediaTime(value: 1, timescale: 1, flags: .valid, epoch: 3)),
  ]

  @Test(arguments: times.indices) func instruction_atAnyTime_isDrawn(_ index: Int) throws {
    // Each time begins with some of the others as its duration: a third of the pairs.
    for (name, duration) in Self.times.enumerated().filter({ ($0.offset + index) % 3 == 0 }).map(\.element) {
      var edit = try Edits.faultyEditor()
      edit.videoComposition.instructions[2].timeRange = TimeRange(start: Self.times[index].1, duration: duration)
      edit.videoComposition.frameDuration = duration
      var layer = Layer(frame: Rect(x: 0, y: 0, width: 10, height: 10), content: .text(TextContent("title")))
      layer.timing = LayerTiming(beginTime: Self.times[index].1.seconds, duration: duration.seconds, speed: duration.seconds)
      edit.titles.layers = [layer]
      let diagnostics = CompositionValidator.validate(edit, catalog: Edits.catalog).diagnostics
      let diagram = TimelineDiagram(edit, diagnostics: diagnostics)
      for settings in [
        DiagramSettings(time: duration), DiagramSettings(range: TimeRange(start: duration, duration: Self.times[index].1)),
      ] {
        let svg = try SVGElements(diagram.svg(settings))
        let root = svg.root
        #expect(try #require(root.number("data-duration")) > 0, "\(Self.times[index].0) \(name)")
        for element in svg.elements where element.name == "rect" {
          let (x, width) = (element.number("x") ?? 0, element.number("width") ?? 0)
          #expect(x >= 0 && width >= 0 && x + width <= 1280.02, "\(Self.times[index].0) \(name)")
        }
        #expect(!diagram.text(settings).isEmpty && diagram.html(settings).contains("</html>"))
      }
    }
  }

  @Test func everyInstruction_ofAnEditWithoutTracks_isDrawn() throws {
    let instructions = (0..<4).map { Instruction(timeRange: TimeRange(start: .seconds($0 * 2), duration: .seconds(2))) }
    let edit = Edit(
      composition: Composition(),
      videoComposition: VideoComposition(
        instructions: instructions, frameDuration: .zero, renderSize: PixelSize(width: 0, height: -4)))
    let svg = try SVGElements(TimelineDiagram(edit).svg())
    #expect(svg.all("instruction").count == 4 && svg.root.number("data-duration") == 8)
    let empty = Edit(
      composition: Composition(),
      videoComposition: VideoComposition(frameDuration: .invalid, renderSize: PixelSize(width: 1, height: 1)))
    #expect(try SVGElements(TimelineDiagram(empty).svg()).root.number("data-duration") == 1)
  }

  static let hostile = [
    "<&\"'>]]>", "\u{0}\u{1}\u{8}\u{b}\u{1f}\u{7f}\u{fffe}\u{ffff}", "قائمة التشغيل 12:30 (1).mov", "שלום <b>12</b>", "🎬👩‍👩‍👧‍👦🇩🇪.mov",
    "\u{202e}gnp.exe\u{202c}\u{2066}", String(repeating: "long ", count: 2000),
    String(repeating: "e\u{301}\u{302}", count: 3000),
    "</text><script>alert(1)</script>", "--><!--", "a\nb\r\n\tc", "", "   ", "日本語のとても長い名前のクリップ.mov", "%s%n%@", "\u{2028}\u{85}",
  ]

  @Test(arguments: hostile) func text_ofAnySort_leavesValidXML(_ name: String) throws {
    var edit = try Edits.clips(6, of: .seconds(2)) { _ in name }
    edit.videoComposition.instructions[1].compositor = CompositorID(rawValue: name)
    var layer = Layer(frame: Rect(x: 0, y: 0, width: 10, height: 10), content: .text(TextContent(name)))
    layer.name = name
    layer.timing = LayerTiming(beginTime: 1, duration: 2)
    edit.titles.layers = [layer]
    edit.captions = [
      CaptionTrack([CaptionCue(TimeRange(start: .zero, duration: .seconds(3)), name)], language: name, title: name)
    ]
    let diagnostics = [
      ValidationDiagnostic(.invalidValueForKey, name, instruction: 1, cause: name, recoverySuggestion: name, path: name)
    ]
    let diagram = TimelineDiagram(edit, diagnostics: diagnostics)
    let text = diagram.svg(DiagramSettings(title: name, theme: .auto))
    let svg = try SVGElements(text)
    #expect(!svg.elements.contains { $0.name == "script" })
    #expect(svg.all("instruction").count == 6)
    #expect(text.utf8.count < 200_000)
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      #expect(line.hasPrefix("<") || line.hasPrefix("@"))
    }
    for scalar in text.unicodeScalars { #expect(scalar.value >= 0x20 || scalar == "\n") }
    let page = diagram.html(DiagramSettings(title: name))
    #expect(!page.contains("<script"))
    for line in diagram.text(DiagramSettings(title: name), columns: 100).split(separator: "\n") {
      #expect(!line.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202e })
    }
    // Fonts differ in what they shape; one width suffices for what is slow in a debug build.
    if name.utf8.count < 60 { _ = try diagram.image(DiagramSettings(title: name, width: 480)) }
  }

  @Test func diagnostics_inThousands_areCountedAndListedInPart() throws {
    let edit = try Edits.clips(500, of: .seconds(1))
    let diagnostics = (0..<5000).map {
      ValidationDiagnostic(.invalidTimeRangeInInstruction, "fault \($0)", instruction: $0 % 500)
    }
    let svg = try SVGElements(TimelineDiagram(edit, diagnostics: diagnostics).svg())
    #expect(svg.elements.contains { $0.kinds.contains("rest") && $0.text == "and 4960 more diagnostics" })
    let shown = svg.all("diagnostic").count
    #expect(svg.elements.contains { $0.row == "diagnostics" && $0.kinds.contains("rest") && $0.text == "+\(5000 - shown)" })
  }
}
