/// A point in the composition's space: origin top-left, y down, in display pixels.
public struct Point: Hashable, Sendable, Codable {
  /// Distance from the left edge, in pixels.
  public var x: Double
  /// Distance from the top edge, in pixels.
  public var y: Double
  /// Creates a point.
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
  /// The origin, which is the top-left corner.
  public static let zero = Point(x: 0, y: 0)
}

/// A size in display pixels. It may be fractional, because the pixel aspect ratio is applied.
public struct Size: Hashable, Sendable, Codable {
  /// Width in pixels.
  public var width: Double
  /// Height in pixels.
  public var height: Double
  /// Creates a size.
  public init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }
  /// The empty size.
  public static let zero = Size(width: 0, height: 0)
  /// Whether both sides are finite and above 0.
  public var isDrawable: Bool { width > 0 && height > 0 && width.isFinite && height.isFinite }
}

/// An integer number of pixels in each direction.
public struct PixelSize: Hashable, Sendable, Codable, CustomStringConvertible {
  /// Number of columns.
  public var width: Int
  /// Number of rows.
  public var height: Int
  /// Creates a size.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
  /// `1920x1080`.
  public var description: String { "\(width)x\(height)" }
  /// The size in floating point.
  public var size: Size { Size(width: Double(width), height: Double(height)) }
  /// The maximum side length of a frame.
  public static let maximumSide = 65_536
  /// Whether each side is 1 … ``maximumSide``.
  public var isAllocatable: Bool {
    (1...PixelSize.maximumSide).contains(width) && (1...PixelSize.maximumSide).contains(height)
  }
  /// The lengths of a side that canvases, outputs and generated frames may have.
  package static let renderableSides = 1...16_384
  /// Whether each side is one of ``renderableSides``.
  package var isRenderable: Bool {
    PixelSize.renderableSides.contains(width) && PixelSize.renderableSides.contains(height)
  }
  /// Creates the nearest size with sides of at least one pixel.
  package init(rounding size: Size) {
    self.init(width: Int(max(1, size.width.rounded())), height: Int(max(1, size.height.rounded())))
  }
  /// The size rounded up to even sides.
  package var even: PixelSize { PixelSize(width: (width + 1) & ~1, height: (height + 1) & ~1) }
}

/// An exact ratio of two integers, for pixel aspect ratios and frame rates.
public struct Rational: Hashable, Sendable, Codable, CustomStringConvertible {
  /// Numerator.
  public var numerator: Int
  /// Denominator, > 0 in a valid ratio.
  public var denominator: Int
  /// Creates a ratio without reducing it.
  public init(_ numerator: Int, _ denominator: Int) {
    self.numerator = numerator
    self.denominator = denominator
  }
  /// 1:1, such as for square pixels.
  public static let one = Rational(1, 1)
  /// The nearest floating-point value.
  public var value: Double { Double(numerator) / Double(denominator) }
  /// `30000/1001`.
  public var description: String { "\(numerator)/\(denominator)" }

  /// Whether both numbers are above 0.
  public var isPositive: Bool { numerator > 0 && denominator > 0 }

  /// The ratio in lowest terms with a denominator above 0; unchanged if the denominator is 0.
  public var reduced: Rational {
    guard denominator != 0 else { return self }
    let common = greatestCommonDivisor(numerator.magnitude, denominator.magnitude)
    let (top, bottom) = (numerator.magnitude / common, denominator.magnitude / common)
    let isNegative = (numerator < 0) != (denominator < 0) && top > 0
    guard let denominator = Int(exactly: bottom), let magnitude = Int(exactly: top) else { return self }
    return Rational(isNegative ? -magnitude : magnitude, denominator)
  }

  /// The ratio as people write it: `25`, `30000/1001`.
  package var plain: String {
    reduced.denominator == 1 ? "\(reduced.numerator)" : "\(reduced.numerator)/\(reduced.denominator)"
  }

  /// The duration of a frame at this frame rate; invalid if the rate isn't positive or the duration doesn't fit a time.
  public var frameDuration: MediaTime {
    guard isPositive else { return .invalid }
    let rate = reduced
    guard let timescale = Int32(exactly: rate.numerator) else { return .invalid }
    return MediaTime(value: Int64(rate.denominator), timescale: timescale)
  }
}

extension MediaTime {
  /// The number of frames of this duration in a second, unreduced; positive if the duration is numeric and above 0.
  package var frameRate: Rational { Rational(Int(timescale), Int(clamping: value)) }
}
