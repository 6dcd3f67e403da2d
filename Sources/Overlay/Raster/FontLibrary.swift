import CCompositorPangoCairo
public import CompositorAPI

/// Loaded fonts, shared by any number of renderers, so that a thousand variants of a title load them once. Thread-safe.
public final class FontLibrary: Sendable {
  package let engine: TextEngine

  /// Loads the fonts of a provider.
  ///
  /// - Throws: `.unreadableMedia` if a file is not a font, `.resourceExhausted` if there is no font configuration.
  public init(_ provider: FontProvider = .system) throws(CompositorError) {
    engine = try TextEngine(provider)
  }

  /// Checks that a text can be drawn with these fonts.
  ///
  /// - Throws: `.fileNotFound` if a family is missing (similar names are suggested), or if no font has a character and the
  ///   text does not allow other fonts, or if the dictionary is missing by which its words are to be divided; `.invalidValue` if
  ///   the text is malformed, or divides words without a language.
  public func require(_ text: TextContent) throws(CompositorError) {
    var text = text
    if let generator = text.generator {
      try generator.requireLocale()
      text.runs.insert(TextRun(generator.sample), at: 0)
    }
    try text.requireLength()
    // Numeric limits are checked when the text is drawn.
    guard LayerContent.text(text).isSound else { return }
    let styled = StyledText(text, size: nil)
    if !styled.string.isEmpty { _ = try engine.checkedExtents(of: styled) }
    if text.hyphenates, let problem = Hyphenation(of: styled.string, styled.runs).problem { throw problem.error }
  }

  /// The font files used for layout so far: system fonts, by family. Fonts given as bytes are not included.
  package var usedFonts: [UsedFont] { engine.usedFonts.filter { !$0.path.hasPrefix("/proc/self/fd/") } }

  /// The hyphenation dictionaries used for layout so far, by the names of their files, with checksums.
  package var usedDictionaries: [String: String] { engine.usedDictionaries }

  /// The number of lines of a text, wrapped at its ``TextContent/maximumWidth`` if it wraps.
  package func lineCount(of text: TextContent) throws(CompositorError) -> Int {
    let styled = StyledText(text, size: nil)
    guard !styled.string.isEmpty else { return 0 }
    return (try engine.layout(styled).clusters.map(\.line).max() ?? -1) + 1
  }
}

/// A font used for text layout.
package struct UsedFont: Hashable, Sendable {
  /// The family name by which it was found.
  package let family: String
  /// The path of its file.
  package let path: String

  package init(family: String, path: String) { (self.family, self.path) = (family, path) }
}

/// The libraries used for drawing text.
package enum TextLibraries {
  /// The versions of Cairo, Fontconfig, FreeType, HarfBuzz, ICU and Pango in use, by name.
  package static var versions: [String: String] {
    var versions = ["icu": LocaleText.version]
    var text = [CChar](repeating: 0, count: 64)
    for index in 0... {
      guard cpc_library_version(Int32(index), &text, text.count) else { break }
      let parts = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self).split(
        separator: " ", maxSplits: 1)
      if parts.count == 2 { versions[String(parts[0])] = String(parts[1]) }
    }
    return versions
  }
}
