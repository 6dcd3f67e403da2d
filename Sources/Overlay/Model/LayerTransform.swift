package import CompositorAPI

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A layer's transform about its anchor point, kept in parts so that each can be animated on its own and an angle may be
/// more than one turn: first scale, then rotation about z, y and x, then translation.
public struct LayerTransform: Hashable, Sendable, Codable {
  /// Factors; negative mirrors.
  public var scaleX = 1.0
  /// See ``scaleX``.
  public var scaleY = 1.0
  /// Angle about the axis to the right, in radians; positive tips the top away.
  public var rotationX = 0.0
  /// Angle about the axis down, in radians.
  public var rotationY = 0.0
  /// Angle in the picture, in radians; positive is clockwise.
  public var rotationZ = 0.0
  /// Movement to the right, in pixels.
  public var translationX = 0.0
  /// Movement downwards, in pixels.
  public var translationY = 0.0
  /// Movement towards the viewer, in pixels; seen only under a perspective.
  public var translationZ = 0.0

  /// Leaves everything where it is.
  public static let identity = LayerTransform()

  /// The identity.
  public init() {}

  /// Reads parts; missing ones leave things as they are.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init()
    scaleX = try values.read(.scaleX, or: 1)
    scaleY = try values.read(.scaleY, or: 1)
    rotationX = try values.read(.rotationX, or: 0)
    rotationY = try values.read(.rotationY, or: 0)
    rotationZ = try values.read(.rotationZ, or: 0)
    translationX = try values.read(.translationX, or: 0)
    translationY = try values.read(.translationY, or: 0)
    translationZ = try values.read(.translationZ, or: 0)
  }

  /// Grows by a factor.
  public static func scale(_ factor: Double) -> LayerTransform {
    var transform = LayerTransform()
    (transform.scaleX, transform.scaleY) = (factor, factor)
    return transform
  }

  /// Turns clockwise.
  public static func rotation(radians: Double) -> LayerTransform {
    var transform = LayerTransform()
    transform.rotationZ = radians
    return transform
  }

  /// Moves.
  public static func translation(x: Double, y: Double) -> LayerTransform {
    var transform = LayerTransform()
    (transform.translationX, transform.translationY) = (x, y)
    return transform
  }

  package var matrix: Matrix4 {
    var matrix = Matrix4.identity
    if scaleX != 1 || scaleY != 1 { matrix = .scale(scaleX, scaleY) }
    if rotationZ != 0 { matrix = matrix.concatenating(.rotation(rotationZ, from: 0, to: 1)) }
    if rotationY != 0 { matrix = matrix.concatenating(.rotation(rotationY, from: 2, to: 0)) }
    if rotationX != 0 { matrix = matrix.concatenating(.rotation(rotationX, from: 1, to: 2)) }
    if translationX != 0 || translationY != 0 || translationZ != 0 {
      matrix = matrix.concatenating(.translation(translationX, translationY, translationZ))
    }
    return matrix
  }
}

/// A 4 × 4 transform of row vectors (x, y, z, 1), by rows.
package struct Matrix4: Hashable, Sendable {
  package var rows: [SIMD4<Double>]

  package static let identity = Matrix4(rows: [
    SIMD4(1, 0, 0, 0), SIMD4(0, 1, 0, 0), SIMD4(0, 0, 1, 0), SIMD4(0, 0, 0, 1),
  ])

  package static func scale(_ x: Double, _ y: Double) -> Matrix4 {
    var matrix = identity
    matrix.rows[0].x = x
    matrix.rows[1].y = y
    return matrix
  }

  package static func translation(_ x: Double, _ y: Double, _ z: Double = 0) -> Matrix4 {
    var matrix = identity
    matrix.rows[3] = SIMD4(x, y, z, 1)
    return matrix
  }

  /// Turns axis `first` towards axis `second`.
  package static func rotation(_ radians: Double, from first: Int, to second: Int) -> Matrix4 {
    let turn = AffineMatrix.rotation(radians: radians)
    var matrix = identity
    matrix.rows[first][first] = turn.a
    matrix.rows[first][second] = turn.b
    matrix.rows[second][first] = turn.c
    matrix.rows[second][second] = turn.d
    return matrix
  }

  /// Seen by an eye at `distance` pixels in front of the picture.
  package static func perspective(distance: Double) -> Matrix4 {
    var matrix = identity
    matrix.rows[2].w = -1 / distance
    return matrix
  }

  /// This transform first, then `next`.
  package func concatenating(_ next: Matrix4) -> Matrix4 {
    Matrix4(
      rows: rows.map { row in
        next.rows[0] * row.x + next.rows[1] * row.y + next.rows[2] * row.z + next.rows[3] * row.w
      })
  }

  /// What the transform does to the plane z = 0, seen from the front.
  package var projection: Projection {
    Projection(
      a: rows[0].x, b: rows[0].y, g: rows[0].w, c: rows[1].x, d: rows[1].y, h: rows[1].w, tx: rows[3].x, ty: rows[3].y,
      w: rows[3].w)
  }
}

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

  /// The same map as an affine one; nil where it has a perspective.
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

  /// The map that undoes this one; nil where there is none.
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

  /// The box around where `rect` goes; nil where some of it is behind the eye.
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
