import CompositorAPI

extension FrameWriter {
  /// Adds a difference of surfaces to the frame: where it is 0, nothing changes.
  package func add(_ difference: Surface) {
    let area = difference.box.intersection(canvas)
    let taps = encoding.chromaWeights
    for component in encoding.components {
      let isCoarse = encoding.isSubsampled(component)
      let (columns, rows) =
        isCoarse ? (encoding.format.subsampling.horizontalShift, encoding.format.subsampling.verticalShift) : (0, 0)
      let plane = planes[component.plane]
      for y in (area.y0 >> rows)..<min((area.y1 + rows) >> rows, plane.height) {
        for x in (area.x0 >> columns)..<min((area.x1 + columns) >> columns, plane.width) {
          var change: Float = 0
          if isCoarse {
            for tap in taps {
              change += value(difference, component, (x << columns) + tap.column, (y << rows) + tap.row) * tap.weight
            }
          } else {
            change = value(difference, component, x, y)
          }
          if change != 0 { add(change, component, plane, x, y) }
        }
      }
    }
  }

  private func value(_ surface: Surface, _ component: OutputEncoding.Component, _ x: Int, _ y: Int) -> Float {
    guard x >= surface.box.x0, x < surface.box.x1, y >= surface.box.y0, y < surface.box.y1 else { return 0 }
    let index = surface.index(x: x, y: y)
    let rgb = SIMD3(surface.pixels[index], surface.pixels[index + 1], surface.pixels[index + 2])
    // The offset belongs to coverage; a difference of two opaque colours has none.
    return (component.matrix * rgb).sum() * component.scale + surface.pixels[index + 3] * component.offset
  }

  private func add(_ change: Float, _ component: OutputEncoding.Component, _ plane: MutablePlane, _ x: Int, _ y: Int) {
    let row = plane.base + y * plane.stride
    let index = x * component.step + component.sampleOffset
    switch (encoding.format.sample, encoding.format.bytesPerSample) {
    case (.float, _): row.assumingMemoryBound(to: Float.self)[index] += change
    case (.half, _):
      let sample = row.assumingMemoryBound(to: Float16.self) + index
      sample.pointee = Float16(Float(sample.pointee) + change)
    case (.unsigned, 1):
      let sample = row.assumingMemoryBound(to: UInt8.self) + index
      sample.pointee = UInt8(min(max(Float(sample.pointee) + change / 256, 0), 255).rounded())
    case (.unsigned, _):
      let sample = row.assumingMemoryBound(to: UInt16.self) + index
      let unit = Float(1 << encoding.shift)
      let highest = Float(65536 >> encoding.shift) - 1
      sample.pointee = UInt16(min(max(Float(sample.pointee) + change / unit, 0), highest).rounded())
    }
  }
}
