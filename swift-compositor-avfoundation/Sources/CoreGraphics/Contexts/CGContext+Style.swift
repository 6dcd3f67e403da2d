internal import CFacadeCairo
public import Foundation

/// Colors, lines and blending, which are remembered with the state.
extension CGContext {
  /// Sets the color of insides.
  public func setFillColor(_ color: CGColor) { state.fillColor = color }
  /// Sets the color of insides, in sRGB.
  public func setFillColor(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    setFillColor(CGColor(red: red, green: green, blue: blue, alpha: alpha))
  }
  /// Sets the color of insides to a gray.
  public func setFillColor(gray: CGFloat, alpha: CGFloat) { setFillColor(CGColor(gray: gray, alpha: alpha)) }
  /// Sets the color of lines.
  public func setStrokeColor(_ color: CGColor) { state.strokeColor = color }
  /// Sets the color of lines, in sRGB.
  public func setStrokeColor(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    setStrokeColor(CGColor(red: red, green: green, blue: blue, alpha: alpha))
  }
  /// Sets the color of lines to a gray.
  public func setStrokeColor(gray: CGFloat, alpha: CGFloat) { setStrokeColor(CGColor(gray: gray, alpha: alpha)) }
  /// Sets the opacity of everything that is drawn, 0 … 1.
  public func setAlpha(_ alpha: CGFloat) { state.alpha = min(max(alpha, 0), 1) }
  /// Sets how what is drawn and what is there become one.
  public func setBlendMode(_ mode: CGBlendMode) { state.blendMode = mode }
  /// How pixels of pictures are found that are drawn at another size.
  public var interpolationQuality: CGInterpolationQuality {
    get { state.interpolationQuality }
    set { state.interpolationQuality = newValue }
  }

  /// Sets the width of lines in user space.
  public func setLineWidth(_ width: CGFloat) { cairo_set_line_width(cairo, Double(max(width, 0))) }
  /// Sets the ends of lines.
  public func setLineCap(_ cap: CGLineCap) {
    cairo_set_line_cap(
      cairo, cap == .butt ? CAIRO_LINE_CAP_BUTT : cap == .round ? CAIRO_LINE_CAP_ROUND : CAIRO_LINE_CAP_SQUARE)
  }
  /// Sets the corners of lines.
  public func setLineJoin(_ join: CGLineJoin) {
    cairo_set_line_join(
      cairo, join == .miter ? CAIRO_LINE_JOIN_MITER : join == .round ? CAIRO_LINE_JOIN_ROUND : CAIRO_LINE_JOIN_BEVEL)
  }
  /// Sets the largest length of a pointed corner, in line widths.
  public func setMiterLimit(_ limit: CGFloat) { cairo_set_miter_limit(cairo, Double(limit)) }
  /// Sets the lengths of dashes and gaps in user space, and where the line begins in them. No lengths make a solid line.
  public func setLineDash(phase: CGFloat, lengths: [CGFloat]) {
    guard lengths.allSatisfy({ $0 >= 0 }), lengths.isEmpty || lengths.contains(where: { $0 > 0 }) else { return }
    cairo_set_dash(cairo, lengths.map(Double.init), Int32(lengths.count), Double(phase))
  }
  /// Sets whether edges are smooth.
  public func setShouldAntialias(_ shouldAntialias: Bool) {
    cairo_set_antialias(cairo, shouldAntialias ? CAIRO_ANTIALIAS_DEFAULT : CAIRO_ANTIALIAS_NONE)
  }

  /// Makes a color the source of what is drawn next.
  func setSource(_ color: CGColor) {
    let (red, green, blue, alpha) = color.rgba
    let (first, last) = bitmap.isRedFirst ? (blue, red) : (red, blue)
    cairo_set_source_rgba(cairo, first, green, last, alpha * Double(state.alpha))
  }

  /// Calls a closure that draws.
  func draw(_ body: () -> Void) {
    bitmap.draw {
      cairo_set_operator(cairo, state.blendMode.cairoOperator)
      body()
    }
  }
}
