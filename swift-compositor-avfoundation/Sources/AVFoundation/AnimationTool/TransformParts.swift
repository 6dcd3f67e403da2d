internal import Compositor
internal import Foundation

/// The parts of a transform of a layer, as the compositor takes them.
struct TransformParts {
  var transform = LayerTransform()
  /// The distance of the eye, in pixels; 0 for none.
  var perspective = 0.0

  /// The parts of a transform; `nil` if it has a perspective that is not that of an eye in front of the anchor point.
  ///
  /// - Parameter pointsUp: Whether y points up where the transform is meant.
  init?(_ given: CATransform3D, pointsUp: Bool) {
    var rows = given.rows.map(Double.init)
    // Mirrored before and after, so that it does the same where y points down.
    if pointsUp { for place in [1, 4, 6, 7, 9, 13] { rows[place] = -rows[place] } }
    guard rows.allSatisfy(\.isFinite), takePerspective(rows) else { return nil }
    (transform.translationX, transform.translationY, transform.translationZ) = (rows[12], rows[13], rows[14])
    takeRows(SIMD3(rows[0], rows[1], rows[2]), SIMD3(rows[4], rows[5], rows[6]))
  }

  /// The fourth column is that of a transform without perspective, followed by one that has nothing but `m34`.
  private mutating func takePerspective(_ rows: [Double]) -> Bool {
    let (third, fourth) = ([rows[2], rows[6], rows[10], rows[14]], [rows[3], rows[7], rows[11], rows[15] - 1])
    let largest = (0..<4).max { abs(third[$0]) < abs(third[$1]) } ?? 0
    let factor = third[largest] == 0 ? 0 : fourth[largest] / third[largest]
    guard zip(third, fourth).allSatisfy({ abs($0 * factor - $1) < 1e-9 }), factor <= 0 else { return false }
    perspective = factor == 0 ? 0 : -1 / factor
    return true
  }

  /// Scale, skew and rotations that take the x axis and the y axis where the transform takes them. A layer has no depth of its own.
  private mutating func takeRows(_ x: SIMD3<Double>, _ y: SIMD3<Double>) {
    func dot(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double { (a * b).sum() }
    let isFlat = x.z == 0 && y.z == 0
    transform.scaleX = dot(x, x).squareRoot()
    let right = transform.scaleX > 0 ? x / transform.scaleX : SIMD3(1, 0, 0)
    let along = dot(y, right)
    let rest = y - right * along
    transform.scaleY = dot(rest, rest).squareRoot()
    // A transform of the plane that mirrors is not one that shows the back.
    if isFlat, x.x * y.y - x.y * y.x < 0 { transform.scaleY = -transform.scaleY }
    if abs(transform.scaleY) > 0 { transform.skewX = atan(along / transform.scaleY) }
    let down =
      transform.scaleY == 0 ? SIMD3(-right.y, right.x, 0) : rest / transform.scaleY
    let out = SIMD3(
      right.y * down.z - right.z * down.y, right.z * down.x - right.x * down.z, right.x * down.y - right.y * down.x)
    guard abs(out.x) < 1 - 1e-12 else {
      transform.rotationY = out.x > 0 ? .pi / 2 : -.pi / 2
      transform.rotationZ = atan2(right.y, down.y)
      return
    }
    transform.rotationY = asin(out.x)
    transform.rotationX = atan2(-out.y, out.z)
    transform.rotationZ = atan2(-down.x, right.x)
  }
}
