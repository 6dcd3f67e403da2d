public import CompositorAPI

/// What a diagram shows, and how.
public struct DiagramSettings: Sendable, Hashable {
  /// Colors for a dark or a light surrounding.
  public enum Theme: String, Sendable, Hashable, CaseIterable {
    /// Dark strokes on white.
    case light
    /// Light strokes on near black.
    case dark
    /// Whichever the viewer prefers (`prefers-color-scheme`), in SVG and HTML; light elsewhere.
    case auto
  }

  /// The heading. Default `Timeline`.
  public var title: String
  /// The time that a marker shows. `nil`, the default, is none.
  public var time: MediaTime?
  /// The stretch of composition time to show. `nil`, the default, is all of it: from 0, or from the earliest time that something has, to the
  /// latest, but at most four times as long as the composition.
  public var range: TimeRange?
  /// The colors. Default light.
  public var theme: Theme
  /// The width of the whole diagram in pixels, 320 … 16,384; what is beyond is taken as the nearest of them. Default 1280.
  public var width: Int

  /// Settings for a page.
  public init(
    title: String = "Timeline", time: MediaTime? = nil, range: TimeRange? = nil, theme: Theme = .light, width: Int = 1280
  ) {
    self.title = title
    self.time = time
    self.range = range
    self.theme = theme
    self.width = width
  }

  /// The widths that a diagram can have.
  public static let widths = 320...16_384

  var usedWidth: Double { Double(min(max(width, Self.widths.lowerBound), Self.widths.upperBound)) }
}
