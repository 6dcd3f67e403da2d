import CompositorAPI
import CompositorDiagram
import Foundation
import Testing

/// What an XML parser finds in diagrams.
@Suite struct DiagramStructureTests {
  @Test(arguments: [(2, 3.0), (3, 1.5), (20, 10.0), (100, 7.2), (500, 21.6)])
  func segments_ofAnyCount_areAtTheirTimesOrCounted(_ count: Int, _ seconds: Double) throws {
    let edit = try Edits.clips(count, of: .seconds(seconds))
    let svg = try SVGElements(TimelineDiagram(edit).svg())
    for (row, kinds, expected) in [
      ("video-1", ["segment", "gap"], count), ("video-2", ["segment", "gap"], count), ("audio-3", ["segment"], count),
      ("instructions", ["instruction"], count),
    ] {
      let boxes = svg.elements.filter {
        $0.row == row && $0.name == "rect" && !$0.kinds.isDisjoint(with: kinds) && !$0.kinds.contains("fill")
      }
      #expect(boxes.reduce(0) { $0 + Int($1.number("data-count") ?? 1) } == expected, "\(row)")
      for box in boxes {
        let (x, width) = (try #require(box.number("x")), try #require(box.number("width")))
        let (start, end) = (try #require(box.number("data-time")), try #require(box.number("data-end")))
        let (left, right) = (try svg.x(start), try svg.x(end))
        #expect(abs(x - left) <= 0.011 && abs(x + width - right) <= 0.021, "\(row) \(box)")
      }
      let starts = boxes.filter { $0.number("data-count") == nil }.compactMap { $0.number("data-time") }
      #expect(starts == starts.sorted())
    }
  }

  /// An instruction that shows two clips of a track, of which the first moves: the second one's place is none of its movement.
  @Test func movement_ofTheFirstOfTwoClips_endsWithIt() throws {
    var edit = try Edits.clips(2, of: .seconds(2))
    var layer = LayerInstruction(trackID: edit.composition.tracks(.video)[0].trackID)
    try layer.transform.setRamp(
      from: .translation(x: 20, y: 50), to: .translation(x: 220, y: 50), timeRange: .seconds(0) ..< .seconds(2))
    try layer.transform.set(AffineMatrix.scale(x: 2.25, y: 2.25), at: .seconds(2))
    var instruction = Instruction(timeRange: .seconds(0) ..< .seconds(4))
    instruction.layers = [layer]
    edit.videoComposition.instructions = [instruction]
    let movements = try SVGElements(TimelineDiagram(edit).svg()).all("movement").filter { $0.name == "rect" }
    #expect(movements.count == 1 && movements[0].number("data-end") == 2, "\(movements)")
    #expect(movements.first?.tooltip.hasPrefix("moves by 200, 0\n") == true, "\(movements)")
  }

  @Test func root_always_tellsTheTimeAxisAndIsAccessible() throws {
    let svg = try SVGElements(TimelineDiagram(try Edits.clips(3, of: .seconds(4))).svg(DiagramSettings(time: .seconds(3))))
    let root = svg.root
    #expect(root.number("data-start") == 0 && root.number("data-duration") == 12)
    #expect(root.attributes["role"] == "img")
    let labels = (root.attributes["aria-labelledby"] ?? "").split(separator: " ").map(String.init)
    #expect(labels.count == 2)
    for label in labels { #expect(svg.elements.contains { $0.attributes["id"] == label && !$0.text.isEmpty }) }
    let heads = svg.all("playhead")
    #expect(heads.count == 1 && heads.first?.name == "g" && heads.first?.number("data-time") == 3)
    #expect(heads.first?.attributes["transform"] == "translate(\(String(format: "%.2f", try svg.x(3))) 0)")
    let ids = svg.elements.compactMap { $0.attributes["id"] }
    #expect(Set(ids).count == ids.count)
  }

  @Test func svg_ofAnEdit_hasOneElementToALineAndFixedDecimals() throws {
    let text = TimelineDiagram(try Edits.clips(40, of: MediaTime(value: 1001, timescale: 30_000))).svg()
    for line in text.split(separator: "\n") { #expect(line.hasPrefix("<"), "\(line)") }
    for match in text.matches(of: /\s(?:x|y|width|height|x1|y1|x2|y2|rx|stroke-width|font-size)="([^"]*)"/) {
      #expect(match.1.wholeMatch(of: /-?\d+\.\d\d/) != nil, "\(match.0)")
    }
  }

  /// A tool-independent estimate is not needed here: the widths are those of the widest font that is asked for. Browsers are asked in
  /// `DiagramBrowserTests`.
  @Test(arguments: [(2, 3.0), (12, 3.0), (80, 10.0), (500, 21.6)], [320, 800, 1280, 4000])
  func labels_atAnyDensity_doNotOverlap(_ count: (Int, Double), _ width: Int) throws {
    let edit = try Edits.clips(count.0, of: .seconds(count.1)) { "a long name of a clip, the \($0)th.mov" }
    let svg = try SVGElements(TimelineDiagram(edit).svg(DiagramSettings(width: width)))
    let texts = svg.elements.filter { $0.name == "text" }
    #expect(texts.count > 10)
    for row in Set(texts.map(\.row)) {
      let boxes = try texts.filter { $0.row == row && !$0.text.isEmpty }.map { text in
        let (x, y, size) = (
          try #require(text.number("x")), try #require(text.number("y")), try #require(text.number("font-size"))
        )
        let width = TextMetrics.width(of: text.text, size: size, isBold: text.attributes["font-weight"] == "bold")
        let left =
          text.attributes["text-anchor"] == "middle" ? x - width / 2 : text.attributes["text-anchor"] == "end" ? x - width : x
        return (left: left, right: left + width, top: y - size * 0.8, bottom: y + size * 0.1, text: text.text)
      }.sorted { $0.left < $1.left }
      for (index, box) in boxes.enumerated() {
        #expect(box.left >= 0 && box.right <= Double(width) + 0.5, "\(box.text)")
        for other in boxes[(index + 1)...] {
          if other.left >= box.right { break }
          #expect(other.top >= box.bottom || box.top >= other.bottom, "“\(box.text)” and “\(other.text)” in \(row ?? "")")
        }
      }
    }
  }

  @Test func range_ofADetail_showsThatPartAlone() throws {
    let edit = try Edits.clips(100, of: .seconds(10))
    let settings = DiagramSettings(range: .seconds(95) ..< .seconds(125))
    let svg = try SVGElements(TimelineDiagram(edit).svg(settings))
    #expect(svg.root.number("data-start") == 95 && svg.root.number("data-duration") == 30)
    let instructions = svg.all("instruction").compactMap { $0.number("data-index") }
    #expect(instructions == [9, 10, 11, 12])
    let first = try #require(svg.all("instruction").first)
    #expect(first.number("x") == svg.root.number("data-x0"))
    #expect(first.number("data-time") == 90)
  }

  @Test func titlesAndCaptions_ofAnEdit_areThere() throws {
    var edit = try Edits.clips(2, of: .seconds(10))
    for index in 0..<30 {
      var layer = Layer(frame: Rect(x: 0, y: 0, width: 100, height: 20), content: .text(TextContent("title number \(index)")))
      layer.timing = LayerTiming(beginTime: Double(index) * 0.5, duration: 2)
      edit.titles.layers.append(layer)
    }
    edit.captions = [
      CaptionTrack(
        (0..<8).map { CaptionCue(TimeRange(start: .seconds($0 * 2), duration: .seconds(2)), "cue \($0)") }, language: "en")
    ]
    let svg = try SVGElements(TimelineDiagram(edit).svg())
    let titles = svg.all("title")
    #expect(titles.reduce(0) { $0 + Int($1.number("data-count") ?? 1) } == 30)
    #expect(titles.contains { $0.tooltip.contains("“title number 29”") && $0.number("data-time") == 14.5 })
    #expect(svg.all("caption").compactMap { $0.number("data-time") } == (0..<8).map { Double($0 * 2) })
  }

  @Test func volume_thatFades_isACurveAtItsTimes() throws {
    var edit = try Edits.clips(2, of: .seconds(10))
    var parameters = AudioMixInputParameters(trackID: 3)
    try parameters.volume.setRamp(from: 1, to: 0, timeRange: .seconds(5) ..< .seconds(15))
    edit.audioMix.inputParameters = [parameters]
    let svg = try SVGElements(TimelineDiagram(edit).svg())
    let curve = try #require(svg.all("volume").first)
    let points = (curve.attributes["points"] ?? "").split(separator: " ").map {
      $0.split(separator: ",").compactMap { Double($0) }
    }
    for seconds in [0.0, 5, 15, 20] {
      let x = try svg.x(seconds)
      #expect(points.contains { abs($0[0] - x) < 0.011 }, "\(seconds)")
    }
    let (top, bottom) = (points.map { $0[1] }.min() ?? 0, points.map { $0[1] }.max() ?? 0)
    let atTen = try svg.x(10)
    let (from, to) = (try #require(points.last { $0[0] <= atTen }), try #require(points.first { $0[0] > atTen }))
    let middle = from[1] + (to[1] - from[1]) * (atTen - from[0]) / (to[0] - from[0])
    #expect(abs(middle - (top + bottom) / 2) < 0.02)
    #expect(curve.tooltip.contains("1 to 0, 5 s to 15 s"))
  }
}
