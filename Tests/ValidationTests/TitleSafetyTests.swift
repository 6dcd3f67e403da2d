import CompositorAPI
import CompositorMedia
import CompositorMediaIO
import CompositorProjectFormat
import CompositorTimeline
import CompositorValidation
import CompositorTestMedia
import Foundation
import Testing

/// Text that crosses the edge of the title-safe area, on a canvas of 320×180: 16 and 9 pixels from its edges.
@Suite struct TitleSafetyTests {
  private static func diagnostics(_ titles: String, size: String = "320x180") throws -> [ValidationDiagnostic] {
    let file = try ProjectFile(
      """
      { version: 1, output: { size: "\(size)", frameRate: 25 }, assets: { a: { generate: "color", size: "\(size)", duration: "4s" } },
        tracks: [{ clips: [{ asset: "a" }] }], titles: [\(titles)] }
      """)
    let catalog = MediaCatalog()
    let report = CompositionValidator.validate(try file.edit(catalog: catalog), catalog: catalog)
    return report.diagnostics.map(file.locating)
  }

  /// A text in the tree of a layer: `place` in front of it, animations or anything else behind.
  private static func text(_ place: String, _ more: String = "", string: String = "word") -> String {
    "{ layer: { \(place), content: { text: { string: '\(string)', font: { size: 30 } } } \(more) } }"
  }

  @Test(arguments: [
    (text("layout: { left: 2, top: '40%' }"), "left"), (text("layout: { right: 2, top: '40%' }"), "right"),
    (text("layout: { left: '40%', top: -10 }"), "top"), (text("layout: { left: '40%', bottom: -5 }"), "bottom"),
    // Partly off the canvas, and one text of several.
    (text("layout: { left: -20, top: '40%' }"), "left"),
    (
      "{ layer: { sublayers: [\(text("layout: { left: '40%', top: '40%' }").dropFirst(9).dropLast(2)), \(text("position: [20, 90]").dropFirst(9).dropLast(2))] } }",
      "left"
    ),
    // Slides in and comes to rest; fades in there.
    (text("position: [20, 90]", ", animations: [{ property: 'position.x', from: -80, duration: '1s' }]"), "left"),
    (text("position: [160, 170]", ", animations: [{ property: 'opacity', from: 0, to: 1, duration: '1s' }]"), "bottom"),
    ("{ text: 'low', position: ['50%', '97%'] }", "bottom"),
  ])
  func text_atRestAcrossTheEdge_isWarnedOf(title: String, edge: String) throws {
    let found = try Self.diagnostics(title)
    #expect(found.map(\.code) == [.titleOutsideSafeArea], "\(found)")
    #expect(found.first?.severity == .warning && found.first?.path?.hasPrefix("titles[0]") == true, "\(found)")
    #expect(found.first?.message.contains("beyond the \(edge) edge of the title-safe area") == true, "\(found)")
    #expect(found.first?.timeRange == TimeRange(start: .zero, end: .seconds(4)) && found.first?.cause != nil)
    #expect(found.first?.recoverySuggestion?.contains("16 pixels from the left and right edges and 9 from the top") == true)
  }

  /// Letters that are lost are told from those that are only near the edge.
  @Test(arguments: [
    (text("layout: { left: 2, top: '40%' }"), nil), (text("layout: { left: '40%', bottom: -5 }"), nil),
    (text("layout: { left: -20, top: '40%' }"), "left edge"), (text("layout: { right: -20, top: '40%' }"), "right edge"),
    (text("layout: { left: '40%', top: -20 }"), "top edge"), (text("layout: { left: '40%', bottom: -20 }"), "bottom edge"),
    (text("layout: { left: -20, top: -20 }"), "left and top edges"),
    (text("position: [160, 90]", string: "a line that is much too long for it"), "left and right edges"),
    ("{ text: 'Title', position: [0.5, 0.8] }", "left and top edges"),
    // Faint text may be near the edge, but not beyond it.
    (text("layout: { left: -20, top: '40%' }", ", opacity: 0.3"), "left edge"),
  ])
  func text_thatIsCutOff_isSaidToBeSo(_ title: String, _ edges: String?) throws {
    let found = try Self.diagnostics(title)
    #expect(found.map(\.code) == [.titleOutsideSafeArea], "\(found)")
    let message = try #require(found.first?.message)
    guard let edges else { return #expect(message.hasSuffix("the canvas of 320x180."), "\(message)") }
    #expect(message.hasSuffix("the canvas of 320x180, and is cut off at the \(edges) of the canvas."), "\(message)")
  }

  /// Every text is named, not only the first one: each once, also if it moves from one edge to another.
  @Test func texts_acrossTheEdge_areAllNamed() throws {
    func layer(_ place: String, _ string: String, _ more: String = "") -> Substring {
      Self.text(place, more, string: string).dropFirst(9).dropLast(2)
    }
    let moving = ", animations: [{ property: 'position.x', values: [20, 20, 300, 300], duration: '4s' }]"
    let layers = [
      layer("position: [20, 40]", "one"), layer("position: [160, 90]", "two"), layer("position: [300, 90]", "three"),
      layer("position: [20, 140]", "four", moving),
    ]
    let found = try Self.diagnostics("{ layer: { sublayers: [\(layers.joined(separator: ", "))] } }")
    #expect(found.allSatisfy { $0.code == .titleOutsideSafeArea }, "\(found)")
    let names = found.compactMap { $0.message.split(separator: "“").last?.split(separator: "”").first.map(String.init) }
    #expect(names == ["one", "three", "four"], "\(found)")
  }

  @Test(arguments: [
    text("layout: { left: '5%', top: '5%' }"), text("layout: { right: '5%', bottom: '5%' }"),
    // Shapes, images and boxes may reach to the edge, and text in a wide box.
    "{ layer: { layout: { left: 0, right: 0, bottom: 0, height: 40 }, backgroundColor: 'red' } }",
    "{ layer: { layout: { left: 0, right: 0, top: '40%' }, content: { text: { string: 'word', alignment: 'center' } } } }",
    // On its way through, or swinging, or there for a moment only.
    text("position: [20, 90]", ", animations: [{ property: 'position.x', from: -100, to: 420, duration: '4s' }]"),
    text("position: [20, 90]", ", animations: [{ property: 'position.x', by: 9, duration: '0.5s', repeatCount: 8 }]"),
    text("position: [20, 90]", ", timing: { beginTime: '1s', duration: '0.4s' }"),
    text("position: [20, 90]", ", timing: { beginTime: '3.8s' }"),
    // A watermark, a timecode, a masked and an unseen text.
    text("position: [45, 90]", ", opacity: 0.3"), text("position: [20, 90]", ", opacity: 0.1"),
    "{ layer: { position: [9, 9], content: { text: { generator: { timecode: { framesPerSecond: 25 } } } } } }",
    "{ layer: { layout: { left: 40, top: 40, width: 40, height: 40 }, masksToBounds: true, sublayers: [\(text("position: [-40, 20]").dropFirst(9).dropLast(2))] } }",
    text("position: [20, 90]", ", hidden: true").replacing("hidden: true", with: "opacity: 0.01"),
  ])
  func text_thatMayBeThere_isNot(title: String) throws {
    let found = try Self.diagnostics(title)
    #expect(!found.contains { $0.code == .titleOutsideSafeArea }, "\(found)")
  }

  @Test(arguments: ["320x180", "180x320", "1920x1080", "640x640"])
  func title_ofAReadyMadeKind_isInside(size: String) throws {
    let titles = [
      "{ text: 'Hello, world' }", "{ kind: 'lower-third', text: 'Ada Lovelace', role: 'Mathematician' }",
      "{ kind: 'caption', text: 'Hello, world' }", "{ kind: 'credits', text: 'Directed by\\nAda\\n\\nMusic\\nClara' }",
    ]
    let found = try Self.diagnostics(titles.joined(separator: ", "), size: size)
    #expect(!found.contains { $0.code == .titleOutsideSafeArea }, "\(found)")
  }

  @Test(arguments: ["1280x720", "720x1280"])
  func title_ofATemplate_isInside(size: String) throws {
    let folder = URL(filePath: #filePath).appending(path: "../../../Examples/Titles").standardized
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".json5") }.sorted()
    #expect(names.count >= 12)
    for name in names {
      let found = try Self.diagnostics("{ template: '\(folder.path)/\(name)' }", size: size)
      #expect(!found.contains { $0.code == .titleOutsideSafeArea }, "\(name): \(found)")
    }
  }
}
