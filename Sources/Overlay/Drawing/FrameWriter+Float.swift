import CompositorAPI

extension FrameWriter {
  /// Blends a surface into a frame of float or half-float samples.
  func blendFloat(_ surface: Surface, _ shift: Shift, opacity: Float) {
    let (fx, fy) = (Float(shift.fx) / 256, Float(shift.fy) / 256)
    let moved = PixelBox(
      x0: surface.box.x0 + shift.x + 1, y0: surface.box.y0 + shift.y + 1, x1: surface.box.x1 + shift.x,
      y1: surface.box.y1 + shift.y)
    let area = moved.intersection(canvas)
    let step = surface.box.width * 4
    surface.pixels.withUnsafeBufferPointer { pixels in
      for y in area.y0..<max(area.y1, area.y0) {
        let row = surface.index(x: area.x0 - shift.x, y: y - shift.y)
        for x in 0..<area.width {
          let here = row + 4 * x
          var color = SIMD4<Float>.zero
          for part in 0..<4 {
            let upper = pixels[here - step - 4 + part] * fx + pixels[here - step + part] * (1 - fx)
            let lower = pixels[here - 4 + part] * fx + pixels[here + part] * (1 - fx)
            color[part] = (upper * fy + lower * (1 - fy)) * opacity
          }
          if color.w > 0 { over(color, x: area.x0 + x, y: y) }
        }
      }
    }
  }

  private func over(_ color: SIMD4<Float>, x: Int, y: Int) {
    let plane = planes[0]
    let row = plane.base + y * plane.stride
    for component in encoding.components {
      let value = (component.matrix * SIMD3(color.x, color.y, color.z)).sum() * component.scale + color.w * component.offset
      let index = x * component.step + component.sampleOffset
      if encoding.format.sample == .float {
        let sample = row.assumingMemoryBound(to: Float.self) + index
        sample.pointee = sample.pointee * (1 - color.w) + value
      } else {
        let sample = row.assumingMemoryBound(to: Float16.self) + index
        sample.pointee = Float16(Float(sample.pointee) * (1 - color.w) + value)
      }
    }
  }
}
