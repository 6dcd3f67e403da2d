import CompositorAPI
import CompositorOverlay
import Foundation
import Testing

/// Uppercase, lowercase and capitalized text, compared with ICU by way of Foundation.
struct TextTransformTests {
  static let rows: [(language: String, text: String)] = [
    ("tr", "İstanbul ılık ışık ilk DİYARBAKIR IŞIK"), ("az", "ilk Iq"), ("de", "straße Maß ﬁnden"), ("nl", "ijsland IJssel"),
    ("el", "Πότε ή άλλο, ΐσως ΌΧΙ Ώρα ΠΌΛΕΜΟΣ ΣΊΣΥΦΟΣ Μαΐου"), ("en", "ǆabc ŉ ΑΣ ΑΣΑ Σ office élan İ ı"), ("en", ""),
    ("tr", "DI\u{307}YARBAKIR I"),
  ]

  @Test(arguments: rows) func letters_areThoseOfICU(language: String, text: String) {
    let locale = Locale(identifier: language)
    #expect(TextTransform.uppercase.apply(to: text, language: language) == text.uppercased(with: locale))
    #expect(TextTransform.lowercase.apply(to: text, language: language) == text.lowercased(with: locale))
    #expect(TextTransform.none.apply(to: text, language: language) == text)
  }

  /// The examples of CSS Text 3, and words with apostrophes.
  @Test(arguments: [
    ("", "hello world", "Hello World"), ("tr", "ilk ışık", "İlk Işık"), ("nl", "ijsland en ijmuiden", "IJsland En IJmuiden"),
    ("en", "don’t stop, it's 3rd-rate", "Don’t Stop, It's 3rd-Rate"), ("en", "ǆabc (ﬂat) NASA", "ǅabc (Flat) NASA"),
    ("de", "«ßa» über", "«Ssa» Über"), ("en", "say 'hello' and ’tis", "Say 'Hello' And ’Tis"),
  ])
  func words_areCapitalized(language: String, text: String, expected: String) {
    #expect(TextTransform.capitalize.apply(to: text, language: language) == expected)
  }

  /// A sigma at the edge of a run, which may be in the middle of a word.
  @Test(arguments: [["ΠΡΟΣ", "ΩΠΟ"], ["ΛΟΓΟ", "Σ"], ["ΛΟΓΟΣ", " ΚΑΙ"], ["ΟΔΥΣ", "", "ΣΕΑΣ"]])
  func lowercase_ofRuns_isThatOfTheirText(_ runs: [String]) {
    var text = TextContent()
    text.transform = .lowercase
    text.runs = runs.enumerated().map { TextRun($1, color: $0 % 2 == 0 ? .white : .black) }
    #expect(StyledText(text, size: nil).string == runs.joined().lowercased(with: Locale(identifier: "el")))
  }

  /// A word that continues in the next run has one first letter, and runs have their own transforms and languages.
  @Test func runs_areTransformedInTheirText() {
    var text = TextContent()
    (text.transform, text.language) = (.capitalize, "en")
    var turkish = TextRun(" ilk")
    (turkish.transform, turkish.language) = (.uppercase, "tr")
    text.runs = [TextRun("wonder"), TextRun("ful", color: .black), turkish]
    let styled = StyledText(text, size: nil)
    #expect(styled.string == "Wonderful İLK")
    #expect(styled.runs.map { $0.end - $0.start } == [6, 3, 5] && styled.runs.map(\.language) == ["en", "en", "tr"])
  }

  /// Half of the shown letters, which are more than those written.
  @Test func reveal_countsTheShownLetters() {
    var text = TextContent("ßß")
    (text.transform, text.reveal) = (.uppercase, 0.75)
    let styled = StyledText(text, size: nil)
    #expect(styled.string == "SSSS" && styled.runs.map(\.end) == [3, 4] && styled.runs.map(\.paint) == [0, -1])
  }
}
