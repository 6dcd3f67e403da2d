import CompositorAPI
import CompositorMedia
import CompositorValidation
import Foundation
import CompositorHost
import CompositorExport
import CompositorProjectFormat
import CompositorTimeline
import CompositorMediaIO
import CompositorOverlay
import CompositorTestSupport
import Testing

/// What titles need is looked for before anything is rendered.
struct TitleResourcesTests {
  static let missing: [(titles: String, path: String, recoverySuggestion: String)] = [
    ("{ text: \"a\" }, { text: \"b\", font: \"DejaVu San\", start: \"3s\" }", "titles[1].font", "DejaVu Sans"),
    (
      "{ layer: { sublayers: [{}, { content: { text: { string: \"a\", font: { family: \"Nope\" } } } }] } }",
      "titles[0].layer.sublayers[1]", "allow substitution"
    ),
    (
      "{ layer: { content: { text: { generator: { timecode: { framesPerSecond: 25 } }, font: { family: \"Nope\" } } } } }",
      "titles[0].layer", "allow substitution"
    ),
    ("{ layer: { bounds: [9, 9], mask: { content: { image: { image: \"logo\" } } } } }", "titles[0].layer.mask", "Possible: a"),
    (
      "{ layer: { content: { text: { string: \"a\" } }, animations: [{ property: \"text.string\", values: [\"b\", \"\\uffff\"] }] } }",
      "titles[0].layer", "font"
    ),
  ]

  @Test(arguments: missing.indices) func fontOrPicture_thatIsMissing_isToldAtItsPlaceAtOnce(index: Int) throws {
    let (titles, path, recoverySuggestion) = Self.missing[index]
    let file = try ProjectTitleTests.project(titles)
    let error = #expect(throws: CompositorError.self) { try ProjectTitleTests.titles(file) }
    #expect(error?.code == .fileNotFound && error?.location.path == path)
    #expect(error?.location.place?.hasPrefix("project:") == true, "line and column")
    #expect(error?.recoverySuggestion?.contains(recoverySuggestion) == true, "\(error?.recoverySuggestion ?? "")")
  }

  @Test(arguments: [
    ("bounds: [-1, 5]", "bounds"), ("borderWidth: -1", "borderWidth"),
    ("content: { text: { string: \"a\", lineHeight: -1 } }", "content.text.lineHeight"),
  ])
  func numberThatCannotBeDrawn_isToldAtItsPlaceAtOnce(key: String, place: String) throws {
    let file = try ProjectTitleTests.project("{ layer: { sublayers: [{ \(key) }] }, start: \"3s\" }")
    let error = #expect(throws: CompositorError.self) { try ProjectTitleTests.titles(file) }
    #expect(error?.code == .invalidValue && error?.location.path == "titles[0].layer.sublayers[0].\(place)")
  }

  @Test func pictures_thatAnAnimationShows_areLookedForToo() throws {
    let titles = { (second: String) in
      """
      { layer: { bounds: [9, 9], content: { image: { image: "a" } },
        animations: [{ property: "image", values: ["a", "\(second)"], mode: "discrete", duration: "2s" }] } }
      """
    }
    #expect(throws: Never.self) { try ProjectTitleTests.titles(try ProjectTitleTests.project(titles("a"))) }
    let file = try ProjectTitleTests.project(titles("b"))
    let error = #expect(throws: CompositorError.self) { try ProjectTitleTests.titles(file) }
    #expect(error?.code == .fileNotFound && error?.location.path == "titles[0].layer")
  }

  @Test func fontOfAnAssetOfTitles_isToldAtItsPlace() throws {
    let text = """
      { version: 1, output: { size: "64x64", frameRate: 30 },
        assets: { a: { duration: "1s", titles: [{ text: "a", font: "Nope" }] } }, tracks: [{ clips: [{ asset: "a" }] }] }
      """
    let file = try ProjectFile(text)
    let error = #expect(throws: CompositorError.self) { try file.edit(catalog: MediaCatalog()) }
    #expect(error?.location.path == "assets.a.titles[0]")
  }

  @Test func messageAboutCharacters_showsThoseThatSteerTerminalsAsEscapes() throws {
    let file = try ProjectTitleTests.project("{ text: \"a\\u001b[2J\\u202e\\uffff\" }")
    let error = #expect(throws: CompositorError.self) { try ProjectTitleTests.titles(file) }
    #expect(error?.message.contains("\\u{1B}[2J\\u{202E}") == true, "\(error?.message ?? "")")
  }

  @Test(arguments: [
    ("{ text: \"a\", role: \"b\" }", "titles[0].role"), ("{ kind: \"caption\", text: \"a\", role: \"b\" }", "titles[0].role"),
    ("{ text: \"a\", boxColor: \"red\" }", "titles[0].boxColor"),
    ("{ kind: \"credits\", text: \"a\", fade: \"1s\" }", "titles[0].fade"),
    ("{ layer: {}, color: \"red\" }", "titles[0].color"), ("{ text: \"a\", duration: \"0s\" }", "titles[0].duration"),
    (
      "{ layer: { animations: [{ property: \"opacity\", from: 0, duration: \"-1s\" }] } }",
      "titles[0].layer.animations[0].duration"
    ),
    ("{ layer: { timing: { duration: \"-1s\" } } }", "titles[0].layer.timing.duration"),
    ("{ layer: { content: { gradient: {} } } }", "titles[0].layer.content.gradient"),
    (
      "{ layer: { content: { gradient: { colors: [\"red\", \"blue\"], locations: [0.9, 0.1] } } } }",
      "titles[0].layer.content.gradient"
    ),
    (
      "{ layer: { content: { gradient: { colors: [\"red\", \"blue\"], locations: [0.5] } } } }",
      "titles[0].layer.content.gradient"
    ),
    ("{ layer: { content: { text: { string: \"a\", runs: [\"b\"] } } } }", "titles[0].layer.content.text"),
  ])
  func keyWithoutMeaning_isAMistakeAtItsPlace(titles: String, path: String) throws {
    let error = #expect(throws: CompositorError.self) { try ProjectTitleTests.project(titles) }
    #expect(error?.code == .invalidProject && error?.location.path == path)
  }

  @Test(arguments: [("caption", 400), ("credits", 400), ("title", 700)]) func weight_ofEveryKind_isTaken(
    kind: String, usual: Int
  ) throws {
    for (key, weight) in [("", usual), (", weight: 300", 300)] {
      let file = try ProjectTitleTests.project("{ kind: \"\(kind)\", text: \"a\"\(key) }")
      let root = try #require(try ProjectTitleTests.titles(file)).root
      #expect(TitleResourcesTests.weights(root) == [weight])
    }
  }

  static func weights(_ layer: Layer) -> [Int] {
    var weights: [Int] = []
    if case .text(let text) = layer.content { weights.append(text.font.weight) }
    return weights + layer.sublayers.flatMap(self.weights)
  }
}

/// Pictures of real phones in titles.
@Suite(.enabled(if: mediaFolder != nil)) struct TitlePictureTests {
  /// Mean green of each of 4 by 4 parts of the title's picture.
  private func parts(_ name: String) async throws -> [Double] {
    let path = mediaFolder?.appending(path: name).path ?? name
    let file = try ProjectFile(
      """
      { version: 1, output: { size: "64x48", frameRate: 30 },
        assets: { black: { generate: "color", color: "#000000", size: "64x48", duration: "1s" }, photo: "\(path)" },
        tracks: [{ clips: [{ asset: "black" }] }],
        titles: [{ layer: { bounds: [64, 48], position: [32, 24], content: { image: { image: "photo" } } } }] }
      """)
    let catalog = MediaCatalog()
    let edit = try file.edit(catalog: catalog)
    let settings = ImageSettings(format: .rgba).exactly
    let generator = try ImageGenerator(CompositionValidator.validate(edit, catalog: catalog).get(), settings: settings)
    let frame = try await generator.image(at: .zero).frame
    await generator.close()
    var sums = [Double](repeating: 0, count: 16)
    for y in 0..<48 {
      frame.withRow(y, as: UInt8.self) { row in
        for x in 0..<64 { sums[y / 12 * 4 + x / 16] += Double(row[4 * x + 1]) / 192 }
      }
    }
    return sums
  }

  @Test func photo_heldAnyWay_standsUprightInATitle() async throws {
    let upright = try await parts("Landscape_1.jpg")
    #expect((upright.max() ?? 0) - (upright.min() ?? 0) > 60, "the parts differ")
    for name in ["Landscape_3.jpg", "Landscape_5.jpg", "Landscape_6.jpg"] {
      let turned = try await parts(name)
      #expect(zip(upright, turned).allSatisfy { abs($0 - $1) < 12 }, "\(name): \(turned)")
    }
  }
}
