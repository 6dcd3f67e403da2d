import CompositorPlugins
import Foundation
import Testing

/// The strings of a forged reply are bounded before anything compares them.
struct ReplyTextTests {
  private func bounded(_ text: String) throws -> [String: [String]] {
    let bytes = try ReplyText.bounded(Array(text.utf8)[...])
    return try JSONDecoder().decode([String: [String]].self, from: Data(bytes))
  }

  @Test(arguments: ["\u{301}\u{327}", #"\u0301\u0327"#, #"\ud834\udd65"#, "\u{f73}", "\u{301}\u{5c}u0327"])
  func marks_inARow_areThirtyAtMost(_ marks: String) throws {
    let run = String(repeating: marks, count: 100_000)
    let start = ContinuousClock.now
    let found = try bounded(#"{"a": ["e\#(run)z", "e\#(run)"]}"#)["a"] ?? []
    #expect(found.map(\.unicodeScalars.count) == [32, 31])
    #expect(found.first?.unicodeScalars.last == "z")
    #expect(ContinuousClock.now - start < .seconds(5))
  }

  @Test func otherText_staysAsItIs() throws {
    let long = String(repeating: "long ", count: 1000)
    let text = #"{"key \"\\": ["é", "한국어", "😀 \ud83d\ude00", "\\u0301", "\#(long)"], "b":[]}"#
    #expect(try ReplyText.bounded(Array(text.utf8)[...]) == Array(text.utf8))
    #expect(try bounded(text)[#"key "\"#]?.count == 5)
  }

  @Test func longKeys_areRefused() throws {
    for (count, isTaken) in [(400, true), (401, false)] {
      for space in ["", " \n"] {
        let text = "{\"\(String(repeating: "k", count: count))\"\(space): []}"
        #expect(((try? bounded(text)) != nil) == isTaken)
      }
    }
    let value = "{\"a\": [\"\(String(repeating: "k", count: 4000))\"]}"
    #expect(try bounded(value)["a"]?.first?.count == 4000)
  }

  /// A decoder would take them.
  @Test func otherEncodings_areRefused() throws {
    for encoding in [String.Encoding.utf16, .utf16LittleEndian, .utf32BigEndian] {
      let bytes = try #require("{}".data(using: encoding))
      #expect(throws: ReplyText.Invalid.self) { try ReplyText.bounded(Array(bytes)[...]) }
    }
    #expect(throws: ReplyText.Invalid.self) { try ReplyText.bounded([0x22, 0xff, 0x22][...]) }
  }

  @Test(arguments: ["", "\"", "{\"a\": [\"\\", "{\"a\": [\"\\u12\"", "{\"a\": [\"\\ud834\\u\""])
  func textThatIsCutOff_isLeftToTheDecoder(_ text: String) throws {
    #expect(try ReplyText.bounded(Array(text.utf8)[...]) == Array(text.utf8))
  }
}
