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
    // A row of colors, then the codes of one component and their weights.
    withUnsafeTemporaryAllocation(of: Float.self, capacity: 6 * area.width) { room in
      surface.pixels.withUnsafeBufferPointer { pixels in
        guard let pixels = pixels.baseAddress, let colors = room.baseAddress else { return }
        for y in area.y0..<area.y1 {
          let row = pixels + surface.index(x: area.x0 - shift.x, y: y - shift.y)
          for index in 0..<4 * area.width {
            let upper = row[index - step - 4] * fx + row[index - step] * (1 - fx)
            let lower = row[index - 4] * fx + row[index] * (1 - fx)
            colors[index] = (upper * fy + lower * (1 - fy)) * opacity
          }
          over(colors, codes: colors + 4 * area.width, weights: colors + 5 * area.width, count: area.width, x: area.x0, y: y)
        }
      }
    }
  }

  /// Blends the covered runs of a row of colors.
  private func over(
    _ colors: UnsafePointer<Float>, codes: UnsafeMutablePointer<Float>, weights: UnsafeMutablePointer<Float>, count: Int,
    x: Int, y: Int
  ) {
    var end = 0
    while end < count {
      var start = end
      while start < count, !(colors[4 * start + 3] > 0) { start += 1 }
      end = start
      while end < count, colors[4 * end + 3] > 0 {
        weights[end - start] = colors[4 * end + 3]
        end += 1
      }
      for target in full where start < end {
        let component = encoding.components[target.component.index]
        for index in start..<end {
          let color = colors + 4 * index
          let code = (component.matrix * SIMD3(color[0], color[1], color[2])).sum() * component.scale
          codes[index - start] = code + color[3] * component.offset
        }
        target.blend(codes: codes, weights, x: x + start, y: y, count: end - start)
      }
    }
  }
}
