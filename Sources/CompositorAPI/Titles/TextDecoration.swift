/// A line under or through letters.
public struct TextDecoration: Hashable, Sendable {
  /// The number of lines.
  public enum Style: String, Hashable, Sendable, Codable, CaseIterable {
    /// No line, in a run of a text that has one.
    case none
    /// One line.
    case single
    /// Two lines, as far apart as they are thick.
    case double
  }

  /// The number of lines.
  public var style = Style.single
  /// The color; `nil` for that of the letters.
  public var color: Color?
  /// The thickness of a line, in pixels, above 0; `nil` for that of the font.
  public var thickness: Double?

  /// Creates a line.
  public init(_ style: Style = .single, color: Color? = nil, thickness: Double? = nil) {
    self.style = style
    self.color = color
    self.thickness = thickness
  }
}

extension TextDecoration: Codable {
  private enum CodingKeys: CodingKey { case style, color, thickness }

  /// Decodes `true`, `false`, a style, or `{ style: "double", color: "red", thickness: 4 }`, where every key is optional.
  public init(from decoder: any Decoder) throws {
    if let single = try? decoder.singleValueContainer() {
      if let isOn = try? single.decode(Bool.self) {
        self.init(isOn ? .single : .none)
        return
      }
      if let style = try? single.decode(Style.self) {
        self.init(style)
        return
      }
    }
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(try values.read(.style, or: .single))
    color = try values.readColor(.color)
    thickness = try values.decodeIfPresent(Double.self, forKey: .thickness)
  }
}

/// The distance of letters from their baseline.
public enum BaselineShift: Hashable, Sendable {
  /// Upward, in pixels; negative numbers are downward.
  case pixels(Double)
  /// Higher by a third of the font's size, and 58 % as large: the 2 in x².
  case superscript
  /// Lower by a fifth of the font's size, and 58 % as large: the 2 in H₂O.
  case `subscript`
}

extension BaselineShift: Codable {
  /// Decodes a number of pixels, `"superscript"` or `"subscript"`.
  public init(from decoder: any Decoder) throws {
    let single = try decoder.singleValueContainer()
    if let pixels = try? single.decode(Double.self) {
      self = .pixels(pixels)
      return
    }
    switch try single.decode(String.self) {
    case "superscript": self = .superscript
    case "subscript": self = .subscript
    case let word:
      throw DecodingError.dataCorruptedError(
        in: single, debugDescription: "\"\(word)\" isn't a shift of the baseline: write pixels, superscript or subscript")
    }
  }

  /// Encodes the form that ``init(from:)`` decodes.
  public func encode(to encoder: any Encoder) throws {
    var single = encoder.singleValueContainer()
    switch self {
    case .pixels(let pixels): try single.encode(pixels)
    case .superscript: try single.encode("superscript")
    case .subscript: try single.encode("subscript")
    }
  }
}
