/// A length in a parent's box: pixels, a fraction of the box's side, or the sum of both.
///
/// ```swift
/// let margin: LayoutLength = 40
/// let share = LayoutLength.fraction(0.05)
/// ```
public struct LayoutLength: Hashable, Sendable, ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
  /// Length in pixels.
  public var pixels: Double
  /// Fraction of the parent's side along the same axis; 1 is the whole side.
  public var fraction: Double

  /// Creates a length, 0 by default.
  public init(pixels: Double = 0, fraction: Double = 0) {
    self.pixels = pixels
    self.fraction = fraction
  }

  /// Creates a length in pixels.
  public init(floatLiteral value: Double) { self.init(pixels: value) }
  /// Creates a length in pixels.
  public init(integerLiteral value: Int) { self.init(pixels: Double(value)) }
  /// Creates a length in pixels.
  public static func pixels(_ pixels: Double) -> LayoutLength { LayoutLength(pixels: pixels) }
  /// Creates a length that is a fraction of the parent's side.
  public static func fraction(_ fraction: Double) -> LayoutLength { LayoutLength(fraction: fraction) }

  /// The length along a side, in pixels.
  package func pixels(along side: Double) -> Double { pixels + fraction * side }

  package var isFinite: Bool { pixels.isFinite && fraction.isFinite }
}

extension LayoutLength: Codable {
  private enum CodingKeys: CodingKey { case pixels, fraction }

  /// Decodes a number of pixels, a percentage such as `"5%"`, or `{ pixels, fraction }`.
  public init(from decoder: any Decoder) throws {
    if let single = try? decoder.singleValueContainer() {
      if let pixels = try? single.decode(Double.self) {
        self.init(pixels: pixels)
        return
      }
      if let text = try? single.decode(String.self) {
        guard text.hasSuffix("%"), let percent = Double(text.dropLast()) else {
          throw DecodingError.dataCorruptedError(
            in: single, debugDescription: "\"\(text)\" is not a length: write pixels, or a part such as \"5%\"")
        }
        self.init(fraction: percent / 100)
        return
      }
    }
    guard let values = try? decoder.container(keyedBy: CodingKeys.self) else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath, debugDescription: "a length is a number of pixels, or a part such as \"5%\""))
    }
    self.init(pixels: try values.read(.pixels, or: 0), fraction: try values.read(.fraction, or: 0))
  }

  /// Encodes a number of pixels, or `{ pixels, fraction }`.
  public func encode(to encoder: any Encoder) throws {
    if fraction == 0 {
      var single = encoder.singleValueContainer()
      try single.encode(pixels)
      return
    }
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(pixels, forKey: .pixels)
    try values.encode(fraction, forKey: .fraction)
  }
}
