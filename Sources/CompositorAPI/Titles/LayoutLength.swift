/// A length in a parent's box: pixels, a fraction of the box's side, or the sum of both.
///
/// ```swift
/// let margin: LayoutLength = 40
/// let share = LayoutLength.fraction(0.05)
/// ```
public struct LayoutLength: Hashable, Sendable, ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
  /// Length in pixels.
  public var points: Double
  /// Fraction of the parent's side along the same axis; 1 is the whole side.
  public var fraction: Double

  /// Creates a length, 0 by default.
  public init(points: Double = 0, fraction: Double = 0) {
    self.points = points
    self.fraction = fraction
  }

  /// Creates a length in pixels.
  public init(floatLiteral value: Double) { self.init(points: value) }
  /// Creates a length in pixels.
  public init(integerLiteral value: Int) { self.init(points: Double(value)) }
  /// Creates a length in pixels.
  public static func points(_ points: Double) -> LayoutLength { LayoutLength(points: points) }
  /// Creates a length that is a fraction of the parent's side.
  public static func fraction(_ fraction: Double) -> LayoutLength { LayoutLength(fraction: fraction) }

  /// The length along a side, in pixels.
  package func pixels(along side: Double) -> Double { points + fraction * side }

  package var isFinite: Bool { points.isFinite && fraction.isFinite }
}

extension LayoutLength: Codable {
  private enum CodingKeys: CodingKey { case points, fraction }

  /// Decodes a number of pixels, a percentage such as `"5%"`, or `{ points, fraction }`.
  public init(from decoder: any Decoder) throws {
    if let single = try? decoder.singleValueContainer() {
      if let points = try? single.decode(Double.self) {
        self.init(points: points)
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
    self.init(points: try values.read(.points, or: 0), fraction: try values.read(.fraction, or: 0))
  }

  /// Encodes a number of pixels, or `{ points, fraction }`.
  public func encode(to encoder: any Encoder) throws {
    if fraction == 0 {
      var single = encoder.singleValueContainer()
      try single.encode(points)
      return
    }
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(points, forKey: .points)
    try values.encode(fraction, forKey: .fraction)
  }
}
