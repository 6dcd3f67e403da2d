import CompositorAPI

/// Where words of a text may be divided at the ends of lines.
struct Hyphenation {
  /// Byte offsets at which a word may be divided, in increasing order.
  private(set) var places: [Int] = []
  /// What prevents dividing the words of a language.
  private(set) var problem: Problem?
  /// The languages of the dictionaries that were used.
  private(set) var languages: Set<String> = []

  enum Problem: Hashable {
    case noLanguage
    case noDictionary(language: String)

    var error: CompositorError {
      switch self {
      case .noLanguage:
        return CompositorError(
          .invalidValue, "A text hyphenates, and has no language, each of which divides words by its own rules.",
          recoverySuggestion: "Give it a language, such as language: \"en-US\" or \"de\".")
      case .noDictionary(let language):
        let package = HyphenationDictionary.package(for: language)
        return CompositorError(
          .fileNotFound, "There is no hyphenation dictionary for the language \"\(language)\".",
          recoverySuggestion: package.map { "Install it (the package \($0)), or remove hyphenates." }
            ?? "Name another language, or remove hyphenates.")
      }
    }
  }

  /// The fewest letters of a word that is divided, as in browsers (CSS Text 4, `hyphenate-limit-chars`).
  private static let minimumLength = 5

  /// - Parameter runs: The runs of the text, which have its languages.
  init(of string: String, _ runs: [StyledText.Run]) {
    var rest = runs[...]
    var wordsByLanguage: [String: [Word]] = [:]
    for word in Hyphenation.words(of: string) where word.letters.count >= Hyphenation.minimumLength {
      while let run = rest.first, run.end <= word.offsets[0] { rest.removeFirst() }
      let language = rest.first?.language ?? ""
      guard !language.isEmpty else {
        problem = problem ?? .noLanguage
        continue
      }
      wordsByLanguage[language, default: []].append(word)
    }
    for (language, words) in wordsByLanguage.sorted(by: { $0.value[0].offsets[0] < $1.value[0].offsets[0] }) {
      guard let dictionary = HyphenationDictionary.of(language) else {
        problem = problem ?? .noDictionary(language: language)
        continue
      }
      languages.insert(language)
      let divisions = dictionary.divisions(of: words.map(\.lowercase))
      for word in words {
        places += (divisions[word.lowercase] ?? []).filter(word.mayBeDivided).map { word.offsets[$0 + 1] }
      }
    }
    places.sort()
  }

  /// Letters between other characters, and the byte offset of each. Apostrophes may be among them.
  private struct Word {
    var letters: [Unicode.Scalar] = []
    var offsets: [Int] = []

    var lowercase: [Unicode.Scalar] { letters.map(\.lowercase) }

    /// Whether neither an apostrophe nor a mark of the letter before is beside a place.
    func mayBeDivided(after index: Int) -> Bool {
      !letters[index].isApostrophe && !letters[index + 1].isApostrophe && !letters[index + 1].properties.generalCategory.isMark
    }
  }

  /// The words that a dictionary may divide: those without digits, and without soft hyphens of their own, which say where
  /// they are to be divided.
  private static func words(of string: String) -> [Word] {
    var (words, word, isPlain, offset): ([Word], Word, Bool, Int) = ([], Word(), true, 0)
    func close() {
      while word.letters.last?.isApostrophe == true {
        word.letters.removeLast()
        word.offsets.removeLast()
      }
      if isPlain, !word.letters.isEmpty { words.append(word) }
      (word, isPlain) = (Word(), true)
    }
    for scalar in string.unicodeScalars {
      defer { offset += UTF8.width(scalar) }
      if scalar.isDividedLetter || scalar.isApostrophe && !word.letters.isEmpty {
        word.letters.append(scalar)
        word.offsets.append(offset)
      } else if scalar == "\u{AD}" || scalar.properties.numericType != nil || scalar == "_" {
        isPlain = false
      } else {
        close()
      }
    }
    close()
    return words
  }
}

extension Unicode.Scalar {
  /// Whether it is a letter or mark of a script that is hyphenated. Hebrew, Arabic and those without spaces between words
  /// are not, except for Thai, for which there is a dictionary.
  fileprivate var isDividedLetter: Bool {
    switch value {
    case 0x0590...0x08ff, 0x0e80...0x109f, 0x1100...0x11ff, 0x1780...0x17ff, 0x2e80...0xa4cf, 0xa960...0xa97f, 0xac00...0xd7ff,
      0xf900...0xfaff, 0xfb1d...0xfdff, 0xfe70...0xffef, 0x10800...0x10fff, 0x1e800...0x1efff, 0x20000...0x3ffff:
      false
    default: properties.isAlphabetic || properties.generalCategory.isMark && value < 0xfe00
    }
  }

  fileprivate var isApostrophe: Bool { self == "'" || self == "’" }

  /// The lowercase letter as dictionaries have it, and the apostrophe as they write it.
  fileprivate var lowercase: Unicode.Scalar {
    if self == "’" { return "'" }
    let mapped = properties.lowercaseMapping.unicodeScalars
    return mapped.count == 1 ? mapped.first ?? self : self
  }
}

extension Unicode.GeneralCategory {
  fileprivate var isMark: Bool { self == .nonspacingMark || self == .spacingMark || self == .enclosingMark }
}
