/// A font face.
public struct TextFont: Hashable, Sendable, Codable {
  /// The family name, or several separated by commas. Empty for the provider's default.
  public var family = ""
  /// Height of the em, in pixels.
  public var size = 36.0
  /// The weight: 100 (thin) … 400 (regular) … 700 (bold) … 1000. Variable fonts have every weight between their limits, other
  /// fonts the nearest that is installed.
  public var weight = 400
  /// Whether the face is italic or oblique.
  public var isItalic = false
  /// Positions on the axes of a variable font, by their tags of four letters or digits: `wght` for weight, `wdth` for width in
  /// percent of the normal one, `slnt` for slant in degrees, `opsz` for optical size in pixels, or the font's own. The font
  /// limits them to its range, and ignores axes that it doesn't have. `wght` is stronger than ``weight``.
  public var variations: [String: Double] = [:]

  /// Creates a font description.
  public init(family: String = "", size: Double = 36, weight: Int = 400, isItalic: Bool = false) {
    self.family = family
    self.size = size
    self.weight = weight
    self.isItalic = isItalic
  }

  /// Decodes a font. Missing keys have their defaults.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init()
    family = try values.read(.family, or: family)
    size = try values.read(.size, or: size)
    weight = try values.read(.weight, or: weight)
    isItalic = try values.read(.isItalic, or: isItalic)
    variations = try values.read(.variations, or: variations)
    try requireAxes()
  }

  /// Encodes the form that ``init(from:)`` decodes.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(family, forKey: .family)
    try values.encode(size, forKey: .size)
    try values.encode(weight, forKey: .weight)
    try values.encode(isItalic, forKey: .isItalic)
    if !variations.isEmpty { try values.encode(variations, forKey: .variations) }
  }

  fileprivate enum CodingKeys: CodingKey { case family, size, weight, isItalic, variations }

  /// Checks that every axis can be one of OpenType.
  ///
  /// - Throws: `.invalidValue`.
  package func requireAxes() throws(CompositorError) {
    for (tag, value) in variations.sorted(by: { $0.key < $1.key }) {
      guard tag.utf8.count == 4, tag.utf8.allSatisfy(TextFeatures.isOfTag), abs(value) <= 32_767 else {
        throw CompositorError(
          .invalidValue, "\"\(tag.prefix(40))\" at \(value) isn't a position on an axis of a font.",
          recoverySuggestion: "Write a tag of four letters or digits and a number up to 32,767: { wght: 650, wdth: 80 }.")
      }
    }
  }
}

/// The font of a run with all its keys, so that it has none from the font of its text.
struct WholeTextFont: Encodable {
  let font: TextFont

  func encode(to encoder: any Encoder) throws {
    try font.encode(to: encoder)
    var values = encoder.container(keyedBy: TextFont.CodingKeys.self)
    try values.encode(font.variations, forKey: .variations)
  }
}

/// The font of a run as it is written: it has the keys that it doesn't state from the font of its text, as in CSS.
struct TextRunFont: Decodable {
  private let family: String?
  private let size: Double?
  private let weight: Int?
  private let isItalic: Bool?
  private let variations: [String: Double]?

  /// The whole font. A weight that is stated is stronger than the text's position on the axis of weight.
  func completed(by font: TextFont) -> TextFont {
    var result = TextFont(
      family: family ?? font.family, size: size ?? font.size, weight: weight ?? font.weight, isItalic: isItalic ?? font.isItalic
    )
    result.variations = variations ?? font.variations
    if weight != nil, variations == nil { result.variations["wght"] = nil }
    return result
  }
}
