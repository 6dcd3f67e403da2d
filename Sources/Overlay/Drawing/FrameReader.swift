import CCompositorKernels
package import CompositorAPI

/// Reads boxes of a frame as R, G, B, A: what blend modes and video layers need. Chroma is interpolated by its siting.
package struct FrameReader {
  private let planes: Planes
  private let encoding: OutputEncoding
  private let size: PixelSize
  /// To R, G, B, by rows.
  private let matrix: [Float]
  private let quantization: [Quantization]

  /// - Throws: `.conversionNotPossible` where the matrix is not known.
  package init(_ planes: Planes, _ encoding: OutputEncoding, size: PixelSize) throws(CompositorError) {
    let color = encoding.attributes.color
    guard let toRGB = encoding.format.isRGB ? Matrix3.identity : color.matrix.yCbCrToRGB else {
      throw CompositorError(
        .conversionNotPossible, "A frame with matrix \(color.matrix.rawValue) (H.273) cannot be read as R, G, B.",
        recoverySuggestion: "Name the source's colour.")
    }
    self.planes = planes
    self.encoding = encoding
    self.size = size
    let rows = [toRGB.rows.0, toRGB.rows.1, toRGB.rows.2]
    matrix = rows.flatMap { [Float($0.x), Float($0.y), Float($0.z)] }
    quantization = encoding.format.quantization(color: color)
  }

  /// The box as a surface, opaque unless the format keeps alpha.
  package func surface(_ box: PixelBox) throws(CompositorError) -> Surface {
    var surface = try Surface(box.intersection(PixelBox(size)))
    let area = surface.box
    surface.pixels.withUnsafeMutableBufferPointer { pixels in
      guard let pixels = pixels.baseAddress else { return }
      forEachRow(of: area) { y, row in (pixels + (y - area.y0) * area.width * 4).update(from: row, count: area.width * 4) }
    }
    return surface
  }

  /// The whole frame as a picture of 16 bits; values outside 0 … 1 are cut off.
  package func picture() -> Picture {
    var pixels = [UInt16](repeating: 0, count: size.width * size.height * 4)
    pixels.withUnsafeMutableBufferPointer { pixels in
      guard let pixels = pixels.baseAddress else { return }
      forEachRow(of: PixelBox(size)) { y, row in
        cpk_overlay_pack_signal(row, pixels + y * size.width * 4, size.width * 4)
      }
    }
    return Picture(x: 0, y: 0, width: size.width, height: size.height, pixels: pixels)
  }

  /// Lends the rows of a box that lies inside the frame, one after another.
  package func forEachRow(of area: PixelBox, _ body: (Int, UnsafePointer<Float>) -> Void) {
    guard !area.isEmpty else { return }
    // Four components and two rows of chroma, each from an even column on and with room for a neighbour at either end.
    let length = area.width + 8
    withUnsafeTemporaryAllocation(of: Float.self, capacity: 10 * length) { room in
      guard let room = room.baseAddress else { return }
      room.initialize(repeating: 1, count: 10 * length)
      let lead = area.x0 & 1
      let parts: [UnsafePointer<Float>?] = (0..<4).map { UnsafePointer(room + $0 * length + lead) }
      let (coarse, row) = (room + 4 * length, room + 6 * length)
      for y in area.y0..<area.y1 {
        for index in encoding.components.indices { read(index, y, area, into: room + index * length, coarse, length) }
        cpk_overlay_surface_from_components(parts, matrix, encoding.attributes.alphaMode == .straight, row, area.width)
        body(y, row)
      }
    }
  }

  /// Nominal values of one component of a row, from an even column on.
  private func read(
    _ index: Int, _ y: Int, _ area: PixelBox, into row: UnsafeMutablePointer<Float>, _ coarse: UnsafeMutablePointer<Float>,
    _ length: Int
  ) {
    let component = encoding.components[index]
    let (first, count) = (area.x0 & ~1, area.width + (area.x0 & 1))
    guard encoding.isSubsampled(component) else {
      load(index, y, first, count, into: row)
      return
    }
    let location = encoding.attributes.color.chromaLocation
    let plane = planes[component.plane]
    let isHalfHigh = encoding.format.subsampling.verticalShift == 1
    let place = isHalfHigh ? max((Double(y) - location.verticalOffset) / 2, 0) : Double(y)
    let y0 = min(Int(place), plane.height - 1)
    let share = Float(place - place.rounded(.down))
    let (start, pairs) = (first / 2, (count + 1) / 2)
    let (top, bottom) = (coarse + 1, coarse + length + 1)
    loadWithNeighbours(index, y0, start, pairs, into: top)
    if share > 0, y0 + 1 < plane.height {
      loadWithNeighbours(index, y0 + 1, start, pairs, into: bottom)
      cpk_overlay_mean_rows(top - 1, bottom - 1, share, top - 1, pairs + 2)
    }
    // Left-sited chroma stands on even columns, centred chroma half a column to their right.
    let isLeft = location.horizontalOffset == 0
    cpk_overlay_double_row(top, isLeft ? [0, 1, 0] : [0.25, 0.75, 0], isLeft ? [0, 0.5, 0.5] : [0, 0.75, 0.25], row, pairs)
  }

  /// Samples of subsampled chroma with one more at either end; the edge is repeated outside.
  private func loadWithNeighbours(_ index: Int, _ y: Int, _ start: Int, _ count: Int, into row: UnsafeMutablePointer<Float>) {
    let width = planes[encoding.components[index].plane].width
    let from = max(start - 1, 0)
    let to = min(start + count + 1, width)
    load(index, y, from, to - from, into: row + (from - start))
    if start == 0 { row[-1] = row[0] }
    for x in to - start..<max(count + 1, to - start) { row[x] = row[to - start - 1] }
  }

  private func load(_ index: Int, _ y: Int, _ first: Int, _ count: Int, into out: UnsafeMutablePointer<Float>) {
    let component = encoding.components[index]
    let plane = planes[component.plane]
    let base = plane.base + y * plane.stride
    let start = first * component.step + component.sampleOffset
    let (offset, scale) = (Float(quantization[index].offset), Float(1 / quantization[index].scale))
    switch (encoding.format.sample, encoding.format.bytesPerSample) {
    case (.unsigned, 1):
      cpk_overlay_read_8(base.assumingMemoryBound(to: UInt8.self) + start, component.step, offset, scale, out, count)
    case (.unsigned, _):
      cpk_overlay_read_16(
        base.assumingMemoryBound(to: UInt16.self) + start, component.step, Int32(encoding.format.lowPadding), offset, scale,
        out,
        count)
    case (.half, _):
      let row = base.assumingMemoryBound(to: Float16.self) + start
      for x in 0..<count { out[x] = (Float(row[x * component.step]) - offset) * scale }
    case (.float, _):
      let row = base.assumingMemoryBound(to: Float.self) + start
      for x in 0..<count { out[x] = (row[x * component.step] - offset) * scale }
    }
  }
}
