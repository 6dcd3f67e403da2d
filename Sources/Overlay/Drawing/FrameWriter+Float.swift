import CompositorAPI
import CompositorConversion

extension FrameWriter {
  /// Blends a surface into a frame of float or half-float samples.
  func blendFloat(_ surface: Surface, _ shift: Shift, opacity: Float) {
    let (fx, fy) = (Float(shift.fx) / 256, Float(shift.fy) / 256)
    let moved = PixelBox(
      x0: surface.box.x0 + shift.x + 1, y0: surface.box.y0 + shift.y + 1, x1: surface.box.x1 + shift.x,
      y1: surface.box.y1 + shift.y)
    let area = moved.intersection(canvas)
    guard !area.isEmpty else { return }
    let step = surface.box.width * 4
    var colors = [SIMD4<Float>](repeating: .zero, count: area.width)
    surface.pixels.withUnsafeBufferPointer { pixels in
      for y in area.y0..<area.y1 {
        let row = surface.index(x: area.x0 - shift.x, y: y - shift.y)
        for x in 0..<area.width {
          let here = row + 4 * x
          for part in 0..<4 {
            let upper = pixels[here - step - 4 + part] * fx + pixels[here - step + part] * (1 - fx)
            let lower = pixels[here - 4 + part] * fx + pixels[here + part] * (1 - fx)
            colors[x][part] = (upper * fy + lower * (1 - fy)) * opacity
          }
        }
        over(colors, x: area.x0, y: y)
      }
    }
  }

  private func over(_ colors: [SIMD4<Float>], x: Int, y: Int) {
    let weights = colors.map { max($0.w, 0) }
    for target in full {
      let component = encoding.components[target.component.index]
      let codes = colors.map { color in
        guard color.w > 0 else { return Float(0) }
        return (component.matrix * SIMD3(color.x, color.y, color.z)).sum() * component.scale + color.w * component.offset
      }
      target.blend(codes: codes, weights, x: x, y: y, count: colors.count)
    }
  }
}
