import CompositorAPI
import CompositorOverlay
import Foundation
import Testing

/// Lines of justified text, compared with those of the same text that isn't: both break at the same places.
struct JustificationTests {
  private static let fonts = try? FontLibrary()

  private static func layout(_ string: String, _ alignment: TextAlignment, width: Double, hyphenates: Bool) throws -> TextLayout
  {
    var text = TextContent(string, font: TextFont(family: "DejaVu Sans", size: 24))
    (text.wraps, text.alignment, text.allowsFontSubstitution) = (true, alignment, true)
    (text.hyphenates, text.language) = (hyphenates, "en-US")
    return try #require(fonts).engine.layout(StyledText(text, size: Size(width: width, height: 2000)))
  }

  @Test(
    arguments: [
      "a développement of words", "Internationalization is one word", "one\nword\nlines", "word",
      "trailing spaces      of this line",
      "שלום développement עולם", "ab\u{A0}cd développement", "mixed 東京 développement", "東京都庁舎の展望室から富士山", "カタカナだけの文章です",
      "développement，développement",
    ], [90.0, 170, 240])
  func line_ofASingleWord_staysAsItIs(string: String, width: Double) throws {
    for hyphenates in [false, true] where !hyphenates || string.contains("Intern") {
      let justified = try Self.layout(string, .justified, width: width, hyphenates: hyphenates)
      let natural = try Self.layout(string, .natural, width: width, hyphenates: hyphenates)
      #expect(justified.clusters.map(\.line) == natural.clusters.map(\.line))
      let bytes = Array(string.utf8)
      for line in Set(natural.clusters.map(\.line)) {
        let (own, plain) = (justified.clusters.filter { $0.line == line }, natural.clusters.filter { $0.line == line })
        let text = String(decoding: plain.flatMap { bytes[$0.start..<$0.end] }, as: UTF8.self)
        let isSpread = text.unicodeScalars.contains {
          (0x3040...0x30ff).contains($0.value) || (0x4e00...0x9fff).contains($0.value)
        }
        let isLast = plain.contains { $0.end == bytes.count } || plain.contains { $0.end < bytes.count && bytes[$0.end] == 10 }
        let isWord = text.split { $0 == " " || $0 == "\u{A0}" }.count == 1 && !isSpread
        let ends = (own.map(\.ink.maxX).max() ?? 0) - (own.filter { !$0.ink.isEmpty }.map(\.ink.minX).min() ?? 0)
        if isWord || isLast {
          #expect(own.map(\.box) == plain.map(\.box), "\(text)")
        } else {
          #expect(ends > width - 18, "\(text): \(ends)")
        }
      }
      #expect(justified.extents.size.width <= width + 0.1)
    }
  }
}
