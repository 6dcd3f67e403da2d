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
  ///   - previous: The two characters before the text, which may begin in the middle of a word.
  ///   - next: The character after the text.
  package func apply(
    to text: String, language: String, after previous: Substring = "", before next: Character? = nil
  ) -> String {
    let rules = Rules(language)
    return switch self {
    case .none: text
    case .uppercase: rules.uppercase(text)
    case .lowercase: rules.lowercase(text, after: previous.last, before: next)
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

  func lowercase(_ text: String, after previous: Character?, before next: Character?) -> String {
    let scalars = Array(text.unicodeScalars)
    var result = String.UnicodeScalarView()
    for (index, scalar) in scalars.enumerated() {
      let before = index > 0 ? scalars[index - 1] : previous?.unicodeScalars.last
      let after = index + 1 < scalars.count ? scalars[index + 1] : next?.unicodeScalars.first
      switch scalar {
      case "İ" where language == .turkic: result.append("i")
      case "I" where language == .turkic: result.append(after == Rules.dot ? "i" : "ı")
      // The dot of a decomposed İ.
      case Rules.dot where language == .turkic && before == "I": break
      // At the end of a word, sigma has another form.
      case "Σ" where Rules.isLetter(before) && !Rules.isLetter(after): result.append("ς")
      default: result.append(scalar)
      }
    }
    return String(result).lowercased()
  }

  /// The combining dot above.
  private static let dot: Unicode.Scalar = "\u{307}"

  func capitalize(_ text: String, after previous: Substring) -> String {
    var (result, before, beforeThat) = ("", previous.last, previous.dropLast().last)
    var index = text.startIndex
    while index < text.endIndex {
      let character = text[index]
      index = text.index(after: index)
      defer { (beforeThat, before) = (before, character) }
      guard character.isLetter, !Rules.isInWord(before, after: beforeThat) else {
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

  /// Whether a letter after this character is in the same word. An apostrophe is in a word if it follows a letter, and opens a
  /// quotation otherwise.
  private static func isInWord(_ character: Character?, after previous: Character?) -> Bool {
    guard let character else { return false }
    if character.isLetter || character.isNumber { return true }
    guard character == "'" || character == "’" || character == "\u{AD}" else { return false }
    return previous.map { $0.isLetter || $0.isNumber } ?? false
  }

  private static func isLetter(_ scalar: Unicode.Scalar?) -> Bool {
    scalar.map { $0.properties.isAlphabetic || $0.properties.isDiacritic } ?? false
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
