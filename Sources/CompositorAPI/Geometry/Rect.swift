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

  /// The center.
  public var center: Point { Point(x: minX + size.width / 2, y: minY + size.height / 2) }
  /// Whether all four numbers are finite.
  public var isFinite: Bool {
    origin.x.isFinite && origin.y.isFinite && size.width.isFinite && size.height.isFinite
  }

  /// Whether `point` is inside: its edges left and above count, those right and below do not.
  public func contains(_ point: Point) -> Bool {
    point.x >= minX && point.x < maxX && point.y >= minY && point.y < maxY
  }

  /// Whether all of `other` is inside.
  public func contains(_ other: Rect) -> Bool {
    other.minX >= minX && other.maxX <= maxX && other.minY >= minY && other.maxY <= maxY
  }

  /// The smallest rectangle around both; empty ones do not count.
  public func union(_ other: Rect) -> Rect {
    if isEmpty { return other.isEmpty ? .zero : other }
    if other.isEmpty { return self }
    if isInfinite || other.isInfinite { return .infinite }
    let (left, top) = (min(minX, other.minX), min(minY, other.minY))
    return Rect(x: left, y: top, width: max(maxX, other.maxX) - left, height: max(maxY, other.maxY) - top)
  }

  /// The same rectangle elsewhere.
  public func offsetBy(x: Double, y: Double) -> Rect {
    isInfinite ? self : Rect(x: minX + x, y: minY + y, width: size.width, height: size.height)
  }

  /// Smaller by `x` at the left and right and by `y` at the top and bottom, larger where they are negative; ``zero`` where
  /// nothing is left.
  public func insetBy(x: Double, y: Double) -> Rect {
    if isInfinite { return self }
    let rect = Rect(x: minX + x, y: minY + y, width: size.width - 2 * x, height: size.height - 2 * y)
    return rect.isEmpty ? .zero : rect
  }

  /// The smallest rectangle of whole pixels around this one.
  public var integral: Rect {
    guard !isInfinite, !isEmpty, isFinite else { return isInfinite ? self : .zero }
    let (left, top) = (minX.rounded(.down), minY.rounded(.down))
    return Rect(x: left, y: top, width: maxX.rounded(.up) - left, height: maxY.rounded(.up) - top)
  }
}
