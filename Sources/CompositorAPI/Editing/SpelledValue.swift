/// A value that documents hold as one string, and that older documents may write in another way, which decoding still understands.
///
/// Readers of documents use the difference between the two to point out older spellings.
package protocol SpelledValue: Decodable {
  /// The value of a current spelling; `nil` for anything else, older spellings included.
  init?(spelling: String)
  /// How the value is written now.
  var spelling: String { get }
  /// Spellings that an author chooses from, for suggestions.
  static var spellings: [String] { get }
}

/// An enumeration whose raw values are in kebab-case, and that older documents may write in camel case or with underscores.
package protocol SpelledWord: SpelledValue, RawRepresentable, CaseIterable where RawValue == String {}

extension SpelledWord {
  package init?(spelling: String) { self.init(rawValue: spelling) }
  package var spelling: String { rawValue }
  package static var spellings: [String] { allCases.map(\.rawValue) }

  /// The case of a current or an older spelling; `nil` for anything else.
  package init?(anySpelling word: String) {
    guard let found = Self(rawValue: word) ?? Self(rawValue: word.kebabCased) else { return nil }
    self = found
  }

  /// Reads a current or an older spelling.
  ///
  /// - Throws: `DecodingError` for other words.
  package static func word(from decoder: any Decoder) throws -> Self {
    let container = try decoder.singleValueContainer()
    let word = try container.decode(String.self)
    guard let found = Self(anySpelling: word) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "There is no \(word) here. There are: \(spellings.joined(separator: ", "))")
    }
    return found
  }
}

extension String {
  /// The string with each capital letter of ASCII replaced by a hyphen and its lowercase letter, and each underscore by a hyphen:
  /// `color-dodge` for `colorDodge`.
  package var kebabCased: String {
    reduce(into: "") { result, letter in
      result += letter.isASCII && letter.isUppercase ? "-\(letter.lowercased())" : letter == "_" ? "-" : "\(letter)"
    }
  }
}
