import CompositorAPI
import CompositorOverlay
import CompositorTestSupport
import Foundation
import Testing

/// Positions on the axes of a variable font. By its design, letters are 0.2 em wider at 900 than at 400, and twice as wide at a
/// width of 200 %.
struct FontVariationTests {
  static func text(_ variations: [String: Double], weight: Int = 400) -> TextContent {
    var text = TestFont.text("H1")
    (text.font.variations, text.font.weight) = (variations, weight)
    return text
  }

  static let widths: [(variations: [String: Double], weight: Int, width: Double)] = [
    ([:], 400, 110), ([:], 900, 150), ([:], 650, 130), (["wght": 900], 400, 150), (["wght": 650], 900, 130),
    (["wdth": 200], 400, 220), (["wdth": 200, "wght": 900], 400, 260), (["wght": 5000], 400, 150), (["GRAD": 7], 400, 110),
  ]

  @Test(arguments: widths)
  func widths_areThoseOfTheFontsDesign(variations: [String: Double], weight: Int, expected: Double) throws {
    #expect(abs(try TestFont.width(Self.text(variations, weight: weight)) - expected) < 0.1)
  }

  @Test(
    .enabled(if: TextShapingTests.hasShaper, "hb-shape (libharfbuzz-bin) is not installed"),
    arguments: [["wght": 100], ["wght": 512], ["wdth": 75], ["wght": 850, "wdth": 130], ["wght": 100, "wdth": 50]])
  func places_areThoseOfHarfBuzz(variations: [String: Double]) throws {
    var text = TestFont.text("A1091V 2")
    text.font.variations = variations
    let own = try TestFont.places(text).map { $0[1] }
    let theirs = try TestFont.shaped(
      "A1091V 2", variations: variations.map { "\($0.key)=\($0.value)" }.joined(separator: ","))
    // Both round to units of the font, which are a tenth of a pixel.
    #expect(own.count == theirs.count && zip(own, theirs).allSatisfy { abs($0 - $1) <= 0.11 }, "\(own), \(theirs)")
  }

  /// The letter is a rectangle, so the ink shows the position.
  @Test func ink_growsWithTheAxis() throws {
    func ink(_ variations: [String: Double]) throws -> Double {
      try #require(TestFont.engine).extents(of: StyledText(Self.text(variations), size: nil)).ink.size.width
    }
    // From 0.05 em inside of the first letter to 0.05 em inside of the last one.
    #expect(abs(try ink([:]) - 100) < 0.3)
    #expect(abs(try ink(["wght": 900]) - 140) < 0.3)
  }

  @Test func runs_haveTheirOwnPositions() throws {
    var text = TestFont.text("")
    var bold = TextFont(size: 100)
    bold.variations = ["wght": 900]
    text.runs = [TextRun("H"), TextRun("H", font: bold), TextRun("H")]
    let widths = try TestFont.places(text).map { $0[1] }
    #expect(widths.count == 3 && zip(widths, [80, 100, 80]).allSatisfy { abs($0 - $1) < 0.05 }, "\(widths)")
  }

  @Test func weight_isAnimated() throws {
    var layer = Layer()
    layer.content = .text(TestFont.text("H1"))
    layer.animations = [
      .basic(.fontWeight, from: 400, to: 900, timing: LayerTiming(duration: 1, fillMode: .both)),
      .basic(.fontWidth, from: 100, to: 200, timing: LayerTiming(beginTime: 1, duration: 1, fillMode: .forwards)),
    ]
    for (time, expected) in [(0.0, 110.0), (0.5, 130), (0.75, 140), (1.5, 205), (2, 260)] {
      let node = try #require(
        try LayerEvaluator.evaluate(layer, at: time) { text throws(CompositorError) in
          try TestFont.engine?.extents(of: StyledText(text, size: nil)).size ?? .zero
        })
      #expect(abs(node.layer.bounds.size.width - expected) < 0.2, "\(time): \(node.layer.bounds.size.width)")
    }
    #expect(LayerProperty.fontWeight.value(in: layer) == .number(400))
    #expect(LayerProperty.fontWidth.value(in: layer) == .number(100))
  }

  @Test func variations_areReadAndWritten() throws {
    let font = try JSONDecoder().decode(TextFont.self, from: Data(#"{"size":9,"variations":{"wght":650,"wdth":80.5}}"#.utf8))
    #expect(font.variations == ["wght": 650, "wdth": 80.5])
    #expect(try JSONDecoder().decode(TextFont.self, from: JSONEncoder().encode(font)) == font)
    // A font without any is written as before.
    #expect(!String(decoding: try JSONEncoder().encode(TextFont()), as: UTF8.self).contains("variations"))
  }

  @Test(arguments: ["wgh", "weight", "w=,t", ""]) func axes_thatNoFontCanHave_areRefused(tag: String) throws {
    let json = Data(#"{"variations":{"\#(tag)":1}}"#.utf8)
    #expect(throws: CompositorError.self) { try JSONDecoder().decode(TextFont.self, from: json) }
    var layer = Layer()
    layer.content = .text(Self.text([tag: 1]))
    let error = #expect(throws: CompositorError.self) { try layer.requireDrawable() }
    #expect(error?.location.path == "content.text.font.variations")
    layer.content = .text(Self.text(["wght": .nan]))
    #expect(throws: CompositorError.self) { try layer.requireDrawable() }
  }
}
