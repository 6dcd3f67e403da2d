package import CompositorAPI

/// The position of a plane's samples on the luma grid: sample coordinate U (center of sample i at i + ½) is at luma
/// coordinate `scale · U + offset`.
package struct PlaneGrid: Sendable {
  /// Luma columns and rows per sample.
  package let scale: SIMD2<Double>
  package let offset: SIMD2<Double>

  /// The grid of a plane of a planar format: chroma at its site, every other plane on the pixels.
  package init(plane: Int, _ siting: ChromaSiting) {
    let isChroma = plane == 1 || plane == 2
    func axis(_ shift: Int, _ isCentered: Bool) -> (scale: Double, offset: Double) {
      isChroma && shift == 1 ? (2, isCentered ? 0 : -0.5) : (1, 0)
    }
    let x = axis(siting.horizontalShift, siting.isCenteredHorizontally)
    let y = axis(siting.verticalShift, siting.isCenteredVertically)
    (scale, offset) = (SIMD2(x.scale, y.scale), SIMD2(x.offset, y.offset))
  }

  /// The center of a sample, in pixels of the frame.
  package func center(column: Int, row: Int) -> Point {
    let center = scale * 0.5 + offset + scale * SIMD2(Double(column), Double(row))
    return Point(x: center.x, y: center.y)
  }
}
