import CompositorPlatform

/// A 2-D affine transform in the convention of AVFoundation and Core Graphics:
/// `x' = a·x + c·y + tx`, `y' = b·x + d·y + ty` (row vectors, y down).
public struct AffineMatrix: Hashable, Sendable, Codable {
  /// Coefficients of the linear part.
  public var a, b, c, d: Double
  /// Translation in pixels.
  public var tx, ty: Double

  /// Creates a transform from its six elements.
  public init(a: Double, b: Double, c: Double, d: Double, tx: Double, ty: Double) {
    (self.a, self.b, self.c, self.d, self.tx, self.ty) = (a, b, c, d, tx, ty)
  }

  /// The identity transform.
  public static let identity = AffineMatrix(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0)

  /// A translation by `x`, `y` pixels.
  public static func translation(x: Double, y: Double) -> AffineMatrix {
    AffineMatrix(a: 1, b: 0, c: 0, d: 1, tx: x, ty: y)
  }

  /// A scale about the origin.
  public static func scale(x: Double, y: Double) -> AffineMatrix {
    AffineMatrix(a: x, b: 0, c: 0, d: y, tx: 0, ty: 0)
  }

  /// A rotation about the origin. A positive angle is clockwise on screen (y is down).
  public static func rotation(radians: Double) -> AffineMatrix {
    let (s, c) = sineCosine(radians)
    return AffineMatrix(a: c, b: s, c: -s, d: c, tx: 0, ty: 0)
  }

  /// The transform that applies this one first, then `next`.
  public func concatenating(_ next: AffineMatrix) -> AffineMatrix {
    AffineMatrix(
      a: a * next.a + b * next.c, b: a * next.b + b * next.d,
      c: c * next.a + d * next.c, d: c * next.b + d * next.d,
      tx: tx * next.a + ty * next.c + next.tx, ty: tx * next.b + ty * next.d + next.ty)
  }

  /// The factor by which areas change; 0 if the transform is singular, negative if it mirrors.
  public var determinant: Double { a * d - b * c }

  /// The inverse transform; `nil` if the determinant is 0 or not finite, or if the inverse wouldn't be finite.
  public var inverted: AffineMatrix? {
    let determinant = determinant
    guard determinant.isFinite, determinant != 0 else { return nil }
    let (ia, ib, ic, id) = (d / determinant, -b / determinant, -c / determinant, a / determinant)
    let inverse = AffineMatrix(a: ia, b: ib, c: ic, d: id, tx: -(tx * ia + ty * ic), ty: -(tx * ib + ty * id))
    return inverse.isFinite ? inverse : nil
  }

  /// The image of a point.
  public func apply(to point: Point) -> Point {
    Point(x: a * point.x + c * point.y + tx, y: b * point.x + d * point.y + ty)
  }

  /// The bounding box of the image of `rect`. The whole plane maps to itself.
  public func boundingBox(of rect: Rect) -> Rect {
    if rect.isInfinite { return rect }
    let corners = [
      Point(x: rect.minX, y: rect.minY), Point(x: rect.maxX, y: rect.minY),
      Point(x: rect.minX, y: rect.maxY), Point(x: rect.maxX, y: rect.maxY),
    ].map(apply(to:))
    let xs = corners.map(\.x)
    let ys = corners.map(\.y)
    let (left, right) = (xs.min() ?? 0, xs.max() ?? 0)
    let (top, bottom) = (ys.min() ?? 0, ys.max() ?? 0)
    return Rect(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// Whether all six elements are finite.
  public var isFinite: Bool {
    a.isFinite && b.isFinite && c.isFinite && d.isFinite && tx.isFinite && ty.isFinite
  }
}

/// Sine and cosine, exact at multiples of a quarter turn, so that a rotation by 90° leaves no residue that would force
/// resampling.
func sineCosine(_ radians: Double) -> (sine: Double, cosine: Double) {
  let quarters = radians / (.pi / 2)
  if quarters == quarters.rounded(), abs(quarters) < 1e9 {
    switch Int(quarters) & 3 {
    case 0: return (0, 1)
    case 1: return (1, 0)
    case 2: return (0, -1)
    default: return (-1, 0)
    }
  }
  return (sin(radians), cos(radians))
}
