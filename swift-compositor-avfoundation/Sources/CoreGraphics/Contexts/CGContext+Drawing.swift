internal import CFacadeCairo
public import Foundation

/// Rectangles, ellipses and pictures. All but pictures forget the path.
extension CGContext {
  /// Fills a rectangle.
  public func fill(_ rect: CGRect) { fill([rect]) }
  /// Fills rectangles.
  public func fill(_ rects: [CGRect]) {
    beginPath()
    addRects(rects)
    fillPath()
  }
  /// Fills the largest ellipse in a rectangle.
  public func fillEllipse(in rect: CGRect) {
    beginPath()
    addEllipse(in: rect)
    fillPath()
  }
  /// Draws the line of a rectangle.
  public func stroke(_ rect: CGRect) {
    beginPath()
    addRect(rect)
    strokePath()
  }
  /// Draws the line of a rectangle in a width.
  public func stroke(_ rect: CGRect, width: CGFloat) {
    saveGState()
    setLineWidth(width)
    stroke(rect)
    restoreGState()
  }
  /// Draws the line of the largest ellipse in a rectangle.
  public func strokeEllipse(in rect: CGRect) {
    beginPath()
    addEllipse(in: rect)
    strokePath()
  }
  /// Draws lines from each point with an even index to the next.
  public func strokeLineSegments(between points: [CGPoint]) {
    beginPath()
    for (index, point) in points.enumerated() { index % 2 == 0 ? move(to: point) : addLine(to: point) }
    strokePath()
  }

  /// Removes what is in a rectangle: nothing is there then, or black in a layout without alpha.
  public func clear(_ rect: CGRect) {
    bitmap.draw {
      beginPath()
      addRect(rect)
      cairo_set_operator(cairo, bitmap.layout.hasAlpha ? CAIRO_OPERATOR_CLEAR : CAIRO_OPERATOR_OVER)
      cairo_set_source_rgba(cairo, 0, 0, 0, 1)
      cairo_fill(cairo)
    }
  }

  /// Draws a picture in a rectangle. Its upper row is where y is largest.
  ///
  /// - Parameter byTiling: Whether the picture is repeated over all of the clip, from the rectangle on.
  public func draw(_ image: CGImage, in rect: CGRect, byTiling: Bool = false) {
    guard rect.width != 0, rect.height != 0, var pixels = image.premultiplied(blueFirst: !bitmap.isRedFirst) else { return }
    let (width, height) = (Int32(image.width), Int32(image.height))
    pixels.withUnsafeMutableBufferPointer { buffer in
      guard
        let surface = cairo_image_surface_create_for_data(
          buffer.baseAddress, CAIRO_FORMAT_ARGB32, width, height, width * 4)
      else { return }
      draw { paint(surface, of: CGSize(width: image.width, height: image.height), in: rect.standardized, byTiling) }
      // The pattern holds the surface until there is another source.
      cairo_set_source_rgba(cairo, 0, 0, 0, 1)
      cairo_surface_finish(surface)
      cairo_surface_destroy(surface)
    }
  }

  private func paint(_ surface: OpaquePointer, of size: CGSize, in rect: CGRect, _ byTiling: Bool) {
    cairo_save(cairo)
    // The path is that of the program, which pictures leave alone.
    let path = cairo_copy_path(cairo)
    cairo_new_path(cairo)
    cairo_translate(cairo, Double(rect.minX), Double(rect.maxY))
    cairo_scale(cairo, Double(rect.width / size.width), -Double(rect.height / size.height))
    cairo_set_source_surface(cairo, surface, 0, 0)
    let pattern = cairo_get_source(cairo)
    cairo_pattern_set_filter(pattern, filter)
    // Beyond the edge are the pixels of the edge, not nothing, which would shine through.
    cairo_pattern_set_extend(pattern, byTiling ? CAIRO_EXTEND_REPEAT : CAIRO_EXTEND_PAD)
    cairo_save(cairo)
    if !byTiling {
      cairo_rectangle(cairo, 0, 0, Double(size.width), Double(size.height))
      cairo_clip(cairo)
    }
    cairo_paint_with_alpha(cairo, Double(state.alpha))
    cairo_restore(cairo)
    cairo_restore(cairo)
    cairo_append_path(cairo, path)
    cairo_path_destroy(path)
  }

  private var filter: cairo_filter_t {
    switch state.interpolationQuality {
    case .none: CAIRO_FILTER_NEAREST
    case .low: CAIRO_FILTER_BILINEAR
    case .default, .medium: CAIRO_FILTER_GOOD
    case .high: CAIRO_FILTER_BEST
    }
  }
}
