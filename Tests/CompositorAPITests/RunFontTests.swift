import CompositorAPI
import Foundation
import Testing

/// The font of a run has the keys that aren't written from the font of its text.
struct RunFontTests {
  private static let keys = [
    "family": "\"Inter\"", "size": "20", "weight": "700", "isItalic": "false", "variations": "{ \"wdth\": 75 }",
  ]

  private func text(_ runFont: String) throws -> TextContent {
    let font =
      "{ \"family\": \"Lora\", \"size\": 90, \"weight\": 300, \"isItalic\": true, \"variations\": { \"wght\": 350, \"opsz\": 12 } }"
    let json =
      "{ \"runs\": [\"plain\", { \"text\": \"bold\", \"font\": \(runFont) }, { \"text\": \"own\" }], \"font\": \(font) }"
    return try JSONDecoder().decode(TextContent.self, from: Data(json.utf8))
  }

  /// Every set of the keys.
  @Test(arguments: 0..<32) func font_thatStatesSomeKeys_hasTheOthersOfItsText(set: Int) throws {
    let stated = Self.keys.keys.sorted().enumerated().filter { set >> $0.offset & 1 == 1 }.map(\.element)
    let text = try text("{ \(stated.map { "\"\($0)\": \(Self.keys[$0] ?? "")" }.joined(separator: ", ")) }")
    let font = try #require(text.runs[1].font)
    #expect(font.family == (stated.contains("family") ? "Inter" : "Lora"))
    #expect(font.size == (stated.contains("size") ? 20 : 90))
    #expect(font.weight == (stated.contains("weight") ? 700 : 300))
    #expect(font.isItalic == !stated.contains("isItalic"))
    // The position on the axis of weight is stronger than a weight: the run's own weight replaces it.
    let inherited: [String: Double] = stated.contains("weight") ? ["opsz": 12] : ["wght": 350, "opsz": 12]
    #expect(font.variations == (stated.contains("variations") ? ["wdth": 75] : inherited))
    #expect(text.runs[0].font == nil && text.runs[2].font == nil)
  }

  @Test func text_isReadAsItIsWritten() throws {
    var text = TextContent("")
    text.font = TextFont(family: "Lora", size: 90, weight: 300, isItalic: true)
    text.font.variations = ["opsz": 12]
    text.runs = [TextRun("a", font: TextFont()), TextRun("b"), TextRun("c", font: TextFont(weight: 700))]
    #expect(try JSONDecoder().decode(TextContent.self, from: JSONEncoder().encode(text)) == text)
  }
}
