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
  /// Whether both sides are finite and above 0.
  public var isDrawable: Bool { width > 0 && height > 0 && width.isFinite && height.isFinite }
}

/// An integer number of pixels in each direction.
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
  /// The longest side that a frame can have.
  public static let maximumSide = 65_536
  /// Whether each side is 1 … ``maximumSide``.
  public var isAllocatable: Bool {
    (1...PixelSize.maximumSide).contains(width) && (1...PixelSize.maximumSide).contains(height)
  }
}
