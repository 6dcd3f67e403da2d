import CompositorAPI
import CompositorHost
import CompositorProjectFormat
import CompositorTimeline
import Testing

@Suite struct ProjectJSON5Tests {
  private func read(_ text: String) throws(CompositorError) -> JSON5Node {
    try JSON5Reader.read(try SourceText(name: "p.json5", bytes: Array(text.utf8)))
  }

  @Test func reading_everyForm_givesEqualJSON() throws {
    let text = """
      // a comment
      { bare: 1, 'single': "two\\u00e9\\x41\\
      lines", $dollar_1: [1, .5, 5., +3, -0x1F, 1e3,], /* another */ "null": null, t: true, ünï: {}, }
      """
    let json = try read(text).json()
    #expect(
      json == """
        {
          "bare": 1,
          "single": "twoéAlines",
          "$dollar_1": [1, 0.5, 5, 3, -31, 1000],
          "null": null,
          "t": true,
          "ünï": {}
        }
        """)
  }

  @Test func reading_manyForms_ofKeysAndTexts() throws {
    let long = String(repeating: "long ", count: 20)
    let cases: [(text: String, key: String, value: String)] = [
      ("{ plain: 'text' }", "plain", "text"), ("{ _$9: \"\" }", "_$9", ""), ("{ a\\u00e9b: 'x' }", "aéb", "x"),
      ("{ naïve: 'ï' }", "naïve", "ï"), ("{ tailé: '\(long)' }", "tailé", long), ("{ '\(long)': 'it\\'s' }", long, "it's"),
      ("{ a: 'one\\\ntwo' }", "a", "onetwo"), ("{ a: '\\n\(long)\\t' }", "a", "\n\(long)\t"),
    ]
    for item in cases {
      guard case .object(let members) = try read(item.text).value, case .string(let value)? = members.first?.value.value else {
        Issue.record("\(item.text)")
        continue
      }
      #expect(members[0].key == item.key && value == item.value, "\(item.text)")
      #expect(members[0].keyOffset == 2)
    }
  }

  typealias Mistake = (text: String, place: String, path: String?, reason: String)
  static let mistakes: [Mistake] = [
    ("{\n  a: 1,\n  a: 2\n}", "p.json5:3:3", "a", "twice in one object, first at 2:3"),
    ("{ tracks: [ { in: 1 }, { in: 'x\n' } ] }", "p.json5:1:30", "tracks[1].in", "isn't closed on its line"),
    ("{ a: 01 }", "p.json5:1:6", "a", "needless 0"),
    ("{ a: 48f }", "p.json5:1:6", "a", "runs into other characters"),
    ("{ a: yes }", "p.json5:1:6", "a", "not a value"),
    ("{ a: [1 2] }", "p.json5:1:9", "a", "Expected a comma or ], but found"),
    ("{ a 1 }", "p.json5:1:5", "a", "a colon after the key"),
    ("{ a: 1 } x", "p.json5:1:10", nil, "the end of the file"),
    ("{ é: 1, é: 2 }", "p.json5:1:9", "é", "twice"),
    ("{ a: '\\ud800' }", "p.json5:1:9", "a", "surrogate"),
    ("{ a: '\\1' }", "p.json5:1:7", "a", "escaped digits"),
    ("/* open", "p.json5:1:1", nil, "no end"),
    ("", "p.json5:1:1", nil, "The file is empty."),
    ("{ a: 1", "p.json5:1:7", nil, "found the end of the file"),
    ("{ a: }", "p.json5:1:6", "a", "Expected a value, but found"),
    ("{ a: - }", "p.json5:1:7", "a", "a digit"),
    ("{ a: { b: [[1, 2], [3, { c: ! }]] } }", "p.json5:1:29", "a.b[1][1].c", "Expected a value, but found"),
    ("{ a: [1, 2], b: [3 4] }", "p.json5:1:20", "b", "Expected a comma or ], but found"),
    ("{ \(keys(0..<17)), k3: 0 }", "p.json5:1:129", "k3", "twice in one object, first at 1:24"),
    ("{ \(keys(0..<40)), k39: 0 }", "p.json5:1:313", "k39", "twice in one object, first at 1:305"),
    ("{ a: { \(keys(0..<20)) }, b: { k1: 0, k1: 0 } }", "p.json5:1:172", "b.k1", "twice in one object, first at 1:165"),
  ]

  private static func keys(_ numbers: Range<Int>) -> String { numbers.map { "k\($0): 0" }.joined(separator: ", ") }

  @Test(arguments: mistakes)
  func reading_mistake_namesPlaceAndReason(_ mistake: Mistake) throws {
    let error = try #require(throws: CompositorError.self) { _ = try read(mistake.text) }
    #expect(error.code == .invalidProject)
    #expect(error.location.place == mistake.place)
    #expect(mistake.path == nil || error.location.path == mistake.path)
    #expect(error.message.contains(mistake.reason), "\(error.message)")
  }

  @Test(
    arguments: [
      ("{ a: 1\n  b: 2 }", "Write a comma before it."), ("{ a: [{ b: 1 },\n}", "Close the [ of 1:6 with ]."),
      ("{ a: 1 } }", "Remove it and what follows."), ("{ a: 1", "Close the { of 1:1 with }."), ("{ a: }", nil),
      ("{ a: “x” }", "Use straight quotes."), ("{\n# note\n}", "Comments begin with //."), ("{ a: True }", "Write true."),
    ] as [(String, String?)])
  func reading_mistakeOfPunctuation_saysWhatToDo(_ text: String, _ suggestion: String?) throws {
    let error = try #require(throws: CompositorError.self) { _ = try read(text) }
    #expect(error.recoverySuggestion == suggestion, "\(error)")
  }

  @Test func reading_deepNesting_isRefusedNotFollowed() throws {
    let depth = 100_000
    let error = try #require(throws: CompositorError.self) {
      _ = try read(String(repeating: "[", count: depth) + String(repeating: "]", count: depth))
    }
    #expect(error.message.contains("nested"))
  }

  @Test func reading_tooLongOrNotUTF8_isRefused() throws {
    #expect(throws: CompositorError.self) { try SourceText(name: "p", bytes: [0x7B, 0xFF, 0x7D]) }
    #expect(throws: CompositorError.self) { try SourceText(name: "p", bytes: [0, 0, 0], maximumByteCount: 2) }
  }

  @Test func reading_randomDamage_neverTraps() throws {
    let sound = Array(#"{ version: 1, "a": [1.5, 'x\n', { b: null }], /* c */ d: -0x1f, e: "\ud83d\ude00" }"#.utf8)
    var generator = SystemRandomNumberGenerator()
    var refused = 0
    for _ in 0..<3000 {
      var bytes = sound
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
      }
      do throws(CompositorError) {
        _ = try JSON5Reader.read(try SourceText(name: "p", bytes: bytes)).json()
      } catch {
        refused += 1
        #expect(error.code == .invalidProject)
      }
    }
    #expect(refused > 0)
  }

  @Test(arguments: [
    ("dissolv", "dissolve"), ("transfrom", "transform"), ("Opacity", "opacity"), ("ta", "at"),
  ])
  func suggestion_nearWord_isFound(_ word: String, _ expected: String) {
    #expect(suggestion(for: word, among: ["at", "opacity", "transform", "dissolve"]) == expected)
  }

  /// The same word in another notation, and one whose parts are shortened.
  @Test(arguments: [
    ("easeInOut", "ease-in-out"), ("EaseInOut", "ease-in-out"), ("backInOut", "back-in-out"), ("ease_in", "ease-in"),
    ("transform.scaleX", "transform.scale.x"), ("transform.scale", "transform.scale"), ("inverted-luma", "inverted-luminance"),
    ("ease-ot", "ease-out"),
  ])
  func suggestion_otherNotation_isTheSameWord(_ word: String, _ expected: String) {
    let words = [
      "ease-out", "ease-in", "ease-in-out", "back-out", "back-in-out", "transform.scale", "transform.scale.x",
      "inverted-alpha", "inverted-luminance",
    ]
    #expect(suggestion(for: word, among: words) == expected)
  }

  @Test func suggestion_farWord_isNotMadeUp() {
    #expect(suggestion(for: "banana", among: ["at", "opacity"]) == nil)
    #expect(suggestion(for: "codec", among: ["cover", "color"]) == nil)
    #expect(suggestion(for: "w", among: ["x", "y"]) == nil)
    #expect(suggestion(for: "aa", among: ["a"]) == "a")
    #expect(editDistance("kitten", "sitting") == 3)
    #expect(editDistance("ab", "ba") == 1)
  }
}
