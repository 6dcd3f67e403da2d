package import CompositorAPI

/// A grid of pixels as seen from a layer: the linear part of the map from layer to canvas, and a subpixel offset.
package struct RasterGrid: Hashable, Sendable {
  package var a, b, c, d: Double
  package var tx, ty: Double

  package init(a: Double, b: Double, c: Double, d: Double, tx: Double = 0, ty: Double = 0) {
    (self.a, self.b, self.c, self.d, self.tx, self.ty) = (a, b, c, d, tx, ty)
  }

  package init(_ matrix: AffineMatrix) {
    self.init(a: matrix.a, b: matrix.b, c: matrix.c, d: matrix.d, tx: matrix.tx, ty: matrix.ty)
  }

  /// The scale for a layer that scales, rotates or tilts: along each axis the next step of the eighth root of 2, so that a
  /// mask serves several frames, thin strokes keep their weight when sampled, and a tilted layer is no finer than its visible
  /// resolution.
  package static func scale(across: Double, down: Double) -> RasterGrid {
    RasterGrid(a: step(atLeast: across), b: 0, c: 0, d: step(atLeast: down))
  }

  private static func step(atLeast scale: Double) -> Double {
    guard scale.isFinite, scale > 0 else { return 1 }
    var step = 1.0
    let root = 1.090_507_732_665_258
    while step < scale * 0.999, step < 64 { step *= root }
    while step / root >= scale * 0.999, step > 1.0 / 64 { step /= root }
    return step
  }

  package var matrix: AffineMatrix { AffineMatrix(a: a, b: b, c: c, d: d, tx: tx, ty: ty) }

  /// The pixels around a rectangle of the layer, with an empty margin of one pixel.
  ///
  /// - Throws: `.invalidValue` if it has more than ``maximumPixels``.
  package func pixels(around rect: Rect, margin: Double = 0) throws(CompositorError) -> Mask {
    let box = try requireRoom(around: rect, margin: margin)
    let (x, y) = (Int(box.minX.rounded(.down)) - 1, Int(box.minY.rounded(.down)) - 1)
    return Mask(
      x: x, y: y, width: Int(box.maxX.rounded(.up)) + 1 - x, height: Int(box.maxY.rounded(.up)) + 1 - y)
  }

  /// A rectangle of the layer on the grid.
  ///
  /// - Throws: `.invalidValue` if it has more than ``maximumPixels``.
  @discardableResult
  package func requireRoom(around rect: Rect, margin: Double = 0) throws(CompositorError) -> Rect {
    let box = matrix.boundingBox(
      of: Rect(
        x: rect.minX - margin, y: rect.minY - margin, width: rect.size.width + 2 * margin,
        height: rect.size.height + 2 * margin))
    guard box.minX.isFinite, box.maxX.isFinite, abs(box.minX) < 1e8, abs(box.maxX) < 1e8, abs(box.minY) < 1e8,
      abs(box.maxY) < 1e8, box.size.width * box.size.height <= RasterGrid.maximumPixels,
      box.size.width < RasterGrid.maximumSide, box.size.height < RasterGrid.maximumSide
    else {
      func text(_ pixels: Double) -> String { Int(exactly: pixels.rounded(.up)).map(String.init) ?? "\(pixels)" }
      let (width, height) = (text(box.size.width), text(box.size.height))
      throw CompositorError(
        .invalidValue,
        "A layer is too large to draw: it is \(width) by \(height) pixels, of which a side may have fewer than "
          + "\(text(RasterGrid.maximumSide)), and all together \(text(RasterGrid.maximumPixels / 1e6)) million.",
        recoverySuggestion: "Make it smaller, or divide it into several layers, such as a long text into parts of a row.")
    }
    return box
  }

  /// The side that a mask may nearly have, in pixels: Cairo's images have less than 32,768.
  static let maximumSide = 32_000.0
  /// The largest mask, in pixels.
  package static let maximumPixels = 64e6
}
