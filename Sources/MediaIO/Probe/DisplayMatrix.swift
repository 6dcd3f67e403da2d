package import CompositorAPI

/// Converts between the display matrix of a track header and transforms of the editing model.
package enum DisplayMatrix {
  /// The transform from stored display space to the upright frame with its corner at 0,0; `nil` if the matrix is degenerate.
  ///
  /// Only the direction of the axes is used: the pixel aspect already includes a scale in the matrix, and the offset follows
  /// from the size.
  ///
  /// - Parameters:
  ///   - elements: a, b, u, c, d, v, x, y, w of ISO/IEC 14496-12, 8.3.2, in 16.16 fixed point (u, v, w in 2.30).
  ///   - size: Size of the stored frame, pixel aspect applied.
  static func transform(_ elements: [Int32], size: Size) -> AffineMatrix? {
    guard elements.count == 9 else { return nil }
    let (a, b) = (Double(elements[0]), Double(elements[1]))
    let (c, d) = (Double(elements[3]), Double(elements[4]))
    let (row, column) = ((a * a + b * b).squareRoot(), (c * c + d * d).squareRoot())
    guard row > 0, column > 0 else { return nil }
    var matrix = AffineMatrix(a: a / row, b: b / row, c: c / column, d: d / column, tx: 0, ty: 0)
    guard abs(matrix.determinant) > 1e-3 else { return nil }
    let box = matrix.boundingBox(of: Rect(origin: .zero, size: size))
    matrix.tx = -box.minX
    matrix.ty = -box.minY
    return matrix.withoutNegativeZeros
  }

  /// The elements of the matrix that rotates a frame upright, in the notation of a track header.
  ///
  /// - Parameter size: Size of the stored frame, pixel aspect applied.
  package static func elements(_ orientation: Orientation, size: Size) -> [Int32] {
    let matrix = orientation.transform(of: size)
    func fixed(_ value: Double) -> Int32 { Int32(clamping: Int((value * 65_536).rounded())) }
    return [
      fixed(matrix.a), fixed(matrix.b), 0, fixed(matrix.c), fixed(matrix.d), 0, fixed(matrix.tx), fixed(matrix.ty), 1 << 30,
    ]
  }
}

extension AffineMatrix {
  /// The same transform without negative zeros, which print and compare badly in project files.
  fileprivate var withoutNegativeZeros: AffineMatrix {
    AffineMatrix(a: a + 0, b: b + 0, c: c + 0, d: d + 0, tx: tx + 0, ty: ty + 0)
  }
}
