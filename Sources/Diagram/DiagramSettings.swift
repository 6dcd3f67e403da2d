public import CompositorAPI

/// What a diagram shows, and how.
public struct DiagramSettings: Sendable, Hashable {
  /// Colors for a dark or a light surrounding.
  public enum Theme: String, Sendable, Hashable, CaseIterable {
    /// Dark strokes on white.
    case light
    /// Light strokes on near black.
    case dark
  }

  /// The time that a marker shows. `nil`, the default, is none.
  public var time: MediaTime?
  /// The colors. Default light.
  public var theme: Theme
  /// The width of the whole diagram in pixels, 320 … 16,384. Default 1280.
  public var width: Int

  /// Settings for a page.
  public init(time: MediaTime? = nil, theme: Theme = .light, width: Int = 1280) {
    self.time = time
    self.theme = theme
    self.width = width
  }
}
