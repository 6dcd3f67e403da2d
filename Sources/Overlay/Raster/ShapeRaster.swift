import CCompositorPangoCairo
package import CompositorAPI

extension ShapePath {
  /// Coverage of the interior.
  package func fillMask(_ rule: FillRule, on grid: RasterGrid) throws(CompositorError) -> Mask {
    try requireFillable(on: grid)
    return try TextRaster.cover(self, on: grid, margin: 0) { cpc_path_fill($0, rule == .evenOdd, &$1) }
  }

  /// Checks that the interior is not too large or too expensive to raster.
  func requireFillable(on grid: RasterGrid) throws(CompositorError) {
    try PathCost(self, on: grid).require(fillOf: self)
    try grid.requireRoom(around: controlBounds)
  }
}

/// The stroke of a shape, without its color.
package struct StrokeStyle: Hashable, Sendable {
  package var path: ShapePath
  package var width, miterLimit, dashPhase, start, end: Double
  package var dashes: [Double]
  package var cap: LineCap
  package var join: LineJoin

  package init(_ shape: ShapeContent) {
    path = shape.path
    (width, miterLimit, dashPhase) = (shape.lineWidth, shape.miterLimit, shape.lineDashPhase)
    start = min(max(shape.strokeStart, 0), 1)
    end = min(max(shape.strokeEnd, 0), 1)
    // A pattern that consists of zeros has no effect.
    dashes = shape.lineDashPattern.contains { $0 > 0 } ? shape.lineDashPattern : []
    (cap, join) = (shape.lineCap, shape.lineJoin)
  }

  /// Coverage of the stroke.
  package func mask(on grid: RasterGrid) throws(CompositorError) -> Mask {
    try requireDrawable(on: grid)
    return try dashes.withUnsafeBufferPointer { (dashes) throws(CompositorError) in
      var stroke = cpc_stroke(
        width: width, miter_limit: miterLimit, dash_phase: dashPhase, dashes: dashes.baseAddress,
        dash_count: Int32(dashes.count), cap: cap == .butt ? 0 : cap == .round ? 1 : 2,
        join: join == .miter ? 0 : join == .round ? 1 : 2, start: start, end: end)
      return try TextRaster.cover(path, on: grid, margin: reach) { cpc_path_stroke($0, &stroke, &$1) }
    }
  }
  /// The distance that the line extends beyond the path, in the layer's pixels.
  private var reach: Double { width / 2 * (join == .miter ? min(miterLimit, 20) : 1.5) }

  /// Checks that the stroke is not too large or too expensive to raster.
  func requireDrawable(on grid: RasterGrid) throws(CompositorError) {
    try PathCost(path, on: grid).require(strokeOf: self, on: grid)
    try grid.requireRoom(around: path.controlBounds, margin: reach)
  }
}
