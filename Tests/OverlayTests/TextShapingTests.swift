import CompositorAPI
import CompositorOverlay
import CompositorTestSupport
import Foundation
import Testing

/// Letters as their fonts shape them: ligatures, kerning across colors, and joined letters that tracking does not tear apart.
struct TextShapingTests {
  static let hasShaper = (try? runTool("hb-shape", ["--version"])) != nil
  static let engine = try? FontLibrary().engine

  static func width(_ text: TextContent) throws -> Double {
    try #require(engine).extents(of: StyledText(text, size: nil)).size.width
  }

  static func text(_ string: String, family: String = "DejaVu Sans", tracking: Double = 0) -> TextContent {
    var text = TextContent(string, font: TextFont(family: family, size: 100))
    (text.tracking, text.allowsFontSubstitution) = (tracking, true)
    return text
  }

  /// The sum of the advances in pixels at a size of 100, by HarfBuzz's own program.
  static func shaped(_ string: String, family: String, features: String) throws -> Double {
    let font = try runTool("fc-match", ["-f", "%{file}", family])
    let glyphs = try runTool("hb-shape", ["--font-size=100000", "--no-glyph-names", "--features=\(features)", font, string])
    return glyphs.matches(of: #/=\d+(?:@-?\d+,-?\d+)?\+(\d+)/#).reduce(0) { $0 + (Double($1.1) ?? 0) } / 1000
  }

  @Test(
    .enabled(if: hasShaper, "hb-shape (libharfbuzz-bin) is not installed"),
    arguments: ["DejaVu Sans", "DejaVu Serif", "DejaVu Sans Mono"])
  func widths_areThoseOfHarfBuzz(family: String) throws {
    let strings = ["office", "fi ffi fl ffl ff", "AVATAR Te We", "difficult waffles", "سلام", "لا إله", "שלום", "Çà è"]
    for string in strings where family == "DejaVu Sans" || string.unicodeScalars.allSatisfy({ $0.value < 0x500 }) {
      let expected = try Self.shaped(string, family: family, features: "")
      #expect(abs(try Self.width(Self.text(string, family: family)) - expected) <= 0.2, "\(string) in \(family)")
      // There is space between all characters, and none in ligatures.
      guard string.unicodeScalars.allSatisfy({ $0.value < 0x500 }) else { continue }
      let apart = try Self.shaped(string, family: family, features: "-liga,-clig,-dlig")
      for tracking in [10.0, -4] {
        let wide = try Self.width(Self.text(string, family: family, tracking: tracking))
        #expect(abs(wide - apart - tracking * Double(string.count - 1)) <= 0.2, "\(string) in \(family), \(tracking)")
      }
    }
  }

  @Test func ligatures_areThereUnlessLettersAreSpaced() throws {
    let (plain, spaced) = (try Self.width(Self.text("ffi")), try Self.width(Self.text("ffi", tracking: 0.01)))
    #expect(plain < spaced - 1, "\(plain), \(spaced)")
  }

  /// Colors and reveals divide a text into runs, but do not shape it anew.
  @Test(arguments: ["AVATAR", "سلام عليكم", "To We", "office"])
  func widths_ofTextInRuns_areThoseOfTheText(string: String) throws {
    let plain = try Self.width(Self.text(string))
    if string != "office" {
      #expect(try Self.width(Self.colored(string)) == plain)
    }
    for count in 0...string.count {
      var revealed = Self.text(string)
      revealed.reveal = Double(count) / Double(string.count)
      #expect(try Self.width(revealed) == plain, "\(count) letters")
    }
  }

  /// A language and a shift don't tear letters apart where the color changes, or where a text is revealed.
  @Test func widths_ofTextInALanguage_areThoseOfTheTextWithout() throws {
    let width = try Self.width(Self.text("AVAVAV Toll fi"))
    for change: (inout TextContent) -> Void in [{ $0.language = "en" }, { $0.baselineShift = .pixels(0) }] {
      var text = Self.text("AVAVAV Toll fi")
      change(&text)
      text.runs = text.string.map { TextRun(String($0), color: $0 == "V" ? .white : .black) }
      #expect(abs(try Self.width(text) - width) < 0.01)
      text.reveal = 0.4
      #expect(abs(try Self.width(text) - width) < 0.01)
    }
  }

  static func colored(_ string: String) -> TextContent {
    var text = Self.text(string)
    text.runs = string.enumerated().map { index, letter in
      TextRun(String(letter), color: Color(red: Double(index) / 16, green: 0, blue: 1))
    }
    return text
  }

  /// Letters of different colors have their own glyphs, even where the font has a ligature.
  @Test func letters_ofDifferentColors_areNotJoined() throws {
    func paints(_ text: TextContent) throws -> [Int] {
      try #require(Self.engine).layout(StyledText(text, size: nil)).clusters.map(\.paint)
    }
    #expect(try paints(Self.text("office")) == [0, 0, 0, 0])
    #expect(try paints(Self.colored("office")) == [0, 1, 2, 3, 4, 5])
    var word = Self.text("")
    word.runs = [TextRun("of", color: .white), TextRun("fi", color: .black), TextRun("ce", color: .white)]
    #expect(try paints(word) == [0, 0, 1, 1, 0, 0])
  }

  /// Texts, and the number of spaces between their characters. Half of the space of a character is at each of its sides, except
  /// at the ends of lines.
  static let rows: [(string: String, spaced: Double)] = [
    ("سلام", 0), ("سَلَامٌ", 0), ("می\u{200C}خواهم", 0), ("ســلام", 0), ("ߒߞߏ", 0), ("سلام عليكم", 1), ("١٢٣", 2),
    ("abc سلام", 3.5), ("abc", 2), ("שלום", 3), ("،سلام", 0.5),
  ]

  /// Cursive letters stay joined; spaces and other letters between them are spaced.
  @Test(arguments: rows, [12.0, -5])
  func tracking_isAddedToSeparateLettersOnly(_ row: (string: String, spaced: Double), tracking: Double) throws {
    let (plain, spaced) = (try Self.width(Self.text(row.string)), try Self.width(Self.text(row.string, tracking: tracking)))
    #expect(abs(spaced - plain - tracking * row.spaced) < 1.5, "\(row.string): \(plain), \(spaced)")
  }

  @Test func tracking_ofColoredCursiveLetters_isNotAddedEither() throws {
    let plain = try Self.width(Self.text("سلام"))
    var colored = Self.text("", tracking: 20)
    colored.runs = [TextRun("سل", color: .white), TextRun("ام", color: .black, tracking: 9)]
    #expect(try Self.width(colored) == plain)
  }

  /// A word of joined letters is one piece of ink.
  @Test func ink_ofTrackedCursiveLetters_hasNoGaps() throws {
    func gaps(_ tracking: Double) throws -> Int {
      let frame = try TextDirectionTests.frame("ـــسســ") {
        ($0.tracking, $0.allowsFontSubstitution, $0.font.size) = (tracking, true, 30)
      }
      let box = TextDirectionTests.ink(frame)
      let rows = Canvas.samples(frame, plane: 0)
      return (box.x0..<box.x1).filter { x in !(box.y0..<box.y1).contains { rows[$0][4 * x] > 60 } }.count
    }
    #expect(try gaps(0) == 0 && gaps(15) == 0 && gaps(-3) == 0)
  }
}
