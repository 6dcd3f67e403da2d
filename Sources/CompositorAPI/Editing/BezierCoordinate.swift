/// One coordinate of a cubic Bézier curve from 0 to 1 over its parameter s: `a·s³ + b·s² + c·s`.
struct BezierCoordinate {
  private let a, b, c: Double

  /// - Parameters:
  ///   - first: The coordinate of the first control point.
  ///   - second: The coordinate of the second.
  init(_ first: Double, _ second: Double) {
    c = 3 * first
    b = 3 * (second - first) - c
    a = 1 - c - b
  }

  func value(_ s: Double) -> Double { ((a * s + b) * s + c) * s }

  /// The s at which a coordinate that never falls has a value: Newton's steps inside a bracket that shrinks to neighboring numbers.
  ///
  /// - Parameter value: 0 … 1.
  func parameter(for value: Double) -> Double {
    var (low, high, s) = (0.0, 1.0, value)
    for _ in 0..<100 {
      let error = self.value(s) - value
      if error == 0 { break }
      if error > 0 { high = s } else { low = s }
      let newton = s - error / ((3 * a * s + 2 * b) * s + c)
      guard newton != s else { break }
      let next = newton > low && newton < high ? newton : (low + high) / 2
      guard next > low, next < high else { break }
      s = next
    }
    return s
  }
}
