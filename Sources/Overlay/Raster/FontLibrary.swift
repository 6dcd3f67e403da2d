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
}
