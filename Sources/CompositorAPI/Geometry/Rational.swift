/// An exact ratio of two integers, for pixel aspects and frame rates.
public struct Rational: Hashable, Sendable, Codable, CustomStringConvertible {
  /// Numerator.
  public var numerator: Int
  /// Denominator, > 0 in a valid ratio.
  public var denominator: Int
  /// Makes a ratio as given, not reduced.
  public init(_ numerator: Int, _ denominator: Int) {
    self.numerator = numerator
    self.denominator = denominator
  }
  /// 1 : 1, square pixels.
  public static let one = Rational(1, 1)
  /// The nearest double.
  public var value: Double { Double(numerator) / Double(denominator) }
  /// `30000/1001`.
  public var description: String { "\(numerator)/\(denominator)" }

  /// Whether both numbers are above 0.
  public var isPositive: Bool { numerator > 0 && denominator > 0 }

  /// The same ratio in lowest terms, the denominator above 0; as it is where the denominator is 0.
  public var reduced: Rational {
    guard denominator != 0 else { return self }
    let common = greatestCommonDivisor(numerator.magnitude, denominator.magnitude)
    let (top, bottom) = (numerator.magnitude / common, denominator.magnitude / common)
    let isNegative = (numerator < 0) != (denominator < 0) && top > 0
    guard let denominator = Int(exactly: bottom), let magnitude = Int(exactly: top) else { return self }
    return Rational(isNegative ? -magnitude : magnitude, denominator)
  }

  /// The time from frame to frame at this frame rate; invalid where it is not positive or does not fit a time.
  public var frameDuration: MediaTime {
    guard isPositive else { return .invalid }
    let rate = reduced
    guard let timescale = Int32(exactly: rate.numerator) else { return .invalid }
    return MediaTime(value: Int64(rate.denominator), timescale: timescale)
  }
}
