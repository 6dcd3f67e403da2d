package import CCompositorKernels

extension PlaneKernels {
  /// Applies a curve to each sample in place.
  ///
  /// - Parameter curve: An array of exactly one curve.
  package func lightCurve(_ row: UnsafeMutablePointer<Float>, count: Int, _ curve: [cpk_light_curve]) {
    table.pointee.light_curve(row, count, curve)
  }

  /// Multiplies three rows by a row-major 3 × 3 matrix, then applies a curve to each sample, in place.
  package func lightMatrix(
    _ a: UnsafeMutablePointer<Float>, _ b: UnsafeMutablePointer<Float>, _ c: UnsafeMutablePointer<Float>, count: Int,
    matrix: [Float], _ curve: [cpk_light_curve]
  ) {
    precondition(matrix.count == 9)
    table.pointee.light_matrix(a, b, c, count, matrix, curve)
  }

  /// Multiplies three rows in place by a curve of their weighted sum, or of the largest of them if there are no weights.
  package func lightFactor(
    _ a: UnsafeMutablePointer<Float>, _ b: UnsafeMutablePointer<Float>, _ c: UnsafeMutablePointer<Float>, count: Int,
    weights: [Float]?, _ curve: [cpk_light_curve]
  ) {
    if let weights {
      table.pointee.light_factor(a, b, c, count, weights, curve)
    } else {
      table.pointee.light_factor(a, b, c, count, nil, curve)
    }
  }
}
