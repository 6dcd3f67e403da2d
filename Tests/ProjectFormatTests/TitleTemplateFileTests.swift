import CompositorAPI
import CompositorHost
import CompositorMedia
import CompositorMediaIO
import CompositorProjectFormat
import CompositorTestMedia
import CompositorTestSupport
import CompositorTimeline
import CompositorValidation
import Foundation
import Testing

/// Titles in files of their own, with variables.
struct TitleTemplateFileTests {
  private static let template = """
    {
      version: 1,
      variables: { name: "Ada", size: 40, shadow: true, accent: "#ffcc00" },
      duration: "3s",
      layer: {
        bounds: ["100%", "100%"],
        position: ["50%", "50%"],
        sublayers: [
          {
            position: ["50%", "50%"],
            isHidden: "${shadow}",
            content: { text: { string: "${name} (${size})", font: { size: "${size}" }, color: "${accent}" } },
            animations: [{ property: "opacity", from: 0, to: 1, duration: "${duration}" }],
          },
        ],
      },
    }
    """

  private func project(_ title: String, variables: String = "") -> String {
    """
    { version: 1, output: { size: "320x180", frameRate: 25 }, assets: { a: { generate: "color", duration: "5s" } },
      tracks: [{ clips: [{ asset: "a" }] }], \(variables)
      titles: [\(title)] }
    """
  }

  /// The first title's tree.
  private func read(
    _ title: String, template: String = template, variables: String = "", set: [String: String] = [:]
  ) throws -> (title: TimelineTitle, text: Layer) {
    let folder = try TemporaryFolder()
    try Data(template.utf8).write(to: URL(fileURLWithPath: folder.file("t.json5")))
    let path = folder.file("p.json5")
    try Data(project(title, variables: variables).utf8).write(to: URL(fileURLWithPath: path))
    let timeline = try ProjectFile(contentsOf: path, variables: set).timeline(catalog: MediaCatalog())
    let first = try #require(timeline.titles.first)
    guard case .layer(let tree) = first.content else { throw CompositorError(.invalidValue, "no tree") }
    return (first, try #require(tree.sublayers.first))
  }

  private func error(_ title: String, template: String = template, set: [String: String] = [:]) throws -> CompositorError {
    try #require(throws: CompositorError.self) { _ = try read(title, template: template, set: set) }
  }

  private func text(_ layer: Layer) throws -> TextContent {
    guard case .text(let text) = layer.content else { throw CompositorError(.invalidValue, "no text") }
    return text
  }

  @Test func template_withoutValues_hasItsDefaults() throws {
    let (title, layer) = try read(#"{ template: "t.json5" }"#)
    #expect(title.duration == .seconds(3) && title.start == .zero)
    #expect(try text(layer).string == "Ada (40)" && text(layer).font.size == 40 && layer.isHidden)
    #expect(layer.animations.first?.timing.duration == 3)
  }

  @Test func template_withValues_hasThem() throws {
    let (title, layer) = try read(
      #"{ template: "t.json5", start: "1s", duration: "2s", variables: { name: "Bo ${who}", size: 12.5, shadow: false } }"#,
      variables: #"variables: { who: "Li" },"#)
    #expect(title.duration == .seconds(2) && title.start == .seconds(1))
    #expect(try text(layer).string == "Bo Li (12.5)" && text(layer).font.size == 12.5 && !layer.isHidden)
    #expect(layer.animations.first?.timing.duration == 2)
  }

  /// Without durations of title and template, the variable is the time until the asset's end.
  @Test func duration_inAnAsset_isThatUntilItsEnd() throws {
    let folder = try TemporaryFolder()
    let template = Self.template.replacing("  duration: \"3s\",\n", with: "")
    try Data(template.utf8).write(to: URL(fileURLWithPath: folder.file("t.json5")))
    let catalog = MediaCatalog()
    _ = try ProjectFile(
      """
      { version: 1, output: { size: "320x180", frameRate: 25 },
        assets: { t: { titles: [{ template: "t.json5", start: "0.5s" }], duration: "4s" } }, tracks: [{ clips: [{ asset: "t" }] }] }
      """, directory: folder.path + "/"
    ).edit(catalog: catalog)
    let root = try #require(catalog.titles(named: "assets.t")).root
    func animations(_ layer: Layer) -> [Double] {
      layer.animations.map(\.timing.duration) + layer.sublayers.flatMap(animations)
    }
    #expect(animations(root) == [3.5])
  }

  /// Values from outside are strings; they get the declared type, through the project's variables and the template's.
  @Test func template_withValuesSetFromOutside_hasThemInTheirType() throws {
    let (_, layer) = try read(
      #"{ template: "t.json5", variables: { size: "${size}", shadow: "${dark}" } }"#,
      variables: "variables: { size: 1, dark: true },", set: ["size": "77", "dark": "false"])
    #expect(try text(layer).font.size == 77 && !layer.isHidden)
  }

  @Test func list_reachesAKeyThatTakesOne() throws {
    let template = """
      { version: 1, variables: { colors: ["#ff0000", "#0000ff"] },
        layer: { sublayers: [{ bounds: [9, 9], content: { gradient: { colors: "${colors}" } } }] } }
      """
    func colors(_ title: String) throws -> [Color] {
      guard case .gradient(let gradient) = try read(title, template: template).text.content else { return [] }
      return gradient.colors
    }
    #expect(try colors(#"{ template: "t.json5" }"#).count == 2)
    #expect(try colors(#"{ template: "t.json5", variables: { colors: ["red", "lime", "blue"] } }"#).count == 3)
    let inside = template.replacing("colors: \"${colors}\"", with: "colors: [\"${colors}!\"]")
    #expect(try error(#"{ template: "t.json5" }"#, template: inside).message.contains("is a list"))
  }

  /// Parts of a whole may be percent, in layers and in their animations.
  @Test func percent_ofAPart_isTheFraction() throws {
    func layer(_ part: String, _ other: String) -> String {
      """
      { version: 1, variables: { share: 72 }, layer: { sublayers: [{ opacity: \(part),
        content: { shape: { path: "M 0 0 L 9 9", strokeEnd: \(part) } },
        animations: [{ property: "strokeEnd", from: \(other), to: \(part), duration: "1s" }] }] } }
      """
    }
    let written = try read(#"{ template: "t.json5" }"#, template: layer("0.72", "0.125")).text
    for part in [#""72%""#, #""${share}%""#] {
      #expect(try read(#"{ template: "t.json5" }"#, template: layer(part, #""12.5%""#)).text == written)
    }
    #expect(
      try error(#"{ template: "t.json5" }"#, template: layer(#""many""#, "0")).message.contains("\"many\" isn't a fraction"))
  }

  @Test(arguments: [
    (#"{ template: "none.json5" }"#, "none.json5", "titles[0].template"),
    (#"{ template: "t.json5", variables: { nam: "x" } }"#, "has no variable \"nam\"", "titles[0].variables.nam"),
    (#"{ template: "t.json5", variables: { size: "big" } }"#, "is a number, not \"big\"", "titles[0].variables.size"),
    (#"{ template: "t.json5", variables: { name: ["x"] } }"#, "is a string", "titles[0].variables.name"),
    (#"{ template: "t.json5", variables: { name: { a: 1 } } }"#, "not an object", "titles[0].variables.name"),
    (#"{ template: "t.json5", text: "x" }"#, "text", nil),
    (#"{ template: "t.json5", kind: "title" }"#, "kind", "titles[0].kind"),
  ])
  func mistakeInTheProject_isToldAtItsPlaceThere(_ title: String, _ words: String, _ path: String?) throws {
    let error = try error(title)
    #expect(error.message.contains(words), "\(error)")
    #expect(error.location.place?.contains("p.json5:3:") == true, "\(error)")
    if let path { #expect(error.location.path == path, "\(error)") }
  }

  @Test(arguments: [
    ("{ version: 1, layer: { bouns: [1, 2] } }", "bouns", "t.json5:1:24"),
    ("{ version: 1 }", "layer", "t.json5:1:1"), ("{ version: 1, layer: {}, titles: [] }", "titles", "t.json5:1:26"),
    ("{ version: 3, layer: {} }", "version 3", "t.json5:1:12"),
    ("{ version: 1, layer: { ", "the end of the file", "t.json5:1:"),
    (#"{ version: 1, layer: { name: "${x}" } }"#, "\"x\" has no value", "t.json5:1:30"),
    (#"{ version: 1, layer: { content: { text: { string: "a", font: { size: "x" } } } } }"#, "not a length", "t.json5:1:70"),
  ])
  func mistakeInTheTemplate_isToldAtItsPlaceThere(_ template: String, _ words: String, _ place: String) throws {
    let error = try error(#"{ template: "t.json5" }"#, template: template)
    #expect(error.message.contains(words), "\(error)")
    #expect(error.location.place?.contains(place) == true, "\(error)")
  }

  /// Every key that the schema knows is read: a wrong value is a mistake there.
  @Test func schema_everyKeyOfATemplate_isRead() throws {
    for key in ProjectSchema.shape("titleTemplate").keys {
      let others = ["version: 1", "layer: {}"].filter { !$0.hasPrefix(key.key) }
      let wrong = key.key == "variables" || key.key == "layer" ? "1" : "[]"
      let template = "{ \((others + ["\(key.key): \(wrong)"]).joined(separator: ", ")) }"
      let error = try error(#"{ template: "t.json5" }"#, template: template)
      #expect(error.location.path == key.key && error.location.place?.contains("t.json5:1:") == true, "\(key.key): \(error)")
    }
  }

  /// What validation finds in a template's tree names the title of the project.
  @Test func mistakeFoundByValidation_namesTheTitleAndThePlaceInTheTree() throws {
    let folder = try TemporaryFolder()
    let template = "{ version: 1, layer: { sublayers: [{ content: { image: { image: \"nobody\" } } }] } }"
    try Data(template.utf8).write(to: URL(fileURLWithPath: folder.file("t.json5")))
    let path = folder.file("p.json5")
    try Data(project(#"{ template: "t.json5" }"#).utf8).write(to: URL(fileURLWithPath: path))
    let file = try ProjectFile(contentsOf: path)
    let catalog = MediaCatalog()
    let report = CompositionValidator.validate(try file.edit(catalog: catalog), catalog: catalog)
    let diagnostic = try #require(report.diagnostics.first)
    #expect(file.locating(diagnostic).path == "titles[0].template.layer.sublayers[0]", "\(diagnostic)")
    let error = try #require(throws: CompositorError.self) { _ = try report.get() }
    #expect(file.locating(error).location.place?.contains("p.json5:3:") == true)
  }
}
