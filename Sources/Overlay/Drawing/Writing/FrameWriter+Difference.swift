import CCompositorKernels
import CompositorAPI
import CompositorConversion

extension FrameWriter {
  /// Blends a surface with the frame by a blend mode. Samples that the surface does not cover stay bit-exact.
  func mix(_ surface: Surface, opacity: Double, mode: BlendMode) throws(CompositorError) {
    let area = surface.box.intersection(canvas)
    guard !area.isEmpty else { return }
    recorder?.giveUp()
    let size = PixelSize(width: canvas.width, height: canvas.height)
    let reader = try FrameReader(planes.readOnly, encoding, size: size)
    // Changes are added, so that codes outside the nominal range and the chroma of neighbors survive.
    var change = try Surface(area.grown(by: 2).even, in: surface.memory)
    let stride = change.box.width * 4
    let first = change.index(x: area.x0, y: area.y0)
    change.pixels.withUnsafeMutableBufferPointer { target in
      surface.pixels.withUnsafeBufferPointer { source in
        guard let target = target.baseAddress, let source = source.baseAddress else { return }
        reader.forEachRow(of: area) { y, backdrop in
          let row = target + first + (y - area.y0) * stride
          row.update(from: backdrop, count: area.width * 4)
          cpk_overlay_surface_blend(
            row, source + surface.index(x: area.x0, y: y), Float(opacity), mode.kernelNumber, area.width)
          cpk_overlay_subtract(row, backdrop, area.width * 4)
        }
      }
    }
    add(change, area)
    change.giveBack()
  }

  /// Adds a surface of changes that starts at even pixels and has a margin of two empty pixels around the area.
  func add(_ change: Surface, _ area: PixelBox) {
    let (width, taps) = (change.box.width, encoding.layout.chroma.taps)
    let (vertical, horizontal) = (taps.prefix(3).map(Float.init), taps.suffix(3).map(Float.init))
    let rowShift = encoding.layout.chroma.verticalShift
    change.pixels.withUnsafeBufferPointer { pixels in
      withUnsafeTemporaryAllocation(of: Float.self, capacity: 4 * width) { room in
        guard let pixels = pixels.baseAddress, let room = room.baseAddress else { return }
        func codes(_ component: OutputEncoding.Component, _ y: Int, _ out: UnsafeMutablePointer<Float>) {
          let matrix = [component.matrix.x, component.matrix.y, component.matrix.z]
          cpk_overlay_surface_codes(
            pixels + (y - change.box.y0) * width * 4, matrix, component.scale, component.offset, out, width)
        }
        for target in full {
          for y in area.y0..<area.y1 {
            codes(encoding.components[target.component.index], y, room)
            target.add(room + (area.x0 - change.box.x0), x: area.x0, y: y, count: area.width)
          }
        }
        for target in coarse {
          for y in (area.y0 >> rowShift)..<min((area.y1 + rowShift) >> rowShift, target.height) {
            let rows: [UnsafePointer<Float>?] = (0..<3).map { UnsafePointer(room + $0 * width + 2) }
            for index in 0..<3 where vertical[index] > 0 {
              codes(encoding.components[target.component.index], (y << rowShift) + index - 1, room + index * width)
            }
            // A row with weight 0 is not used; it must only hold finite numbers.
            for index in 0..<3 where vertical[index] == 0 { (room + index * width).update(repeating: 0, count: width) }
            let count = width / 2 - 2
            cpk_overlay_chroma_codes(rows, vertical, horizontal, room + 3 * width, count)
            let x = (change.box.x0 + 2) / 2
            target.add(room + 3 * width, x: x, y: y, count: min(count, target.width - x))
          }
        }
      }
    }
  }
}
