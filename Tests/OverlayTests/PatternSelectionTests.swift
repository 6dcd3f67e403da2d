import CompositorOverlay
import Foundation
import Testing

/// Words divided by the patterns alone that they need, against all patterns of a dictionary.
struct PatternSelectionTests {
  private static let folder = "/usr/share/hyphen"
  private static let installed = ["de_DE", "en_US", "fr"].filter {
    FileManager.default.fileExists(atPath: "\(folder)/hyph_\($0).dic")
  }

  /// Letters of a text as the text's program gives them to a dictionary.
  private static func scalars(_ words: [String]) -> [[Unicode.Scalar]] { words.map { Array($0.lowercased().unicodeScalars) } }

  /// Words of a list, of a dictionary's own patterns, compounds of these, and such with letters swapped.
  private static func words(for dictionary: String, count: Int) -> [String] {
    var numbers = Numbers(state: 99)
    let list = (try? String(contentsOfFile: "/usr/share/dict/american-english", encoding: .utf8)) ?? ""
    let english = list.split(separator: "\n").map(String.init).filter { !$0.contains("'") }
    let text =
      (try? String(contentsOfFile: "\(folder)/hyph_\(dictionary).dic", encoding: dictionary == "de_DE" ? .isoLatin1 : .utf8))
      ?? ""
    let own = text.split(separator: "\n").dropFirst(40).map { $0.filter(\.isLetter) }.filter { $0.count > 1 }
    let all = own + english
    return (0..<count).map { index in
      var word = all.randomElement(using: &numbers) ?? ""
      if index % 3 == 0 { word += own.randomElement(using: &numbers) ?? "" }
      if index % 7 == 0 { word += all.randomElement(using: &numbers) ?? "" }
      guard index % 5 == 0, let letter = all.randomElement(using: &numbers)?.first else { return word }
      var letters = Array(word)
      letters[Int.random(in: letters.indices, using: &numbers)] = letter
      return String(letters)
    }
  }

  @Test(arguments: installed) func words_areDividedAsByAllPatterns(name: String) throws {
    let dictionary = try #require(HyphenationDictionary(path: "\(Self.folder)/hyph_\(name).dic"))
    let words = Self.scalars(Self.words(for: name, count: 4000))
    let expected = dictionary.divisions(of: words, byAllPatterns: true)
    #expect(expected.values.count { !$0.isEmpty } > 1500)
    for size in [1, 40] {
      for start in stride(from: 0, to: size == 1 ? 400 : words.count, by: size) {
        let part = Array(words[start..<min(start + size, words.count)])
        for (word, places) in dictionary.divisions(of: part, byAllPatterns: false) where places != expected[word] {
          Issue.record("\(String(String.UnicodeScalarView(word))): \(places), not \(expected[word] ?? [])")
        }
      }
    }
  }

  /// Dictionaries of one and two levels, with replacements, minimums, characters without hyphens beside them, patterns that others hide,
  /// comments, long lines, weights without letters, ends of lines of other systems, and a last line without one.
  @Test(arguments: [
    "UTF-8\na1b\nab2c\nabcd1e\n.b1c\nc1d.\nd1a\n", "UTF-8\nLEFTHYPHENMIN 3\nRIGHTHYPHENMIN 4\na1b\nb1c\nc1d\nd1e\ne1a\n",
    "UTF-8\nNOHYPHEN a,b\na1b1c\nc1d\nd1a\n", "UTF-8\na1b\nb1c\nNEXTLEVEL\nb1d\nd1c\n.a1c\na1d.\n",
    "UTF-8\nCOMPOUNDLEFTHYPHENMIN 2\nCOMPOUNDRIGHTHYPHENMIN 3\nab1cd\nNEXTLEVEL\n.c1d\na1b.\nb1a\nd1d\n",
    "UTF-8\nb1b/bb=b,1,2\na1b\nd1c\n", "UTF-8\nbc1d/cc=d,2,2\nNEXTLEVEL\n.c1c\nc1a\n",
    "UTF-8\nab2cde\nbc1\n.bc1d\nabcd\nabcda1\n",
    "ISO8859-1\n% comment\na1b\r\nb3c\r\nc2d\r\n", "UTF-8\na1b\nb1c\nc1d", "UTF-8\n8\na1b\nb2c\n",
    "UTF-8\n% \(String(repeating: "long ", count: 40))\na1b\n#######\nb1c\n",
    "UTF-8\na1b\na2b\nb1c\nNEXTLEVEL\na1b\nc1d\nNEXTLEVEL\nd1a\n",
    "UTF-8\n\n\na1b\n  b1c\nc1d e\n",
  ])
  func wordsOfASmallDictionary_areDividedAsByAllPatterns(text: String) throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "hyph_\(UUID().uuidString).dic")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(text.utf8).write(to: file)
    let dictionary = try #require(HyphenationDictionary(path: file.path))
    var numbers = Numbers(state: 5)
    let words = Self.scalars(
      (0..<600).map { _ in
        String((0..<Int.random(in: 2...9, using: &numbers)).map { _ in "abcde".randomElement(using: &numbers) ?? "a" })
      })
    let expected = dictionary.divisions(of: words, byAllPatterns: true)
    #expect(expected.values.contains { !$0.isEmpty })
    for word in words { #expect(dictionary.divisions(of: [word], byAllPatterns: false)[word] == expected[word]) }
    #expect(dictionary.divisions(of: words, byAllPatterns: false) == expected)
  }

  @Test func file_thatIsMissingOrOfAnUnknownCharacterSet_isNone() throws {
    #expect(HyphenationDictionary(path: "/nowhere/hyph_xx.dic") == nil)
    let file = FileManager.default.temporaryDirectory.appending(path: "hyph_\(UUID().uuidString).dic")
    defer { try? FileManager.default.removeItem(at: file) }
    for text in ["", "KLINGON-1\na1b\n"] {
      try Data(text.utf8).write(to: file)
      #expect(HyphenationDictionary(path: file.path) == nil)
    }
  }
}
