import CCompositorKernels
package import CompositorAPI
import CompositorConversion

/// A decoration together with the space of its layer.
package struct ResolvedDecoration: Hashable, Sendable {
  /// Lengths in the source's display space.
  package var look: LayerDecoration
  /// Pixel aspect ratio: the width of a stored pixel divided by its height.
  package var aspect: Double

  package init(look: LayerDecoration, aspect: Double) { (self.look, self.aspect) = (look, aspect) }
}

/// Rounded corners, border and shadow of a layer on the output, in the mixing signal.
///
/// Frame, border and shadow are combined into one row of color with alpha, which is then composited with the layer's opacity
/// like a title layer.
struct GeneralDecoration {
  /// Writes the alpha of the frame's samples for columns of a row, displaced by an offset.
  typealias PictureAlpha = (_ row: Int, _ columns: Range<Int>, _ offset: Point, _ out: UnsafeMutablePointer<Float>) -> Void

  /// Rows and columns of the output that the layer and its shadow can reach.
  let columns, rows: Range<Int>
  /// The area filled by the frame, the outline, and the area inside the border.
  private let ground, outline, inner: RoundedShape
  private let border, shadowColor: ConstantColor?
  private let shadow: ShadowCoverage?

  /// - Parameter alpha: The frame's own alpha; `nil` for opaque frames.
  /// - Throws: `.framePoolExhausted`; errors of color conversion.
  init?(
    _ decoration: ResolvedDecoration, layer: ResolvedLayer, signal: MixingSignal, context: RenderContext, alpha: PictureAlpha?
  ) throws(CompositorError) {
    guard let inverse = layer.sourceToOutput.inverted, inverse.isFinite else { return nil }
    let (look, aspect) = (decoration.look, decoration.aspect)
    let rect = Rect(
      x: layer.crop.minX * aspect, y: layer.crop.minY, width: layer.crop.size.width * aspect, height: layer.crop.size.height)
    let toDisplay = inverse.concatenating(.scale(x: aspect, y: 1))
    let hasOpaqueBorder = look.borderWidth > 0 && look.borderColor.alpha >= 1
    outline = RoundedShape(rect, radius: look.cornerRadius, toDisplay)
    // Up to the middle of an opaque border, so that nothing shows through along its outer edge.
    ground = RoundedShape(rect, radius: look.cornerRadius, inset: hasOpaqueBorder ? look.borderWidth / 2 : 0, toDisplay)
    inner = RoundedShape(rect, radius: look.cornerRadius, inset: look.borderWidth, toDisplay)
    border = look.borderWidth > 0 ? try ConstantColor(look.borderColor, opacity: 1, signal) : nil
    let shape = layer.sourceToOutput.boundingBox(of: layer.crop)
    if look.shadowOpacity > 0 {
      let geometry = GeneralDecoration.shadow(decoration, layer)
      shadowColor = try ConstantColor(look.shadowColor, opacity: look.shadowOpacity, signal)
      let outline = outline
      shadow = try ShadowCoverage(geometry, of: shape, context: context) { row, columns, out in
        outline.weigh(row, columns, offset: geometry.offset, into: out)
        guard let alpha else { return }
        withUnsafeTemporaryAllocation(of: Float.self, capacity: columns.count) { scratch in
          guard let scratch = scratch.baseAddress else { return }
          alpha(row, columns, geometry.offset, scratch)
          cpk_convert_multiply(out, scratch, columns.count)
        }
      }
    } else {
      (shadow, shadowColor) = (nil, nil)
    }
    let box = GeneralDecoration.box(decoration, layer, in: context.size)
    (columns, rows) = (box.columns, box.rows)
  }

  /// The part of an output of `size` that a decorated layer and its shadow can reach.
  static func box(_ decoration: ResolvedDecoration, _ layer: ResolvedLayer, in size: PixelSize) -> OutputBox {
    let shape = layer.sourceToOutput.boundingBox(of: layer.crop)
    var box = shape.grown(by: 1)
    if decoration.look.shadowOpacity > 0 { box = box.hull(with: shadow(decoration, layer).box(of: shape)) }
    return OutputBox(
      columns: box.pixels(\.minX, \.maxX, below: size.width), rows: box.pixels(\.minY, \.maxY, below: size.height))
  }

  private static func shadow(_ decoration: ResolvedDecoration, _ layer: ResolvedLayer) -> ShadowCoverage.Geometry {
    ShadowCoverage.Geometry(
      decoration.look, AffineMatrix.scale(x: 1 / decoration.aspect, y: 1).concatenating(layer.sourceToOutput))
  }

  /// Turns the frame's samples in the `layer` rows into the layer's row, and composites it over the `picture` rows.
  ///
  /// - Parameter usesAlpha: Whether the row contains the frame's alpha.
  func composite(row y: Int, opacity: Double, usesAlpha: Bool, keepsAlpha: Bool, rows: SignalRows) {
    let count = columns.count
    withUnsafeTemporaryAllocation(of: Float.self, capacity: 6 * count) { scratch in
      guard let cover = scratch.baseAddress else { return }
      let parts = (0..<5).map { cover + ($0 + 1) * count }
      ground.weigh(y, columns, offset: .zero, into: cover)
      let alpha = rows.alpha(.layer)
      for index in 0..<3 { cpk_convert_multiply(rows.row(.layer, index), cover, count) }
      if usesAlpha { cpk_convert_multiply(alpha, cover, count) } else { alpha.update(from: cover, count: count) }
      if let border {
        outline.weigh(y, columns, offset: .zero, into: cover)
        inner.weigh(y, columns, offset: .zero, into: parts[4])
        cpk_overlay_subtract(cover, parts[4], count)
        border.fill(parts, count: count)
        // Alpha last, because the others are weighted by it.
        for index in 0..<4 { cpk_general_over_alpha(rows.row(.layer, index), parts[index], parts[3], cover, count) }
      }
      if let shadow, let shadowColor, shadow.read(row: y, columns: columns, into: cover) {
        shadowColor.fill(parts, count: count)
        for index in 0..<4 {
          cpk_convert_multiply(parts[index], cover, count)
          cpk_general_over_alpha(parts[index], rows.row(.layer, index), alpha, rows.row(.ones), count)
        }
        for index in 0..<4 { rows.row(.layer, index).update(from: parts[index], count: count) }
      }
      cover.update(repeating: Float(opacity), count: count)
      for index in 0..<(keepsAlpha ? 4 : 3) {
        cpk_general_over_alpha(
          rows.row(.picture, index) + columns.lowerBound, rows.row(.layer, index), alpha, cover, count)
      }
    }
  }
}

/// A uniform color, premultiplied.
private struct ConstantColor {
  private let components: SIMD4<Float>

  init(_ color: Color, opacity: Double, _ signal: MixingSignal) throws(CompositorError) {
    let shown = try signal.components(of: color) * opacity
    components = SIMD4(Float(shown.x), Float(shown.y), Float(shown.z), Float(color.alpha * opacity))
  }

  func fill(_ rows: [UnsafeMutablePointer<Float>], count: Int) {
    for index in 0..<4 { rows[index].update(repeating: components[index], count: count) }
  }
}

/// A rounded rectangle, mapped from the output.
struct RoundedShape {
  private let toDisplay: AffineMatrix
  private let shape: cpk_general_shape
  private let isEmpty: Bool

  /// - Parameters:
  ///   - rect: In display space.
  ///   - inset: Distance of the shape's edge inside the rectangle's edge.
  ///   - toDisplay: From the output to display space.
  init(_ rect: Rect, radius: Double, inset: Double = 0, _ toDisplay: AffineMatrix) {
    self.toDisplay = toDisplay
    let half = Size(width: rect.size.width / 2 - inset, height: rect.size.height / 2 - inset)
    isEmpty = !(half.width > 0 && half.height > 0)
    let outer = min(radius, rect.size.width / 2, rect.size.height / 2)
    shape = cpk_general_shape(
      centerX: rect.minX + rect.size.width / 2, centerY: rect.minY + rect.size.height / 2, halfWidth: Float(half.width),
      halfHeight: Float(half.height), radius: Float(max(outer - inset, 0)), ux: Float(toDisplay.a), uy: Float(toDisplay.c),
      vx: Float(toDisplay.b), vy: Float(toDisplay.d))
  }

  /// Coverage, 0 … 1, of pixels of a row by the shape displaced by an offset on the output.
  func weigh(_ row: Int, _ columns: Range<Int>, offset: Point, into out: UnsafeMutablePointer<Float>) {
    guard !isEmpty else { return out.update(repeating: 0, count: columns.count) }
    let start = toDisplay.apply(
      to: Point(x: Double(columns.lowerBound) + 0.5 - offset.x, y: Double(row) + 0.5 - offset.y))
    var shape = shape
    cpk_general_rounded_coverage(&shape, start.x, start.y, out, columns.count)
  }
}

extension Rect {
  /// The integer range of pixels of one axis, from 0 to `limit`.
  fileprivate func pixels(_ low: KeyPath<Rect, Double>, _ high: KeyPath<Rect, Double>, below limit: Int) -> Range<Int> {
    let start = min(max(self[keyPath: low], 0), Double(limit)).rounded(.down)
    let end = min(max(self[keyPath: high], 0), Double(limit)).rounded(.up)
    return Int(start)..<max(Int(start), Int(end))
  }
}
