import CompositorAPI
import CompositorOverlay
import CompositorTestSupport
import Foundation
import Testing

/// A font with digits of several widths, a ligature, a kerning pair and axes (`Fixtures/make-test-font`).
enum TestFont {
  static let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/test-figures.ttf")

  static let provider: FontProvider? = (try? Data(contentsOf: file)).map { bytes in
    FontProvider(
      files: [.init(name: file.lastPathComponent, bytes: Array(bytes))], usesSystemFonts: false, defaultFamily: "Test Figures")
  }

  static let engine: TextEngine? = provider.flatMap { try? TextEngine($0) }

  /// A text of 100 pixels per em, so a unit of the font is a tenth of a pixel.
  static func text(_ string: String) -> TextContent { TextContent(string, font: TextFont(size: 100)) }

  static func width(_ text: TextContent) throws -> Double {
    try #require(engine).extents(of: StyledText(text, size: nil)).size.width
  }

  /// Where each cluster begins and how wide it is.
  static func places(_ text: TextContent) throws -> [[Double]] {
    try #require(engine).layout(StyledText(text, size: nil)).clusters.map { [$0.box.minX, $0.box.size.width] }
  }

  /// The advances in pixels by HarfBuzz's own program.
  static func shaped(_ string: String, features: String = "", variations: String = "") throws -> [Double] {
    let glyphs = try runTool(
      "hb-shape",
      [
        "--font-size=100000", "--no-glyph-names", "--features=\(features)", "--variations=\(variations)", file.path, string,
      ])
    return glyphs.matches(of: #/=\d+(?:@-?\d+,-?\d+)?\+(\d+)/#).map { (Double($0.1) ?? 0) / 1000 }
  }
}

/// OpenType features and figures.
struct TextFeatureTests {
  /// In the font's design, the digit 1 is 0.3 em, the others 0.52 em and more, all of them 0.6 em if tabular; A V is 0.15 em
  /// closer than both letters, and the ligature f i is 0.03 em narrower.
  static let widths: [(string: String, features: TextFeatures, width: Double)] = [
    ("1111", [:], 120), ("1111", ["tnum": 1], 240), ("0000", ["tnum": 1], 240), ("AV", [:], 125), ("AV", ["kern": 0], 140),
    ("fi", [:], 52), ("fi", ["liga": 0], 55), ("fi AV", ["liga": 0, "kern": 0], 220), ("AV", ["zero": 1], 125),
  ]

  @Test(arguments: widths)
  func widths_areThoseOfTheFontsDesign(string: String, features: TextFeatures, expected: Double) throws {
    var text = TestFont.text(string)
    text.features = features
    #expect(abs(try TestFont.width(text) - expected) < 0.05)
  }

  @Test(
    .enabled(if: TextShapingTests.hasShaper, "hb-shape (libharfbuzz-bin) is not installed"),
    arguments: ["", "tnum", "-kern", "-liga", "tnum,-kern,-liga"])
  func places_areThoseOfHarfBuzz(features: String) throws {
    let string = "A1091V 2AVfi"
    var text = TestFont.text(string)
    for part in features.split(separator: ",") {
      text.features.values[String(part.suffix(4))] = part.hasPrefix("-") ? 0 : 1
    }
    let (own, theirs) = (try TestFont.places(text).map { $0[1] }, try TestFont.shaped(string, features: features))
    #expect(own.count == theirs.count && zip(own, theirs).allSatisfy { abs($0 - $1) < 0.02 }, "\(own), \(theirs)")
  }

  /// A counter stays in place.
  @Test func digits_tabular_haveTheSamePlacesInEveryNumber() throws {
    func places(_ value: Double, _ figures: TextFigures) throws -> [[Double]] {
      var text = TestFont.text("")
      text.generator = .number(fractionDigits: 0, minimumIntegerDigits: 4, grouping: "")
      (text.value, text.figures) = (value, figures)
      var layer = Layer()
      layer.content = .text(text)
      let node = try #require(
        try LayerEvaluator.evaluate(layer, at: 0) { text throws(CompositorError) in
          try TestFont.engine?.extents(of: StyledText(text, size: nil)).size ?? .zero
        })
      guard case .text(let shown) = node.layer.content else { return [] }
      return try TestFont.places(shown)
    }
    let zeros = try places(0, .tabular)
    #expect(zeros.count == 4)
    for value in [1111.0, 1234, 9876, 5060] { #expect(try places(value, .tabular) == zeros, "\(value)") }
    #expect(try places(1111, .normal) != places(0, .normal))
  }

  @Test func features_ofARun_areAddedToThoseOfTheText() throws {
    var text = TestFont.text("")
    var (plain, own) = (TextRun("11 AV "), TextRun("11 AV"))
    own.features = ["tnum": 1]
    text.features = ["kern": 0]
    text.runs = [plain, own]
    // 2 × 30 + 25 + 140 + 25, 2 × 60 + 25 + 140.
    #expect(abs(try TestFont.width(text) - 535) < 0.1)
    own.features = ["kern": 1]
    (plain.figures, own.figures) = (.tabular, .normal)
    text.runs = [plain, own]
    #expect(abs(try TestFont.width(text) - (310 + 60 + 25 + 125)) < 0.1)
    // A feature by its tag is stronger than figures.
    text.features = ["tnum": 0, "kern": 0]
    #expect(abs(try TestFont.width(text) - (250 + 60 + 25 + 125)) < 0.1)
  }

  /// What a reveal hides is where it would be.
  @Test func features_ofRevealedText_doNotMoveIt() throws {
    var text = TestFont.text("11 AVfi")
    text.features = ["tnum": 1]
    let whole = try TestFont.width(text)
    for count in 0..<7 {
      text.reveal = Double(count) / 7
      #expect(try TestFont.width(text) == whole)
    }
  }

  /// Letters of different colors are apart, whatever the features say.
  @Test func letters_ofDifferentColors_areNotJoinedByAFeature() throws {
    var text = TestFont.text("")
    text.features = ["liga": 1]
    text.runs = [TextRun("f", color: .white), TextRun("i", color: .black)]
    #expect(abs(try TestFont.width(text) - 55) < 0.05)
  }

  static let notations: [(json: String, values: [String: Int])] = [
    (#""tnum, ss01 2, kern 0""#, ["tnum": 1, "ss01": 2, "kern": 0]), (#""'tnum' on , \"liga\" off""#, ["tnum": 1, "liga": 0]),
    (#"{"tnum":1,"liga":false,"cv05":12}"#, ["tnum": 1, "liga": 0, "cv05": 12]), (#"{}"#, [:]),
  ]

  @Test(arguments: notations)
  func features_areReadAndWritten(json: String, expected: [String: Int]) throws {
    let features = try JSONDecoder().decode(TextFeatures.self, from: Data(json.utf8))
    #expect(features.values == expected)
    #expect(try JSONDecoder().decode(TextFeatures.self, from: JSONEncoder().encode(features)) == features)
    var text = TextContent("a")
    (text.features, text.figures, text.runs[0].figures) = (features, .oldstyle, .lining)
    #expect(try JSONDecoder().decode(TextContent.self, from: JSONEncoder().encode(text)) == text)
  }

  @Test(arguments: [
    #""""#, #""tnu""#, #""tnum 1 2""#, #""tnum -1""#, #""tnum, ""#, #""tnum=1""#, #""tnum 99999999""#, #""tnüm""#,
    #"{"figures":1}"#, #"{"tnum":-1}"#, #"{"a,b=":1}"#,
  ])
  func features_ofAnotherSyntax_areOneError(json: String) {
    let error = #expect(throws: CompositorError.self) {
      try JSONDecoder().decode(TextFeatures.self, from: Data(json.utf8))
    }
    #expect(error?.code == .invalidValue && error?.message.contains("isn't an OpenType feature") == true)
  }

  /// Features of Swift programs don't pass a decoder.
  @Test func features_thatNoFontCanHave_areRefusedBeforeDrawing() {
    var layer = Layer()
    var text = TextContent("a")
    text.runs[0].features = ["tnum=1,kern": 0]
    layer.content = .text(text)
    let error = #expect(throws: CompositorError.self) { try layer.requireDrawable() }
    #expect(error?.location.path == "content.text.features")
  }
}
