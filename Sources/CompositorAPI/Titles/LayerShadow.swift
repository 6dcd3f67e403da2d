/// One of several shadows of everything that a layer shows.
///
/// A bright shadow without an offset is a glow. Several are as several values of CSS's `box-shadow` or `drop-shadow()`, with half of
/// their blur radius as the standard deviation.
public struct LayerShadow: Hashable, Sendable {
  /// Its color.
  public var color = Color.black
  /// Its opacity, 0 … 1, in addition to that of the color.
  public var opacity = 1.0
  /// Its offset from the layer, in pixels.
  public var offset = Point.zero
  /// The standard deviation of its blur, in pixels, 0 or more; at most 100 pixels of the canvas.
  public var radius = 0.0
  /// Whether it falls into the layer, over its contents, as if from an edge above them, instead of behind it.
  public var isInner = false

  /// Creates a shadow.
  public init(
    _ color: Color = .black, opacity: Double = 1, offset: Point = .zero, radius: Double = 0, isInner: Bool = false
  ) {
    (self.color, self.opacity, self.offset) = (color, opacity, offset)
    (self.radius, self.isInner) = (radius, isInner)
  }
}

extension LayerShadow: Codable {
  private enum CodingKeys: CodingKey { case color, opacity, offset, radius, isInner }

  /// Decodes a shadow. Missing keys have their defaults.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init()
    color = try values.readColor(.color, or: color)
    opacity = try values.read(.opacity, or: opacity)
    offset = try values.decodeIfPresent(PointNotation.self, forKey: .offset)?.point ?? offset
    radius = try values.read(.radius, or: radius)
    isInner = try values.read(.isInner, or: isInner)
  }
}

extension Layer {
  /// The shadows that are seen, from front to back: that of ``shadowOpacity`` is the first.
  package var shownShadows: [LayerShadow] {
    let first =
      shadowOpacity > 0 ? [LayerShadow(shadowColor, opacity: shadowOpacity, offset: shadowOffset, radius: shadowRadius)] : []
    return shadows.isEmpty ? first : first + shadows.filter { $0.opacity > 0 && $0.color.alpha > 0 }
  }

  /// Whether there is a shadow. O(1).
  package var hasShadow: Bool { shadowOpacity > 0 || !shadows.isEmpty }
}
