/// A 3 × 3 matrix of doubles, by rows: how one triple of color components becomes another.
public struct Matrix3: Hashable, Sendable {
  /// The rows.
  public var rows: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)

  /// Makes a matrix from its rows.
  public init(_ row0: SIMD3<Double>, _ row1: SIMD3<Double>, _ row2: SIMD3<Double>) {
    self.rows = (row0, row1, row2)
  }

  /// Leaves every triple as it is.
  public static let identity = Matrix3(SIMD3(1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1))

  /// A matrix with `values` on its diagonal.
  public static func diagonal(_ values: SIMD3<Double>) -> Matrix3 {
    Matrix3(SIMD3(values.x, 0, 0), SIMD3(0, values.y, 0), SIMD3(0, 0, values.z))
  }

  /// The same numbers with rows and columns exchanged.
  public var transposed: Matrix3 {
    Matrix3(
      SIMD3(rows.0.x, rows.1.x, rows.2.x), SIMD3(rows.0.y, rows.1.y, rows.2.y), SIMD3(rows.0.z, rows.1.z, rows.2.z))
  }

  /// Volume factor; 0 where the matrix cannot be undone.
  public var determinant: Double {
    let (r, g, b) = rows
    return r.x * (g.y * b.z - g.z * b.y) - r.y * (g.x * b.z - g.z * b.x) + r.z * (g.x * b.y - g.y * b.x)
  }

  /// The matrix that undoes this one; nil where the determinant is 0 or not finite.
  public var inverted: Matrix3? {
    let determinant = determinant
    guard determinant.isFinite, determinant != 0 else { return nil }
    func cross(_ p: SIMD3<Double>, _ q: SIMD3<Double>) -> SIMD3<Double> {
      SIMD3(p.y * q.z - p.z * q.y, p.z * q.x - p.x * q.z, p.x * q.y - p.y * q.x)
    }
    let columns = Matrix3(cross(rows.1, rows.2), cross(rows.2, rows.0), cross(rows.0, rows.1)).transposed
    return Matrix3(columns.rows.0 / determinant, columns.rows.1 / determinant, columns.rows.2 / determinant)
  }

  /// The triple that `right` becomes.
  public static func * (left: Matrix3, right: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3((left.rows.0 * right).sum(), (left.rows.1 * right).sum(), (left.rows.2 * right).sum())
  }

  /// `right` first, then `left`.
  public static func * (left: Matrix3, right: Matrix3) -> Matrix3 {
    let columns = right.transposed.rows
    return Matrix3(left * columns.0, left * columns.1, left * columns.2).transposed
  }

  /// Whether all numbers are equal.
  public static func == (left: Matrix3, right: Matrix3) -> Bool {
    left.rows.0 == right.rows.0 && left.rows.1 == right.rows.1 && left.rows.2 == right.rows.2
  }

  /// Hashes all numbers.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(rows.0)
    hasher.combine(rows.1)
    hasher.combine(rows.2)
  }
}
