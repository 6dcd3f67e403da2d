import CCompositorHyphen
import CompositorPlatform
import Synchronization

/// A hyphenation dictionary of the system. Each is read once in a process, and used by any number of threads.
///
/// Of its patterns libhyphen gets those alone that the words at hand need: it takes seconds for all of the German ones.
package final class HyphenationDictionary: Sendable {
  /// The path of its file.
  let path: String
  /// A checksum of its bytes: frames of machines with different dictionaries may differ.
  let checksum: UInt64
  // It has a lock of its own for what changes.
  nonisolated(unsafe) private let pointer: OpaquePointer

  /// The name of its file.
  var name: String { path.split(separator: "/").last.map(String.init) ?? path }

  /// The places of the words that were divided so far, up to a number of words.
  private let divided = Mutex<[[Unicode.Scalar]: [Int]]>([:])
  private static let mostKept = 20_000

  /// - Returns: `nil` if there is no dictionary at a path.
  package init?(path: String) {
    guard let pointer = chy_dictionary_open(path) else { return nil }
    (self.path, self.pointer) = (path, pointer)
    checksum = chy_dictionary_checksum(pointer)
  }

  deinit { chy_dictionary_close(pointer) }

  /// The dictionary of a language; `nil` if none is installed.
  ///
  /// - Parameter language: A language tag such as `de` or `pt-BR`.
  static func of(_ language: String) -> HyphenationDictionary? {
    known.withLock { known in
      if let answer = known.byLanguage[language] { return answer }
      let path = path(for: language)
      let found = path.flatMap { known.byPath[$0] ?? HyphenationDictionary(path: $0) }
      if let path, let found { known.byPath[path] = found }
      known.byLanguage[language] = .some(found)
      return found
    }
  }

  private struct Known {
    var byLanguage: [String: HyphenationDictionary?] = [:]
    var byPath: [String: HyphenationDictionary] = [:]
  }

  private static let known = Mutex(Known())

  /// Where words of letters may be divided: for each, the indices of the letters before such places.
  ///
  /// - Parameter words: Words in lowercase letters. Those that are too long stay whole.
  func divisions(of words: [[Unicode.Scalar]]) -> [[Unicode.Scalar]: [Int]] {
    var found: [[Unicode.Scalar]: [Int]] = [:]
    divided.withLock { divided in
      for word in words { found[word] = divided[word] }
    }
    let new = Array(Set(words.filter { found[$0] == nil }))
    guard !new.isEmpty else { return found }
    let made = divisions(of: new, byAllPatterns: false)
    divided.withLock { divided in
      if divided.count + made.count > Self.mostKept { divided = [:] }
      divided.merge(made) { first, _ in first }
    }
    return found.merging(made) { first, _ in first }
  }

  /// The same without what is kept of words.
  ///
  /// - Parameter byAllPatterns: Whether libhyphen gets all patterns, not only those that the words need. The result is the same.
  package func divisions(of words: [[Unicode.Scalar]], byAllPatterns: Bool) -> [[Unicode.Scalar]: [Int]] {
    let letters = words.joined().map(\.value)
    let patterns = chy_patterns_open(pointer, letters, byAllPatterns ? nil : words.map(\.count), words.count)
    defer { chy_patterns_close(patterns) }
    var found: [[Unicode.Scalar]: [Int]] = [:]
    for word in words {
      var points = [Bool](repeating: false, count: word.count)
      if let patterns { chy_patterns_divide(patterns, pointer, word.map(\.value), word.count, &points) }
      found[word] = points.indices.filter { points[$0] }
    }
    return found
  }
}

extension HyphenationDictionary {
  /// Folders of dictionaries: those in `DICPATH`, as for Hunspell, then that of the system.
  private static var folders: [String] {
    let named = getenv("DICPATH").map { String(cString: $0) } ?? ""
    return named.split(separator: ":").map(String.init) + ["/usr/share/hyphen"]
  }

  /// The file for a language. A tag is shortened from its end until there is one (RFC 4647, lookup); then any region of the
  /// language will do.
  private static func path(for language: String) -> String? {
    let parts = language.split { $0 == "-" || $0 == "_" }
    let isPlain = parts.allSatisfy { part in part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) } }
    guard let first = parts.first, isPlain else { return nil }
    let subtags = [first.lowercased()] + parts.dropFirst().map { $0.count == 4 ? $0.capitalized : $0.uppercased() }
    for folder in folders {
      for count in stride(from: subtags.count, to: 0, by: -1) {
        let path = "\(folder)/hyph_\(subtags.prefix(count).joined(separator: "_")).dic"
        if access(path, R_OK) == 0 { return path }
      }
      if let name = chy_first_dictionary(folder, "hyph_\(subtags[0])_") {
        defer { free(name) }
        return "\(folder)/\(String(cString: name))"
      }
    }
    return nil
  }

  /// The Debian and Ubuntu package of a language's dictionary; `nil` if there is none.
  static func package(for language: String) -> String? {
    let tag = language.lowercased().split { $0 == "-" || $0 == "_" }.map(String.init)
    switch tag.first {
    case "en": return tag.contains("us") || tag.count == 1 ? "hyphen-en-us" : "hyphen-en-gb"
    case "pt": return tag.contains("br") ? "hyphen-pt-br" : "hyphen-pt-pt"
    case "nb", "nn", "no": return "hyphen-no"
    case let first?: return packaged.contains(first) ? "hyphen-\(first)" : nil
    case nil: return nil
    }
  }

  private static let packaged: Set<String> = [
    "af", "as", "be", "bg", "bn", "ca", "cs", "da", "de", "el", "es", "fr", "gl", "gu", "hi", "hr", "hu", "id", "is", "it",
    "kn", "lt", "lv", "ml", "mn", "mr", "nl", "or", "pa", "pl", "ro", "ru", "sk", "sl", "sr", "sv", "ta", "te", "th", "uk",
    "zu",
  ]
}

extension Substring {
  fileprivate var capitalized: String { prefix(1).uppercased() + dropFirst().lowercased() }
}
