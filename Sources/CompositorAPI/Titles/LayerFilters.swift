/// Filters of everything that a layer shows: its content, its sublayers, and its border; or of what lies below it.
///
/// They apply in the order of the properties, after clipping to the bounds, and before the layer's mask, shadow, opacity and blend
/// mode. The color filters are those of CSS (Filter Effects Module Level 1), on colors as they are written, where 1 is white: on the
/// signal of an SDR output, also if layers are blended in light; in HDR and in a linear signal on one with the exponent by which
/// middle gray becomes light there, in which colors may exceed white.
public struct LayerFilters: Hashable, Sendable {
  /// The standard deviation of a Gaussian blur, in pixels, as CSS `blur()` has it: 0 for none. At most 250 pixels of the canvas.
  public var blurRadius = 0.0
  /// The factor of all colors: 0 is black, 1 changes nothing.
  public var brightness = 1.0
  /// The contrast around middle gray: 0 is gray, 1 changes nothing.
  public var contrast = 1.0
  /// The saturation: 0 is gray, 1 changes nothing.
  public var saturation = 1.0
  /// The rotation of hues, in radians.
  public var hueRotation = 0.0
  /// The standard deviation of a glow, in pixels: the filtered picture, blurred by a Gaussian, is added to itself as light. 0 for none.
  /// At most 250 pixels of the canvas.
  public var glowRadius = 0.0
  /// The factor of the light that a glow adds.
  public var glowIntensity = 1.0

  /// Creates filters that change nothing.
  public init() {}

  /// Whether they change nothing.
  package var isIdentity: Bool { self == LayerFilters() }
}

extension LayerFilters: Codable {
  private enum CodingKeys: CodingKey {
    case blurRadius, brightness, contrast, saturation, hueRotation, glowRadius, glowIntensity
  }

  /// Decodes filters. Missing keys have their defaults.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init()
    blurRadius = try values.read(.blurRadius, or: blurRadius)
    brightness = try values.read(.brightness, or: brightness)
    contrast = try values.read(.contrast, or: contrast)
    saturation = try values.read(.saturation, or: saturation)
    hueRotation = try values.read(.hueRotation, or: hueRotation)
    glowRadius = try values.read(.glowRadius, or: glowRadius)
    glowIntensity = try values.read(.glowIntensity, or: glowIntensity)
  }
}
