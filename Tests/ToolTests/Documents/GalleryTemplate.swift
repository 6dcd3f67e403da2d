import CompositorTestSupport
import Foundation
import Testing

/// A title of the gallery, with variables that show its texts up to the lengths that it states.
struct GalleryTemplate: Sendable, CustomTestStringConvertible {
  let name: String
  /// Variables that make texts red or green, and everything else black or gray.
  let colors: String
  /// A time in seconds at which each text rests in its place, or rolls through the middle.
  var time = 5
  /// The members of each item of its list, except its texts; empty without a list.
  var items: [String] = []
  /// Whether each of its words has one of its `times`.
  var isTimed = false
  /// Whether its `direction` is that of the script.
  var isMirrored = false

  var testDescription: String { name }

  static let all = [
    GalleryTemplate(
      name: "bar-chart", colors: ##"color: "#ff0000", accent: "#00ff00", box: "#000000""##,
      items: [30, 7, 19.5, 0, 24, 11].map { "value: \($0)" }, isMirrored: true),
    GalleryTemplate(name: "caption-boxes", colors: ##"color: "#ff0000", accent: "#ff0000", box: "#000000""##, isTimed: true),
    GalleryTemplate(name: "caption-headline", colors: ##"color: "#ff0000", accent: "#00ff00", outline: "#000000""##),
    GalleryTemplate(name: "caption-pop", colors: ##"color: "#ff0000", accent: "#ff0000", outline: "#000000""##, isTimed: true),
    GalleryTemplate(name: "chapter-bumper", colors: ##"color: "#ff0000", accent: "#00ff00", background: "#000000""##, time: 3),
    GalleryTemplate(
      name: "chat-bubbles", colors: ##"leftColor: "#ff0000", rightColor: "#00ff00", left: "#000000", right: "#000000""##,
      items: ["left", "right", "left", "right"].map { "side: \"\($0)\"" }),
    GalleryTemplate(name: "credits-columns", colors: ##"color: "#ff0000", accent: "#00ff00""##, time: 3),
    GalleryTemplate(
      name: "end-card",
      colors: ##"color: "#ff0000", accent: "#404040", background: "#000000", first: "gray", second: "gray", third: "gray""##),
    GalleryTemplate(
      name: "end-screen",
      colors: ##"color: "#ff0000", buttonColor: "#00ff00", accent: "#000000", shade: "#000000", logo: "gray", next: "gray""##),
    GalleryTemplate(name: "karaoke", colors: ##"color: "#ff0000", accent: "#ff0000""##, isTimed: true),
    // Of the 40 characters of a Japanese text each is a word.
    GalleryTemplate(name: "kinetic-words", colors: ##"color: "#ff0000", accent: "#404040", delay: "0.1s""##),
    GalleryTemplate(
      name: "line-chart", colors: ##"color: "#ff0000", accent: "#00ff00", box: "#000000", from: 0, to: 5"##,
      items: [100, 7, 45, 0, 58, 100].enumerated().map { "at: \($0), value: \($1)" }),
    GalleryTemplate(name: "location-card", colors: ##"color: "#ff0000", accent: "#00ff00""##, isMirrored: true),
    GalleryTemplate(name: "lower-third", colors: ##"color: "#ff0000", accent: "#00ff00""##),
    GalleryTemplate(
      name: "map-pin", colors: ##"color: "#ff0000", secondary: "#00ff00", accent: "#404040", paper: "#000000""##),
    GalleryTemplate(name: "map-route", colors: ##"color: "#ff0000", accent: "#404040""##),
    GalleryTemplate(
      name: "news-ticker", colors: ##"color: "#ff0000", labelColor: "#00ff00", accent: "#202020", box: "#000000""##,
      items: ["", ""], isMirrored: true),
    GalleryTemplate(
      name: "product-card",
      colors: ##"color: "#ff0000", secondary: "#ff0000", accent: "#00ff00", paper: "#000000", actionColor: "#404040""##
        + ##", picture: "gray""##,
      isMirrored: true),
    GalleryTemplate(name: "progress-ring", colors: ##"color: "#ff0000", accent: "#404040""##),
    GalleryTemplate(name: "quote-card", colors: ##"ink: "#ff0000", accent: "#00ff00", paper: "#000000""##),
    GalleryTemplate(
      name: "scoreboard",
      colors: ##"color: "#ff0000", accent: "#00ff00", box: "#000000", homeColor: "#808080", awayColor: "#808080""##
        + ", homeScore: 108",
      isMirrored: true),
    GalleryTemplate(name: "split-labels", colors: ##"color: "#ff0000", accent: "#404040", box: "#000000""##),
  ]

  static let folder = ToolRun.root.appending(path: "Examples/Titles")

  /// The opening comment, which states the lengths.
  func comment() throws -> String {
    let template = try String(contentsOf: Self.folder.appending(path: "\(name).json5"), encoding: .utf8)
    return template.prefix { $0 != "{" }.split(separator: "\n").joined(separator: " ")
  }

  /// The stated length of a text.
  struct Length {
    /// The list whose items have the text; `nil` for a variable.
    let list: String?
    let variable: String
    /// In characters.
    let length: Int
    let isPerLine: Bool
  }

  func lengths() throws -> [Length] {
    try comment().matches(of: /`(?:(\w+)\.)?(\w+)` up to (\d+) characters( a line)?/).map { match in
      Length(
        list: match.1.map(String.init), variable: String(match.2), length: try #require(Int(match.3)), isPerLine: match.4 != nil
      )
    }
  }

  /// The stated number of items of its list; `nil` for any number, and without a list.
  func itemCount() throws -> Int? {
    try comment().firstMatch(of: /`\w+` up to (\d+) items/).flatMap { Int($0.1) }
  }

  /// The variables of each of the titles that show the template: five lengths of each sentence.
  func variables() throws -> [String] {
    let lengths = try lengths()
    return GallerySentence.all.flatMap { sentence in (0..<5).map { variables($0, of: sentence, lengths) } }
  }

  private func variables(_ index: Int, of sentence: GallerySentence, _ lengths: [Length]) -> String {
    func member(_ length: Length) -> String {
      let text = sentence.texts(of: length.length)[index]
      let lines = length.isPerLine ? [text, String(sentence.text.prefix(3)), "", text] : [text]
      return "\(length.variable): \"\(lines.joined(separator: "\\n"))\""
    }
    var values = lengths.filter { $0.list == nil }.map(member) + [colors]
    if let list = lengths.compactMap(\.list).first {
      let texts = lengths.filter { $0.list != nil }.map(member)
      let objects = items.map { "{ \((texts + [$0]).joined(separator: ", ")) }" }
      values.append("\(list): [\(objects.joined(separator: ", "))]")
    }
    if isTimed {
      let words = sentence.words(in: sentence.texts(of: lengths.first?.length ?? 0)[index])
      values.append("times: [\(Array(repeating: "\"0.1s\"", count: words).joined(separator: ", "))]")
    }
    if isMirrored, sentence.isRightToLeft { values.append("direction: \"row-reverse\"") }
    return "{ \(values.joined(separator: ", ")) }"
  }
}

/// A sentence of which texts of any length are made, in a script for which the fonts of `scripts/setup` have glyphs.
struct GallerySentence: Sendable {
  let text: String
  var isRightToLeft = false
  /// Whether each of its characters is a word, and counts twice.
  var isFullWidth = false

  static let all = [
    GallerySentence(
      text: "Straßenbahnhaltestellen und Geschwindigkeitsbegrenzungen verändern die Aufmerksamkeit vieler Menschen "),
    GallerySentence(text: "الخيال هو القدرة على اكتشاف العوالم الخفية من حولنا ", isRightToLeft: true),
    GallerySentence(text: "הדמיון הוא היכולת לגלות את העולמות הנסתרים סביבנו ", isRightToLeft: true),
    GallerySentence(text: "ВООБРАЖЕНИЕ ЭТО СПОСОБНОСТЬ ОТКРЫВАТЬ НЕВИДИМЫЕ МИРЫ ВОКРУГ НАС "),
    GallerySentence(text: "Η ΦΑΝΤΑΣΙΑ ΕΙΝΑΙ Η ΙΚΑΝΟΤΗΤΑ ΝΑ ΑΝΑΚΑΛΥΠΤΟΥΜΕ ΑΟΡΑΤΟΥΣ ΚΟΣΜΟΥΣ ΓΥΡΩ ΜΑΣ "),
    GallerySentence(text: "कल्पना हमारे चारों ओर छिपी हुई दुनिया को खोजने की क्षमता है "),
    GallerySentence(text: "想像力とは見えない世界を発見する力である", isFullWidth: true),
  ]

  /// Texts of one character, a few, half the length, the length, and a single word of that length.
  func texts(of length: Int) -> [String] {
    let words = String(repeating: text, count: 2 * length / text.count + 2)
    let letters = words.filter { $0 != " " }
    func count(_ length: Int) -> Int { isFullWidth ? max(length / 2, 1) : length }
    let (half, whole) = (count(length / 2), count(length))
    return [letters.prefix(1), letters.prefix(count(4)), words.prefix(half), words.prefix(whole), letters.prefix(whole)]
      .map { $0.trimmingCharacters(in: .whitespaces) }
  }

  /// The number of words of a text of the sentence.
  func words(in text: String) -> Int {
    isFullWidth ? text.count : text.split(separator: " ").count
  }
}
