/// The radii of a rectangle's corners, in pixels, 0 or more.
///
/// Radii that don't fit beside each other are reduced by one factor, as in CSS Backgrounds and Borders Level 3, section 5.5.
public struct CornerRadii: Hashable, Sendable {
  /// The radius of the corner, in pixels.
  public var topLeft, topRight, bottomRight, bottomLeft: Double

  /// Creates radii, clockwise from the top left.
  public init(topLeft: Double = 0, topRight: Double = 0, bottomRight: Double = 0, bottomLeft: Double = 0) {
    (self.topLeft, self.topRight) = (topLeft, topRight)
    (self.bottomRight, self.bottomLeft) = (bottomRight, bottomLeft)
  }

  /// Creates four equal radii.
  public init(all radius: Double) {
    self.init(topLeft: radius, topRight: radius, bottomRight: radius, bottomLeft: radius)
  }

  /// The radii, clockwise from the top left.
  package var list: [Double] { [topLeft, topRight, bottomRight, bottomLeft] }

  /// The radii of a rectangle inside one of a size, at a distance from its edges.
  package func inset(by distance: Double, from size: Size) -> CornerRadii {
    // Equal radii that don't fit remain half circles inside.
    let outer = isEqual ? self : fitting(size)
    return outer.mapped { max($0 - distance, 0) }
  }

  package var isEqual: Bool { Set(list).count == 1 }

  /// The radii as they fit into a rectangle of a size.
  package func fitting(_ size: Size) -> CornerRadii {
    let radii = mapped { max($0, 0) }
    let sums = [
      (size.width, radii.topLeft + radii.topRight), (size.height, radii.topRight + radii.bottomRight),
      (size.width, radii.bottomRight + radii.bottomLeft), (size.height, radii.bottomLeft + radii.topLeft),
    ]
    let factor = sums.reduce(1) { least, side in side.1 > side.0 ? min(least, side.0 / side.1) : least }
    return factor < 1 ? radii.mapped { $0 * factor } : radii
  }

  private func mapped(_ change: (Double) -> Double) -> CornerRadii {
    CornerRadii(
      topLeft: change(topLeft), topRight: change(topRight), bottomRight: change(bottomRight), bottomLeft: change(bottomLeft))
  }
}

extension CornerRadii: Codable {
  /// Decodes `[top left, top right, bottom right, bottom left]`.
  public init(from decoder: any Decoder) throws {
    let single = try decoder.singleValueContainer()
    let numbers = try single.decode([Double].self)
    guard numbers.count == 4 else {
      throw DecodingError.dataCorruptedError(
        in: single, debugDescription: "there are 4 radii, clockwise from the top left: write cornerRadius for equal ones")
    }
    self.init(topLeft: numbers[0], topRight: numbers[1], bottomRight: numbers[2], bottomLeft: numbers[3])
  }

  /// Encodes a list of four numbers.
  public func encode(to encoder: any Encoder) throws {
    var single = encoder.singleValueContainer()
    try single.encode(list)
  }
}

extension ShapePath {
  /// A rectangle with corners of different radii.
  public static func roundedRectangle(_ rect: Rect, radii: CornerRadii) -> ShapePath {
    guard !radii.isEqual else { return roundedRectangle(rect, radius: radii.topLeft) }
    let radii = radii.fitting(rect.size)
    var path = ShapePath()
    func at(_ x: Double, _ y: Double) -> Point { Point(x: x, y: y) }
    /// A quarter of a circle around a corner, to which lines run along `before` and away along `after`.
    func corner(_ point: Point, _ radius: Double, before: Point, after: Point) {
      func away(_ way: Point, _ distance: Double) -> Point { at(point.x + way.x * distance, point.y + way.y * distance) }
      path.line(to: away(before, radius))
      guard radius > 0 else { return }
      let handle = radius * (1 - 0.552_284_749_831)
      path.curve(to: away(after, radius), control1: away(before, handle), control2: away(after, handle))
    }
    let (left, right, up, down) = (at(-1, 0), at(1, 0), at(0, -1), at(0, 1))
    path.move(to: at(rect.minX + radii.topLeft, rect.minY))
    corner(at(rect.maxX, rect.minY), radii.topRight, before: left, after: down)
    corner(at(rect.maxX, rect.maxY), radii.bottomRight, before: up, after: left)
    corner(at(rect.minX, rect.maxY), radii.bottomLeft, before: right, after: up)
    corner(at(rect.minX, rect.minY), radii.topLeft, before: down, after: right)
    path.close()
    return path
  }
}
