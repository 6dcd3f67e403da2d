/// A background behind each line or word of a text, as captions on phones have. It is drawn behind all letters and their
/// outlines, and extends beyond the bounds of a layer that has just the size of its text.
public struct TextBackground: Hashable, Sendable, Codable {
  /// The parts of a text that have a background each.
  public enum Part: String, Hashable, Sendable, Codable, CaseIterable {
    /// Each line, from its first character to its last; a column in vertical writing.
    case line
    /// Each word, as that of a ``TextAnimator``.
    case word
  }

  /// The color. Backgrounds that overlap are one shape, so that a translucent color is even.
  public var color: Color
  /// The parts that have a background each.
  public var per = Part.line
  /// How far it extends beyond the characters, from their font's ascent to its descent, on all sides, in pixels; 0 to 10,000.
  public var padding = 0.0
  /// The radius of the corners, in pixels, from 0 to half of the shorter side.
  public var cornerRadius = 0.0

  /// Creates a background.
  public init(_ color: Color, per: Part = .line, padding: Double = 0, cornerRadius: Double = 0) {
    self.color = color
    self.per = per
    self.padding = padding
    self.cornerRadius = cornerRadius
  }

  /// Decodes `{ color: "#000000a0", per: "word", padding: 8, cornerRadius: 6 }`; all keys but the color are optional.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(try values.decode(ColorNotation.self, forKey: .color).color)
    per = try values.read(.per, or: per)
    padding = try values.read(.padding, or: padding)
    cornerRadius = try values.read(.cornerRadius, or: cornerRadius)
  }
}
