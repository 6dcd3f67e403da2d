/// OpenType features of a text: which forms and positions of letters its font chooses.
///
/// Features that a font doesn't have change nothing. A feature that is absent here is as the font's designers intend: ligatures
/// (`liga`) and kerning (`kern`) are on.
public struct TextFeatures: Hashable, Sendable, ExpressibleByDictionaryLiteral {
  /// The value of each feature by its tag of four letters or digits: 0 for off, 1 for on, or the number of an alternate form,
  /// up to 65,535.
  public var values: [String: Int]

  /// Creates features from their values.
  public init(_ values: [String: Int] = [:]) { self.values = values }

  /// Creates features from tags and values; the last value of a tag counts.
  public init(dictionaryLiteral elements: (String, Int)...) { self.init(Dictionary(elements) { $1 }) }

  /// Creates features from the syntax of CSS: `tnum, ss01 2, kern off`. Tags may be quoted.
  ///
  /// - Throws: `.invalidValue` for anything else.
  public init(css text: String) throws(CompositorError) {
    self.init()
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let words = part.split { $0 == " " || $0 == "\t" || $0 == "\n" }
      guard let tag = words.first, words.count <= 2, let value = TextFeatures.value(of: words.dropFirst().first ?? "1") else {
        throw TextFeatures.error(about: part)
      }
      let quotes: Set<Character> = ["\"", "'"]
      let isQuoted = tag.count > 2 && tag.first == tag.last && tag.first.map(quotes.contains) == true
      values[String(isQuoted ? tag.dropFirst().dropLast() : tag)] = value
    }
    try requireTags()
  }

  /// Whether no feature is set.
  public var isEmpty: Bool { values.isEmpty }

  /// These features, with those of a part of the text replacing and adding to them.
  package func merging(_ own: TextFeatures?) -> TextFeatures {
    guard let own, !own.isEmpty else { return self }
    return TextFeatures(values.merging(own.values) { $1 })
  }

  /// Checks that every tag and value can be one of OpenType.
  ///
  /// - Throws: `.invalidValue`.
  package func requireTags() throws(CompositorError) {
    for (tag, value) in values.sorted(by: { $0.key < $1.key }) {
      guard tag.utf8.count == 4, tag.utf8.allSatisfy(TextFeatures.isOfTag), (0...65_535).contains(value) else {
        throw TextFeatures.error(about: "\(tag) \(value)")
      }
    }
  }

  /// Whether a byte is an ASCII letter or digit.
  package static func isOfTag(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: false
    }
  }

  private static func value(of word: Substring) -> Int? {
    switch word {
    case "on": 1
    case "off": 0
    default: word.first?.isNumber == true ? Int(word) : nil
    }
  }

  private static func error(about part: some StringProtocol) -> CompositorError {
    CompositorError(
      .invalidValue, "\"\(part.drop { $0 == " " }.prefix(40))\" isn't an OpenType feature.",
      recoverySuggestion:
        "Write a tag of four letters or digits and a number from 0 (off): { tnum: 1, kern: 0 } or \"tnum, kern 0\".")
  }
}

extension TextFeatures: Codable {
  /// A value as a number or as true or false.
  private struct Setting: Decodable {
    let number: Int

    init(from decoder: any Decoder) throws {
      let single = try decoder.singleValueContainer()
      if let isOn = try? single.decode(Bool.self) {
        number = isOn ? 1 : 0
      } else {
        number = try single.decode(Int.self)
      }
    }
  }

  /// Decodes `{ tnum: 1, liga: false }`, or the string of ``init(css:)``.
  public init(from decoder: any Decoder) throws {
    if let single = try? decoder.singleValueContainer(), let text = try? single.decode(String.self) {
      try self.init(css: text)
      return
    }
    self.init(try [String: Setting](from: decoder).mapValues(\.number))
    try requireTags()
  }

  /// Encodes an object with the value of each tag.
  public func encode(to encoder: any Encoder) throws { try values.encode(to: encoder) }
}

/// The form of digits, for fonts that have several.
public enum TextFigures: String, Hashable, Sendable, Codable, CaseIterable {
  /// That of the font.
  case normal
  /// All equally wide, so that counters and columns don't move: the feature `tnum`.
  case tabular
  /// As wide as each needs: `pnum`.
  case proportional
  /// With ascenders and descenders, as lowercase letters have: `onum`.
  case oldstyle
  /// As high as uppercase letters: `lnum`.
  case lining

  /// The features that choose these digits.
  package var features: TextFeatures {
    switch self {
    case .normal: [:]
    case .tabular: ["tnum": 1, "pnum": 0]
    case .proportional: ["pnum": 1, "tnum": 0]
    case .oldstyle: ["onum": 1, "lnum": 0]
    case .lining: ["lnum": 1, "onum": 0]
    }
  }
}
