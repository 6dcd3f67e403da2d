public import CompositorAPI

/// Fonts, loaded: shared by any number of renderers, so that a thousand variants of a title load them once. Any thread.
public final class FontLibrary: Sendable {
  package let engine: TextEngine

  /// Loads fonts.
  ///
  /// - Throws: `.unreadableMedia` for a file that is no font, `.resourceExhausted` without a font configuration.
  public init(_ provider: FontProvider = .system) throws(CompositorError) {
    engine = try TextEngine(provider)
  }

  /// Makes sure that a text can be drawn.
  ///
  /// - Throws: `.fileNotFound` for a family that is not there, with near names, and for characters that no font has, unless the
  ///   text allows other fonts; `.invalidValue` for a text that is none.
  public func require(_ text: TextContent) throws(CompositorError) {
    var text = text
    // Every text that is made has a digit in it.
    if text.generator != nil { text.runs.insert(TextRun("0"), at: 0) }
    try text.requireLength()
    // What numbers a text may have is said where it is drawn.
    guard LayerContent.text(text).isSound else { return }
    let styled = StyledText(text, size: nil)
    if !styled.string.isEmpty { _ = try engine.checkedExtents(of: styled) }
  }

  /// The number of lines of a text, wrapped at its ``TextContent/maximumWidth`` if it wraps.
  package func lineCount(of text: TextContent) throws(CompositorError) -> Int {
    let styled = StyledText(text, size: nil)
    guard !styled.string.isEmpty else { return 0 }
    return (try engine.layout(styled).clusters.map(\.line).max() ?? -1) + 1
  }
}
