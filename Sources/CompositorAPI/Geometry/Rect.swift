/// An axis-parallel rectangle. It is half-open: it contains its left and top edges, but not its right and bottom edges.
public struct Rect: Hashable, Sendable, Codable {
  /// The top-left corner.
  public var origin: Point
  /// The width and height, which aren't negative in a valid rectangle.
  public var size: Size
  /// Creates a rectangle from its top-left corner and size.
  public init(origin: Point, size: Size) {
    self.origin = origin
    self.size = size
  }
  /// Creates a rectangle from four numbers, in pixels.
  public init(x: Double, y: Double, width: Double, height: Double) {
    self.init(origin: Point(x: x, y: y), size: Size(width: width, height: height))
  }
  /// The whole plane: the crop of a layer that isn't cropped.
  public static let infinite = Rect(
    x: -.greatestFiniteMagnitude / 2, y: -.greatestFiniteMagnitude / 2,
    width: .greatestFiniteMagnitude, height: .greatestFiniteMagnitude)
  /// The empty rectangle at the origin.
  public static let zero = Rect(x: 0, y: 0, width: 0, height: 0)

  /// Left edge.
  public var minX: Double { origin.x }
  /// Top edge.
  public var minY: Double { origin.y }
  /// Right edge.
  public var maxX: Double { origin.x + size.width }
  /// Bottom edge.
  public var maxY: Double { origin.y + size.height }
  /// Whether the rectangle has no area.
  public var isEmpty: Bool { !(size.width > 0 && size.height > 0) }
  /// Whether this is ``infinite``.
  public var isInfinite: Bool { self == .infinite }

  /// The intersection of both rectangles; ``zero`` if they don't overlap.
  public func intersection(_ other: Rect) -> Rect {
    let left = max(minX, other.minX)
    let top = max(minY, other.minY)
    let right = min(maxX, other.maxX)
    let bottom = min(maxY, other.maxY)
    guard right > left, bottom > top else { return .zero }
    return Rect(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// The center of the rectangle.
  public var center: Point { Point(x: minX + size.width / 2, y: minY + size.height / 2) }
  /// Whether all four numbers are finite.
  public var isFinite: Bool {
    origin.x.isFinite && origin.y.isFinite && size.width.isFinite && size.height.isFinite
  }

  /// Whether `point` is inside, including the left and top edges.
  public func contains(_ point: Point) -> Bool {
    point.x >= minX && point.x < maxX && point.y >= minY && point.y < maxY
  }

  /// Whether `other` is completely inside.
  public func contains(_ other: Rect) -> Bool {
    other.minX >= minX && other.maxX <= maxX && other.minY >= minY && other.maxY <= maxY
  }

  /// The smallest rectangle that contains both. Empty rectangles are ignored.
  public func union(_ other: Rect) -> Rect {
    if isEmpty { return other.isEmpty ? .zero : other }
    if other.isEmpty { return self }
    if isInfinite || other.isInfinite { return .infinite }
    let (left, top) = (min(minX, other.minX), min(minY, other.minY))
    return Rect(x: left, y: top, width: max(maxX, other.maxX) - left, height: max(maxY, other.maxY) - top)
  }

  /// The smallest rectangle around both, to which one without a size counts, too.
  package func hull(with other: Rect) -> Rect {
    let (left, top) = (min(minX, other.minX), min(minY, other.minY))
    return Rect(x: left, y: top, width: max(maxX, other.maxX) - left, height: max(maxY, other.maxY) - top)
  }

  /// The rectangle enlarged by a margin on all sides, even if it has no size.
  package func grown(by margin: Double) -> Rect {
    Rect(x: minX - margin, y: minY - margin, width: size.width + 2 * margin, height: size.height + 2 * margin)
  }

  /// The rectangle moved by `x`, `y`.
  public func offsetBy(x: Double, y: Double) -> Rect {
    isInfinite ? self : Rect(x: minX + x, y: minY + y, width: size.width, height: size.height)
  }

  /// The rectangle reduced by `x` at the left and right and by `y` at the top and bottom, or enlarged if they are negative;
  /// ``zero`` if nothing is left.
  public func insetBy(x: Double, y: Double) -> Rect {
    if isInfinite { return self }
    let rect = Rect(x: minX + x, y: minY + y, width: size.width - 2 * x, height: size.height - 2 * y)
    return rect.isEmpty ? .zero : rect
  }

  /// The smallest rectangle with integral coordinates that contains this one.
  public var integral: Rect {
    guard !isInfinite, !isEmpty, isFinite else { return isInfinite ? self : .zero }
    let (left, top) = (minX.rounded(.down), minY.rounded(.down))
    return Rect(x: left, y: top, width: maxX.rounded(.up) - left, height: maxY.rounded(.up) - top)
  }
}
