package import CCompositorKernels

extension PlaneKernels {
  /// In place: the curve of each sample.
  ///
  /// - Parameter curve: One curve.
  package func lightCurve(_ row: UnsafeMutablePointer<Float>, count: Int, _ curve: [cpk_light_curve]) {
    table.pointee.light_curve(row, count, curve)
  }

  /// In place: three rows through a matrix of nine numbers, by rows, then the curve of each sample.
  package func lightMatrix(
    _ a: UnsafeMutablePointer<Float>, _ b: UnsafeMutablePointer<Float>, _ c: UnsafeMutablePointer<Float>, count: Int,
    matrix: [Float], _ curve: [cpk_light_curve]
  ) {
    precondition(matrix.count == 9)
    table.pointee.light_matrix(a, b, c, count, matrix, curve)
  }

  /// In place: three rows times the curve of their weighted sum, or of the largest where there are no weights.
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
