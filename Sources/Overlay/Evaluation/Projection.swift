package import CompositorAPI

/// A projective map of the plane: `x' = (a·x + c·y + tx) / (g·x + h·y + w)`, `y'` likewise.
package struct Projection: Hashable, Sendable {
  package var a, b, g: Double
  package var c, d, h: Double
  package var tx, ty, w: Double

  package init(a: Double, b: Double, g: Double, c: Double, d: Double, h: Double, tx: Double, ty: Double, w: Double) {
    (self.a, self.b, self.g, self.c, self.d, self.h) = (a, b, g, c, d, h)
    (self.tx, self.ty, self.w) = (tx, ty, w)
  }

  package init(_ affine: AffineMatrix) {
    self.init(a: affine.a, b: affine.b, g: 0, c: affine.c, d: affine.d, h: 0, tx: affine.tx, ty: affine.ty, w: 1)
  }

  package static let identity = Projection(.identity)

  /// This map as an affine one; `nil` if it has perspective.
  package var affine: AffineMatrix? {
    guard g == 0, h == 0, w == 1 else { return nil }
    return AffineMatrix(a: a, b: b, c: c, d: d, tx: tx, ty: ty)
  }

  package var isFinite: Bool {
    [a, b, g, c, d, h, tx, ty, w].allSatisfy(\.isFinite)
  }

  /// This map first, then `next`.
  package func concatenating(_ next: Projection) -> Projection {
    func row(_ x: Double, _ y: Double, _ z: Double) -> (Double, Double, Double) {
      (
        x * next.a + y * next.c + z * next.tx, x * next.b + y * next.d + z * next.ty,
        x * next.g + y * next.h + z * next.w
      )
    }
    let (first, second, third) = (row(a, b, g), row(c, d, h), row(tx, ty, w))
    return Projection(
      a: first.0, b: first.1, g: first.2, c: second.0, d: second.1, h: second.2, tx: third.0, ty: third.1, w: third.2)
  }

  /// The inverse of this map; `nil` if there is none.
  package var inverted: Projection? {
    let determinant = a * (d * w - h * ty) - b * (c * w - h * tx) + g * (c * ty - d * tx)
    guard determinant.isFinite, abs(determinant) > 1e-12 else { return nil }
    let s = 1 / determinant
    return Projection(
      a: (d * w - h * ty) * s, b: (g * ty - b * w) * s, g: (b * h - g * d) * s,
      c: (h * tx - c * w) * s, d: (a * w - g * tx) * s, h: (g * c - a * h) * s,
      tx: (c * ty - d * tx) * s, ty: (b * tx - a * ty) * s, w: (a * d - b * c) * s)
  }

  package func apply(to point: Point) -> Point {
    let z = g * point.x + h * point.y + w
    return Point(x: (a * point.x + c * point.y + tx) / z, y: (b * point.x + d * point.y + ty) / z)
  }

  /// The lengths of a pixel to the right and a pixel down at a point; `nil` behind the viewer.
  package func scale(at point: Point) -> (across: Double, down: Double)? {
    let depth = g * point.x + h * point.y + w
    guard depth > 1e-6 else { return nil }
    let place = apply(to: point)
    func length(_ x: Double, _ y: Double) -> Double { (x * x + y * y).squareRoot() / depth }
    return (length(a - place.x * g, b - place.y * g), length(c - place.x * h, d - place.y * h))
  }

  /// The bounding box of the image of `rect`; `nil` if some of it is behind the viewer.
  package func boundingBox(of rect: Rect) -> Rect? {
    var (left, top, right, bottom) = (Double.infinity, Double.infinity, -Double.infinity, -Double.infinity)
    for (x, y) in [(rect.minX, rect.minY), (rect.maxX, rect.minY), (rect.minX, rect.maxY), (rect.maxX, rect.maxY)] {
      guard g * x + h * y + w > 1e-6 else { return nil }
      let corner = apply(to: Point(x: x, y: y))
      (left, right) = (min(left, corner.x), max(right, corner.x))
      (top, bottom) = (min(top, corner.y), max(bottom, corner.y))
    }
    guard left.isFinite, top.isFinite, right.isFinite, bottom.isFinite else { return nil }
    return Rect(x: left, y: top, width: right - left, height: bottom - top)
  }
}
