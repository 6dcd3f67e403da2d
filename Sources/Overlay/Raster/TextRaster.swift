import CCompositorPangoCairo
import CompositorAPI

/// Coverage of a text on a grid.
package struct TextRaster: Sendable {
  /// Outline and glyphs combined; `nil` without outline.
  package var outline: Mask?
  /// Coverage of each paint.
  package var fills: [(paint: Int, mask: Mask)] = []
  /// Colored glyphs.
  package var picture: Picture?

  init(_ layout: OpaquePointer, _ text: StyledText, _ grid: RasterGrid) throws(CompositorError) {
    let extents = TextExtents(layout)
    // Ink is measured in integer layout units; one more pixel never cuts a glyph.
    let margin = text.outlineWidth + 1
    let frame = try grid.pixels(around: extents.ink, margin: margin)
    guard extents.ink.size.width > 0 || extents.hasColor else { return }
    for paint in text.paintsInUse {
      var mask = frame
      try TextRaster.draw(&mask, grid) { cpc_layout_cover(layout, &$0, Int32(paint), false, 0) }
      fills.append((paint, mask))
    }
    if text.outlineWidth > 0 {
      var mask = frame
      try TextRaster.draw(&mask, grid) { cpc_layout_cover(layout, &$0, 0, true, text.outlineWidth) }
      outline = mask
    }
    guard extents.hasColor else { return }
    let picture = try TextRaster.picture(frame, grid) { cpc_layout_draw_color(layout, &$0) }
    if text.outlineWidth > 0 { outline = TextRaster.outline(of: picture, text.outlineWidth, grid).union(outline) }
    self.picture = picture
  }

  /// The outline of colored glyphs.
  static func outline(of picture: Picture, _ width: Double, _ grid: RasterGrid) -> Mask {
    let (across, down) = ((grid.a * grid.a + grid.b * grid.b).squareRoot(), (grid.c * grid.c + grid.d * grid.d).squareRoot())
    return picture.coverage.dilated(byWidth: width * across, height: width * down)
  }

  static func draw(
    _ mask: inout Mask, _ grid: RasterGrid, _ draw: (inout cpc_canvas) -> Bool
  ) throws(CompositorError) {
    let (x, y, stride, height) = (mask.x, mask.y, mask.stride, mask.height)
    let isSound = mask.bytes.withUnsafeMutableBufferPointer { bytes in
      var canvas = cpc_canvas(
        pixels: bytes.baseAddress, width: Int32(stride), height: Int32(height), a: grid.a, b: grid.b, c: grid.c, d: grid.d,
        tx: grid.tx - Double(x), ty: grid.ty - Double(y))
      return draw(&canvas)
    }
    guard isSound else { throw TextRaster.failure }
  }

  static let failure = CompositorError(
    .resourceExhausted, "A text or path could not be rastered.",
    recoverySuggestion: "Make the layer smaller or simpler.")

  static func picture(
    _ frame: Mask, _ grid: RasterGrid, _ draw: (inout cpc_canvas) -> Bool
  ) throws(CompositorError) -> Picture {
    var pixels = [UInt32](repeating: 0, count: frame.width * frame.height)
    let isSound = pixels.withUnsafeMutableBytes { bytes in
      var canvas = cpc_canvas(
        pixels: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), width: Int32(frame.width), height: Int32(frame.height),
        a: grid.a, b: grid.b, c: grid.c, d: grid.d, tx: grid.tx - Double(frame.x), ty: grid.ty - Double(frame.y))
      return draw(&canvas)
    }
    guard isSound else { throw TextRaster.failure }
    return Picture(argb: pixels, x: frame.x, y: frame.y, width: frame.width, height: frame.height)
  }

  /// Coverage of a path.
  static func cover(
    _ path: ShapePath, on grid: RasterGrid, margin: Double, _ draw: (UnsafePointer<cpc_path>, inout cpc_canvas) -> Bool
  ) throws(CompositorError) -> Mask {
    var mask = try grid.pixels(around: path.controlBounds, margin: margin)
    let steps = path.steps.map(\.rawValue)
    try steps.withUnsafeBufferPointer { (steps) throws(CompositorError) in
      try path.coordinates.withUnsafeBufferPointer { (coordinates) throws(CompositorError) in
        var cPath = cpc_path(steps: steps.baseAddress, step_count: steps.count, coordinates: coordinates.baseAddress)
        try TextRaster.draw(&mask, grid) { draw(&cPath, &$0) }
      }
    }
    return mask
  }
}

extension Mask {
  /// The maximum of both coverages; the masks may have different sizes.
  func union(_ other: Mask?) -> Mask {
    guard let other else { return self }
    let (left, top) = (min(x, other.x), min(y, other.y))
    let (right, bottom) = (max(x + width, other.x + other.width), max(y + height, other.y + other.height))
    var result = Mask(x: left, y: top, width: right - left, height: bottom - top)
    for part in [self, other] {
      for row in 0..<part.height {
        let (from, to) = (row * part.stride, (row + part.y - top) * result.stride + part.x - left)
        for column in 0..<part.width { result.bytes[to + column] = max(result.bytes[to + column], part.bytes[from + column]) }
      }
    }
    return result
  }
}
