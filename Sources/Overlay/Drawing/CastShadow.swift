import CCompositorKernels
import CompositorAPI

/// A shadow as it falls on the canvas.
struct CastShadow {
  let shadow: LayerShadow
  let dx, dy: Double
  let sigma: Double

  init(_ shadow: LayerShadow, _ matrix: Projection) {
    self.shadow = shadow
    sigma = min(shadow.radius * matrix.meanScale, 100)
    // In 64ths of a pixel, like every static position, so that equal positions stay equal.
    func limited(_ value: Double) -> Double { value.isFinite ? (min(max(value, -4000), 4000) * 64).rounded() / 64 : 0 }
    dx = limited(shadow.offset.x * matrix.a + shadow.offset.y * matrix.c)
    dy = limited(shadow.offset.x * matrix.b + shadow.offset.y * matrix.d)
  }

  /// How far the shadow extends beyond the layer, or takes its coverage from within it, in pixels.
  var reach: Int { Int((3 * sigma).rounded(.up)) + Int(max(abs(dx), abs(dy)).rounded(.up)) + 2 }
}

extension LayerPainter {
  /// Adds shadows to a layer, of which the first is in front.
  ///
  /// - Parameter silhouette: Makes what inner shadows fall into; `nil` if that is the layer.
  func shade(
    _ surface: inout Surface, by shadows: [CastShadow], within room: PixelBox,
    silhouette: () throws(CompositorError) -> Surface?
  ) throws(CompositorError) {
    let inner = shadows.filter(\.shadow.isInner)
    if !inner.isEmpty {
      var shape: Surface
      if let other = try silhouette() { shape = other } else { shape = try surface.copied() }
      for inner in inner.reversed() { try shade(&surface, by: inner, into: shape, within: room) }
      shape.giveBack()
    }
    let outer = shadows.filter { !$0.shadow.isInner }
    guard let reach = outer.map(\.reach).max() else { return }
    var whole = try surface.grown(by: reach + 1, within: room.grown(by: reach))
    var result = try Surface(whole.box, in: surface.memory)
    for shadow in outer.reversed() {
      var cast = try whole.shadow(sigma: shadow.sigma, color: color(shadow), dx: shadow.dx, dy: shadow.dy)
      result.over(cast, opacity: 1, mode: .normal)
      cast.giveBack()
    }
    whole.giveBack()
    result.over(surface, opacity: 1, mode: .normal)
    swap(&surface, &result)
    result.giveBack()
  }

  /// Adds an inner shadow to a layer.
  private func shade(
    _ surface: inout Surface, by inner: CastShadow, into shape: Surface, within room: PixelBox
  ) throws(CompositorError) {
    var coverage = try shape.grown(by: inner.reach + 1, within: room.grown(by: inner.reach))
    var cast = try coverage.shadow(sigma: inner.sigma, color: .one, dx: inner.dx, dy: inner.dy)
    coverage.giveBack()
    try surface.shade(color(inner), into: shape, where: cast)
    cast.giveBack()
  }

  private func color(_ cast: CastShadow) throws(CompositorError) -> SIMD4<Float> {
    try primitives.encoding.premultiplied(cast.shadow.color) * Float(min(cast.shadow.opacity, 1))
  }
}

extension Surface {
  /// The surface with an empty margin, within a box.
  fileprivate func grown(by margin: Int, within room: PixelBox) throws(CompositorError) -> Surface {
    var whole = try Surface(box.grown(by: margin).intersection(room), in: memory)
    whole.over(self, opacity: 1, mode: .normal)
    return whole
  }

  /// Draws a premultiplied color within a shape of the same box, where a surface has no coverage.
  fileprivate mutating func shade(
    _ color: SIMD4<Float>, into shape: Surface, where cast: Surface
  ) throws(CompositorError) {
    var light = try Surface(box, in: memory)
    light.over(cast, opacity: 1, mode: .normal)
    let (count, color) = (box.width * box.height, [color.x, color.y, color.z, color.w])
    pixels.withUnsafeMutableBufferPointer { pixels in
      light.pixels.withUnsafeBufferPointer { light in
        shape.pixels.withUnsafeBufferPointer { shape in
          guard let pixels = pixels.baseAddress, let light = light.baseAddress, let shape = shape.baseAddress else { return }
          cpk_overlay_surface_shade(pixels, shape, light, color, count)
        }
      }
    }
    light.giveBack()
  }
}

extension PresentationNode {
  /// The layer with an opaque background, if it has one that is not: inner shadows fall into its box, as in CSS, however
  /// little the background shows. `nil` if they fall into what the layer draws.
  var withOpaqueGround: PresentationNode? {
    guard let color = layer.backgroundColor, color.alpha < 1 else { return nil }
    var copy = self
    copy.layer.backgroundColor = .black
    return copy
  }
}

extension Layer {
  /// How far filters and shadows extend beyond what the layer draws, in pixels of the canvas.
  func reach(_ matrix: Projection) -> Int {
    let outer = hasShadow ? shownShadows.filter { !$0.isInner }.map { CastShadow($0, matrix).reach } : []
    return (outer.max() ?? 0) + filters.blur(matrix).reach
  }
}
