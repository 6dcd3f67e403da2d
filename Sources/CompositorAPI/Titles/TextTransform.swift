/// A change of letters to uppercase or lowercase, as that of CSS.
///
/// It follows Unicode's complete mappings (ß becomes SS) and the rules of the text's ``TextContent/language``: Turkish and
/// Azerbaijani have i with and without a dot, Greek uppercase has no accents, Dutch has a letter IJ.
public enum TextTransform: String, Hashable, Sendable, Codable, CaseIterable {
  /// None.
  case none
  /// All letters are uppercase.
  case uppercase
  /// All letters are lowercase.
  case lowercase
  /// The first letter of each word is uppercase. The others are unchanged.
  case capitalize

  /// The transformed text.
  ///
  /// - Parameters:
  ///   - language: A language tag, or empty.
  ///   - previous: The character before the text, which may be in the middle of a word.
  package func apply(to text: String, language: String, after previous: Character? = nil) -> String {
    let rules = Rules(language)
    return switch self {
    case .none: text
    case .uppercase: rules.uppercase(text)
    case .lowercase: rules.lowercase(text)
    case .capitalize: rules.capitalize(text, after: previous)
    }
  }
}

/// The rules of a language.
private struct Rules {
  private enum Language { case turkic, greek, dutch, other }

  private let language: Language

  init(_ tag: String) {
    language =
      switch tag.prefix(while: { $0 != "-" && $0 != "_" }).lowercased() {
      case "tr", "az": .turkic
      case "el": .greek
      case "nl": .dutch
      default: .other
      }
  }

  func uppercase(_ text: String) -> String {
    switch language {
    case .turkic: return String(text.map { $0 == "i" ? "İ" : $0 }).uppercased()
    case .greek:
      // A single eta with an accent is the word "or".
      let words = text.split(omittingEmptySubsequences: false) { !$0.isLetter }
      guard words.contains(where: { $0 == "ή" }) else { return Rules.withoutAccents(text).uppercased() }
      var result = ""
      for word in words {
        result += word == "ή" ? "Ή" : Rules.withoutAccents(String(word)).uppercased()
        if word.endIndex < text.endIndex { result.append(text[word.endIndex]) }
      }
      return result
    case .dutch, .other: return text.uppercased()
    }
  }

  func lowercase(_ text: String) -> String {
    var scalars = Array(text.unicodeScalars)
    for (index, scalar) in scalars.enumerated() {
      switch scalar {
      case "İ" where language == .turkic: scalars[index] = "i"
      case "I" where language == .turkic: scalars[index] = "ı"
      // At the end of a word, sigma has another form.
      case "Σ" where Rules.isLetter(scalars, index - 1) && !Rules.isLetter(scalars, index + 1): scalars[index] = "ς"
      default: break
      }
    }
    var result = String.UnicodeScalarView()
    result.append(contentsOf: scalars)
    return String(result).lowercased()
  }

  func capitalize(_ text: String, after previous: Character?) -> String {
    var (result, before) = ("", previous)
    var index = text.startIndex
    while index < text.endIndex {
      let character = text[index]
      index = text.index(after: index)
      defer { before = character }
      guard character.isLetter, before.map(Rules.isInWord) != true else {
        result.append(character)
        continue
      }
      if language == .turkic, character == "i" {
        result += "İ"
      } else if language == .dutch, character == "i", index < text.endIndex, text[index] == "j" {
        result += "IJ"
        index = text.index(after: index)
      } else {
        result += Rules.titlecase(character)
      }
    }
    return result
  }

  private static func titlecase(_ character: Character) -> String {
    let scalars = character.unicodeScalars
    guard let first = scalars.first else { return "" }
    return first.properties.titlecaseMapping + String(String.UnicodeScalarView(scalars.dropFirst()))
  }

  /// Whether a letter after this character is in the same word.
  private static func isInWord(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "'" || character == "’" || character == "\u{AD}"
  }

  private static func isLetter(_ scalars: [Unicode.Scalar], _ index: Int) -> Bool {
    scalars.indices.contains(index) && (scalars[index].properties.isAlphabetic || scalars[index].properties.isDiacritic)
  }

  /// Greek vowels without their accent; a diaeresis stays.
  private static func withoutAccents(_ text: String) -> String {
    let plain: [Character: Character] = [
      "ά": "α", "έ": "ε", "ή": "η", "ί": "ι", "ό": "ο", "ύ": "υ", "ώ": "ω", "ΐ": "ϊ", "ΰ": "ϋ", "Ά": "Α", "Έ": "Ε", "Ή": "Η",
      "Ί": "Ι", "Ό": "Ο", "Ύ": "Υ", "Ώ": "Ω",
    ]
    return String(text.map { plain[$0] ?? $0 })
  }
}
