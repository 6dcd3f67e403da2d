public import CompositorAPI

/// The contents and appearance of a diagram.
public struct DiagramSettings: Sendable, Hashable {
  /// The color theme.
  public enum Theme: String, Sendable, Hashable, CaseIterable {
    /// Dark strokes on white.
    case light
    /// Light strokes on near black.
    case dark
    /// The viewer's preference (`prefers-color-scheme`) in SVG and HTML; light elsewhere.
    case auto
  }

  /// The heading. Default: `Timeline`.
  public var title: String
  /// The time of the playhead marker. `nil`, the default, shows none.
  public var time: MediaTime?
  /// The range of composition time to show. `nil`, the default, shows everything: from 0, or the earliest time in the edit,
  /// to the latest time, but at most four times the composition's duration.
  public var range: TimeRange?
  /// The color theme. Default: light.
  public var theme: Theme
  /// The width of the diagram in pixels, clamped to 320 … 16,384. Default: 1280.
  public var width: Int

  /// Creates settings.
  public init(
    title: String = "Timeline", time: MediaTime? = nil, range: TimeRange? = nil, theme: Theme = .light, width: Int = 1280
  ) {
    self.title = title
    self.time = time
    self.range = range
    self.theme = theme
    self.width = width
  }

  /// The valid widths of a diagram.
  public static let widths = 320...16_384

  var usedWidth: Double { Double(min(max(width, Self.widths.lowerBound), Self.widths.upperBound)) }
}
