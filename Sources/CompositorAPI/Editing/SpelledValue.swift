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

extension String {
  /// The string with each capital letter of ASCII replaced by a hyphen and its lowercase letter: `color-dodge` for `colorDodge`.
  package var kebabCased: String {
    reduce(into: "") { result, letter in
      result += letter.isASCII && letter.isUppercase ? "-\(letter.lowercased())" : "\(letter)"
    }
  }
}
