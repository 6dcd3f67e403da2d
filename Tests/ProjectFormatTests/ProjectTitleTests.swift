import CompositorAPI
import CompositorHost
import CompositorMedia
import CompositorProjectFormat
import CompositorTimeline
import CompositorMediaIO
import CompositorOverlay
import CompositorValidation
import CompositorTestMedia
import Testing

struct ProjectTitleTests {
  static func project(_ titles: String, more: String = "", set: [String: String] = [:]) throws -> ProjectFile {
    let text = """
      { version: 1, output: { size: "320x180", frameRate: 30 },
        assets: { a: { generate: "color", color: "#204060", size: "320x180", duration: "4s" } },
        tracks: [{ clips: [{ asset: "a" }] }], \(more) titles: [\(titles)] }
      """
    return try ProjectFile(text, variables: set)
  }

  static func titles(_ file: ProjectFile) throws -> ResolvedTitles? {
    let catalog = MediaCatalog()
    do {
      return try CompositionValidator.validate(file.edit(catalog: catalog), catalog: catalog).get().titles
    } catch {
      throw file.locating(error)
    }
  }

  static func texts(_ layer: Layer) -> [String] {
    var texts: [String] = []
    if case .text(let text) = layer.content { texts.append(text.string) }
    return texts + layer.sublayers.flatMap(self.texts)
  }

  @Test func everyKind_isLaidOutAtItsTime() throws {
    let file = try ProjectTitleTests.project(
      """
      { text: "Magic" }, { kind: "lower-third", text: "Ada", role: "Poet", start: "30f", duration: "1s" },
      { kind: "credits", text: "One\\nTwo" }, { kind: "caption", text: "Hello", start: "00:00:01:15", duration: "0.5s" },
      { start: "2s", layer: { bounds: [10, 10], position: [5, 5], backgroundColor: "#fff" } }
      """)
    let root = try #require(try ProjectTitleTests.titles(file)).root
    #expect(root.sublayers.map(\.timing.beginTime) == [0, 1, 0, 1.5, 2])
    #expect(root.sublayers.map(\.timing.duration) == [4, 1, 4, 0.5, 2])
    #expect(ProjectTitleTests.texts(root) == ["Magic", "Ada", "Poet", "One", "Two", "Hello"])
  }

  @Test func variables_areDefaultsUntilSet() throws {
    let titles = #"{ text: "${name} was here, ${name}" }"#
    let texts = { (set: [String: String]) throws in
      try ProjectTitleTests.texts(
        #require(
          try ProjectTitleTests.titles(try ProjectTitleTests.project(titles, more: "variables: { name: \"Ada\" },", set: set))
        ).root)
    }
    #expect(try texts([:]) == ["Ada was here, Ada"])
    #expect(try texts(["name": "\"Bob\" $\\"]) == ["\"Bob\" $\\ was here, \"Bob\" $\\"])
    #expect(throws: CompositorError.self, "a stray name") { try texts(["nam": "x"]) }
    let error = #expect(throws: CompositorError.self) { try ProjectTitleTests.project(titles) }
    #expect(error?.location.path == "titles[0].text")
    #expect(error?.recoverySuggestion?.contains("variables[\"name\"]") == true)
    #expect(error?.recoveryOptions == [RecoveryOption(.variable, value: "name")])
  }

  @Test(arguments: [
    ("$${name}", "${name}"), ("$$${name}", "$Ada"), ("$$$${name}", "$${name}"), ("5 $$ ${name}$", "5 $$ Ada$"),
    ("a$${x${name}", "a${xAda"), ("${name}$${name}${name}", "Ada${name}Ada"),
  ])
  func dollars_beforeABrace_standForThemselvesInPairs(written: String, shown: String) throws {
    let file = try ProjectTitleTests.project("{ text: \"\(written)\" }", more: "variables: { name: \"Ada\" },")
    #expect(try ProjectTitleTests.texts(#require(try ProjectTitleTests.titles(file)).root) == [shown])
  }

  /// A tree whose topmost layer says nothing of its place takes the canvas, and keeps what is in it where it was.
  @Test func tree_withoutBounds_takesTheCanvas() throws {
    let file = try ProjectTitleTests.project(
      "{ layer: { backgroundColor: 'red', sublayers: [{ layout: { right: '10%', bottom: 9, width: 32, height: 18 } }] } }")
    let root = try #require(try ProjectTitleTests.titles(file)).root.sublayers[0].sublayers[0]
    #expect(root.layout == .fill)
    for part in ["bounds: [1, 1]", "position: [1, 1]", "content: { text: { string: 'a' } }", "layout: { left: 0 }"] {
      let file = try ProjectTitleTests.project("{ layer: { \(part) } }")
      #expect(try #require(try ProjectTitleTests.titles(file)).root.sublayers[0].sublayers[0].layout != .fill)
    }
  }

  @Test func size_isInPixelsOrRelative() throws {
    let file = try ProjectFile(
      """
      { version: 1, output: { size: "1920x1080", frameRate: 30 }, assets: { a: { generate: "bars", duration: "1s" } },
        tracks: [{ clips: [{ asset: "a" }] }], titles: [{ text: "a", size: 72 }, { text: "a", size: "10vmin" }] }
      """)
    let edit = try file.edit(catalog: MediaCatalog())
    #expect(ProjectTitleTests.sizes(Layer(canvas: PixelSize(width: 1, height: 1)) { edit.titles.layers }) == [72, 108])
  }

  static func sizes(_ layer: Layer) -> [Double] {
    if case .text(let text) = layer.content { return [text.font.size] }
    return layer.sublayers.flatMap(sizes)
  }

  @Test(arguments: [
    ("{ }", "titles[0]"), ("{ text: \"a\", sise: 1 }", "titles[0].sise"), ("{ text: \"a\", size: 700 }", "titles[0].size"),
    ("{ text: \"a\", position: [1] }", "titles[0].position"), ("{ layer: { opacity: \"x\" } }", "titles[0].layer.opacity"),
    ("{ text: \"a\", kind: \"lowerthird\" }", "titles[0].kind"),
    ("{ layer: { animations: [{ property: \"opactiy\", to: 1 }] } }", "titles[0].layer.animations[0].property"),
  ])
  func mistakes_areReportedAtTheirPlace(titles: String, path: String) throws {
    let error = #expect(throws: CompositorError.self) { try ProjectTitleTests.project(titles) }
    #expect(error?.code == .invalidProject && error?.location.path == path)
  }

  @Test func table_withQuotesAndLineEnds_isReadAsRFC4180Says() throws {
    let table = try CSVTable("name,role\r\n\"Lovelace, Ada\",\"says \"\"hi\"\"\nthere\"\r\nBob,\r\n")
    #expect(table.columns == ["name", "role"])
    #expect(table.rows == [["Lovelace, Ada", "says \"hi\"\nthere"], ["Bob", ""]])
    #expect(table.variables(ofRow: 1) == ["name": "Bob", "role": ""])
    #expect(throws: CompositorError.self) { try CSVTable("a,b\n1\n") }
    #expect(throws: CompositorError.self) { try CSVTable("a\n\"1\n") }
    #expect(throws: CompositorError.self) { try CSVTable("") }
  }
}

/// When titles are there, to the frame.
struct TitleTimeTests {
  /// Frames that a title of whole frames is visible at, for many starts and lengths at usual rates: as many as it says.
  @Test(arguments: [Rational(10, 1), Rational(24, 1), Rational(25, 1), Rational(30000, 1001), Rational(30, 1), Rational(60, 1)])
  func title_ofWholeFrames_showsForThatMany(rate: Rational) throws {
    let canvas = PixelSize(width: 16, height: 16)
    let fonts = try FontLibrary()
    var layer = Layer(frame: Rect(x: 0, y: 0, width: 16, height: 16))
    layer.backgroundColor = .white
    for start in 0..<20 {
      for count in 1...20 {
        let title = TimelineTitle(layer, start: .frames(start, at: rate), duration: .frames(count, at: rate))
        let group = try title.layer(canvas: canvas, end: .seconds(10))
        let tree = Layer(canvas: canvas) { group }
        let overlay = try TitleOverlay(tree, canvas: canvas, fonts: fonts)
        let shown = try (0..<50).filter { try overlay.appearance(at: .frames($0, at: rate)) != nil }
        #expect(shown == Array(start..<start + count), "\(start), \(count) at \(rate)")
      }
    }
  }

  /// Frames and timecode of a rate that only the media says.
  @Test func times_inFramesOfARateThatTheMediaSays_areTakenAtThatRate() throws {
    let file = try ProjectFile(
      """
      { version: 1, assets: { a: { generate: "color", color: "#204060", size: "64x36", frameRate: 60, duration: "4s" },
          card: { duration: "00:00:00:50", titles: [{ text: "x", start: "00:00:00:45" }] } },
        tracks: [{ clips: [{ asset: "a" }] }, { clips: [{ asset: "card" }] }],
        titles: [{ text: "y", start: "00:00:00:45", duration: "30f" }] }
      """)
    let catalog = MediaCatalog()
    let edit = try file.edit(catalog: catalog)
    #expect(edit.videoComposition.frameDuration == .frames(1, at: 60))
    #expect(edit.titles.layers.map(\.timing.beginTime) == [0.75])
    #expect(abs(edit.titles.layers[0].timing.duration - 0.5) < 1e-12)
    #expect(try catalog.info(for: .custom(name: "assets.card")).duration == .frames(50, at: 60))
  }

  @Test func missingFont_isToldAtItsPlaceInTheProject() throws {
    let file = try ProjectFile(
      """
      { version: 1, output: { size: "64x36", frameRate: 25 }, fonts: ["nope.ttf"],
        assets: { a: { generate: "color", color: "#204060", size: "64x36", duration: "1s" } },
        tracks: [{ clips: [{ asset: "a" }] }], titles: [{ text: "y" }] }
      """, name: "p.json5")
    let error = #expect(throws: CompositorError.self) { try ProjectTitleTests.titles(file) }
    #expect(error?.code == .fileNotFound && error?.location.path == "fonts[0]")
    #expect(error?.location.place?.contains("p.json5:1:") == true && error?.location.place?.contains("nope.ttf") == true)
  }
}
