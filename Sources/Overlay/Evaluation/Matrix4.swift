package import CompositorAPI

/// A 4 × 4 transform of row vectors (x, y, z, 1).
package struct Matrix4: Hashable, Sendable {
  /// The images of the axes to the right, downward and toward the viewer, and of the origin.
  package var x, y, z, origin: SIMD4<Double>

  package static let identity = Matrix4(
    x: SIMD4(1, 0, 0, 0), y: SIMD4(0, 1, 0, 0), z: SIMD4(0, 0, 1, 0), origin: SIMD4(0, 0, 0, 1))

  package static func scale(_ x: Double, _ y: Double) -> Matrix4 {
    var matrix = identity
    (matrix.x.x, matrix.y.y) = (x, y)
    return matrix
  }

  package static func translation(_ x: Double, _ y: Double, _ z: Double = 0) -> Matrix4 {
    var matrix = identity
    matrix.origin = SIMD4(x, y, z, 1)
    return matrix
  }

  /// About the axis to the right: down rotates toward the viewer.
  package static func rotationX(_ radians: Double) -> Matrix4 {
    let turn = AffineMatrix.rotation(radians: radians)
    var matrix = identity
    (matrix.y, matrix.z) = (SIMD4(0, turn.a, turn.b, 0), SIMD4(0, turn.c, turn.d, 0))
    return matrix
  }

  /// About the downward axis: toward the viewer rotates to the right.
  package static func rotationY(_ radians: Double) -> Matrix4 {
    let turn = AffineMatrix.rotation(radians: radians)
    var matrix = identity
    (matrix.z, matrix.x) = (SIMD4(turn.b, 0, turn.a, 0), SIMD4(turn.d, 0, turn.c, 0))
    return matrix
  }

  /// In the plane: right rotates to down.
  package static func rotationZ(_ radians: Double) -> Matrix4 {
    let turn = AffineMatrix.rotation(radians: radians)
    var matrix = identity
    (matrix.x, matrix.y) = (SIMD4(turn.a, turn.b, 0, 0), SIMD4(turn.c, turn.d, 0, 0))
    return matrix
  }

  /// In the plane: down leans to the right by one angle, right leans down by the other.
  package static func skew(x: Double, y: Double) -> Matrix4 {
    var matrix = identity
    let (leaning, dropping) = (AffineMatrix.rotation(radians: x), AffineMatrix.rotation(radians: y))
    // The tangents.
    (matrix.y.x, matrix.x.y) = (leaning.b / leaning.a, dropping.b / dropping.a)
    return matrix
  }

  /// Perspective for a viewer `distance` pixels in front of the plane.
  package static func perspective(distance: Double) -> Matrix4 {
    var matrix = identity
    matrix.z.w = -1 / distance
    return matrix
  }

  /// This transform first, then `next`.
  package func concatenating(_ next: Matrix4) -> Matrix4 {
    Matrix4(x: next.apply(to: x), y: next.apply(to: y), z: next.apply(to: z), origin: next.apply(to: origin))
  }

  /// Transforms a point (x, y, z, 1).
  func apply(to point: SIMD4<Double>) -> SIMD4<Double> {
    x * point.x + y * point.y + z * point.z + origin * point.w
  }

  /// The same transform as if `point` were the origin.
  package func about(_ point: Point) -> Matrix4 {
    Matrix4.translation(-point.x, -point.y).concatenating(self).concatenating(.translation(point.x, point.y))
  }

  /// Whether the back of the plane z = 0 is seen from the front. A plane that is mirrored within itself still shows its front.
  package var showsBack: Bool {
    let columns = [0, 1, 2, 3]
    let whole = columns.reduce(0.0) { sum, column in
      let others = columns.filter { $0 != column }
      return sum + (column % 2 == 0 ? 1 : -1) * x[column] * minor(y, z, origin, others)
    }
    return minor(x, y, origin, [0, 1, 3]) * whole < 0
  }

  /// The determinant of some columns of three rows.
  private func minor(_ a: SIMD4<Double>, _ b: SIMD4<Double>, _ c: SIMD4<Double>, _ n: [Int]) -> Double {
    a[n[0]] * (b[n[1]] * c[n[2]] - b[n[2]] * c[n[1]]) - a[n[1]] * (b[n[0]] * c[n[2]] - b[n[2]] * c[n[0]])
      + a[n[2]] * (b[n[0]] * c[n[1]] - b[n[1]] * c[n[0]])
  }

  /// The transform of the plane z = 0, as seen from the front.
  package var projection: Projection {
    Projection(
      a: x.x, b: x.y, g: x.w, c: y.x, d: y.y, h: y.w, tx: origin.x, ty: origin.y, w: origin.w)
  }
}

extension LayerTransform {
  package var matrix: Matrix4 {
    var matrix = Matrix4.identity
    if scaleX != 1 || scaleY != 1 { matrix = .scale(scaleX, scaleY) }
    if skewX != 0 || skewY != 0 { matrix = matrix.concatenating(.skew(x: skewX, y: skewY)) }
    if rotationZ != 0 { matrix = matrix.concatenating(.rotationZ(rotationZ)) }
    if rotationY != 0 { matrix = matrix.concatenating(.rotationY(rotationY)) }
    if rotationX != 0 { matrix = matrix.concatenating(.rotationX(rotationX)) }
    if translationX != 0 || translationY != 0 || translationZ != 0 {
      matrix = matrix.concatenating(.translation(translationX, translationY, translationZ))
    }
    return matrix
  }
}
