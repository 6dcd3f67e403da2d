/// A point in the composition's space: origin top-left, y down, in display pixels.
public struct Point: Hashable, Sendable, Codable {
  /// Distance from the left edge, in pixels.
  public var x: Double
  /// Distance from the top edge, in pixels.
  public var y: Double
  /// Makes a point.
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
  /// The top-left corner.
  public static let zero = Point(x: 0, y: 0)
}

/// A size in display pixels; may be fractional (a pixel aspect was applied).
public struct Size: Hashable, Sendable, Codable {
  /// Extent to the right, in pixels.
  public var width: Double
  /// Extent downwards, in pixels.
  public var height: Double
  /// Makes a size.
  public init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }
  /// Nothing.
  public static let zero = Size(width: 0, height: 0)
}

/// A whole number of pixels in each direction.
public struct PixelSize: Hashable, Sendable, Codable, CustomStringConvertible {
  /// Columns.
  public var width: Int
  /// Rows.
  public var height: Int
  /// Makes a size.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
  /// `1920x1080`.
  public var description: String { "\(width)x\(height)" }
  /// The same size with fractional coordinates.
  public var size: Size { Size(width: Double(width), height: Double(height)) }
}

/// An axis-parallel rectangle, half-open: it contains its top-left edges and not its bottom-right ones.
public struct Rect: Hashable, Sendable, Codable {
  /// The top-left corner.
  public var origin: Point
  /// The extent; never negative in a valid rectangle.
  public var size: Size
  /// Makes a rectangle from a corner and an extent.
  public init(origin: Point, size: Size) {
    self.origin = origin
    self.size = size
  }
  /// Makes a rectangle from four numbers, in pixels.
  public init(x: Double, y: Double, width: Double, height: Double) {
    self.init(origin: Point(x: x, y: y), size: Size(width: width, height: height))
  }
  /// The whole plane: the crop of a layer that has none.
  public static let infinite = Rect(
    x: -.greatestFiniteMagnitude / 2, y: -.greatestFiniteMagnitude / 2,
    width: .greatestFiniteMagnitude, height: .greatestFiniteMagnitude)
  /// Nothing, at the origin.
  public static let zero = Rect(x: 0, y: 0, width: 0, height: 0)

  /// Left edge.
  public var minX: Double { origin.x }
  /// Top edge.
  public var minY: Double { origin.y }
  /// Right edge.
  public var maxX: Double { origin.x + size.width }
  /// Bottom edge.
  public var maxY: Double { origin.y + size.height }
  /// Whether nothing is inside.
  public var isEmpty: Bool { !(size.width > 0 && size.height > 0) }
  /// Whether this is ``infinite``.
  public var isInfinite: Bool { self == .infinite }

  /// The part that is in both rectangles; ``zero`` where there is none.
  public func intersection(_ other: Rect) -> Rect {
    let left = max(minX, other.minX)
    let top = max(minY, other.minY)
    let right = min(maxX, other.maxX)
    let bottom = min(maxY, other.maxY)
    guard right > left, bottom > top else { return .zero }
    return Rect(x: left, y: top, width: right - left, height: bottom - top)
  }
}

/// An exact ratio of two whole numbers, for pixel aspects and frame rates.
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
}
