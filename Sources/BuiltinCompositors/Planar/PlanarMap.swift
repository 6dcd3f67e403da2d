import CompositorAPI
import CompositorConversion

/// An affine map from the samples of a destination plane to coordinates in a source plane.
struct PlanarMap {
  /// Source position of the center of destination sample (0, 0) for interpolation, with chroma at its site.
  var origin: SIMD2<Double>
  /// Source position of destination sample (0, 0) for coverage: a chroma sample covers its block of luma pixels, regardless
  /// of its site.
  var coverOrigin: SIMD2<Double>
  /// Step from one destination column to the next.
  var byColumn: SIMD2<Double>
  /// Step from one destination row to the next.
  var byRow: SIMD2<Double>

  /// - Parameters:
  ///   - outputToSource: From the output's pixels to the source's stored pixels.
  ///   - grid: The plane's grid, the same in source and output.
  init(_ outputToSource: AffineMatrix, on grid: PlaneGrid) {
    byColumn = SIMD2(outputToSource.a, outputToSource.b) * grid.scale.x / grid.scale
    byRow = SIMD2(outputToSource.c, outputToSource.d) * grid.scale.y / grid.scale
    func place(_ offset: SIMD2<Double>) -> SIMD2<Double> {
      let luma = grid.scale * 0.5 + offset
      let mapped = outputToSource.apply(to: Point(x: luma.x, y: luma.y))
      return (SIMD2(mapped.x, mapped.y) - offset) / grid.scale
    }
    origin = place(grid.offset)
    coverOrigin = place(.zero)
  }

  /// Width of a destination sample along the source's axes.
  var footprint: SIMD2<Double> {
    SIMD2(
      (byColumn.x * byColumn.x + byRow.x * byRow.x).squareRoot(),
      (byColumn.y * byColumn.y + byRow.y * byRow.y).squareRoot())
  }

  /// This map, set upright if its axes deviate imperceptibly over a plane of `size`.
  func settled(over size: PixelSize) -> PlanarMap {
    let lean = abs(byColumn.y) * Double(size.width) + abs(byRow.x) * Double(size.height)
    guard lean < 1e-7 else { return self }
    var upright = self
    upright.byColumn.y = 0
    upright.byRow.x = 0
    return upright
  }

  /// The map to a plane whose samples each represent `2^level` by `2^level` of the source's.
  func reduced(_ level: Int) -> PlanarMap {
    let part = 1 / Double(1 << level)
    var map = self
    (map.origin, map.coverOrigin) = (origin * part, coverOrigin * part)
    (map.byColumn, map.byRow) = (byColumn * part, byRow * part)
    return map
  }

  var isFinite: Bool {
    (origin + coverOrigin + byColumn + byRow + footprint).sum().isFinite
  }
}
