package import CompositorAPI

/// Reads a box of a frame as a surface: what blend modes and video layers need. Chroma is interpolated by its siting.
package struct FrameReader {
  private let planes: Planes
  private let encoding: OutputEncoding
  private let size: PixelSize
  private let toRGB: Matrix3
  private let quantization: [Quantization]

  /// - Throws: `.conversionNotPossible` where the matrix is not known.
  package init(_ planes: Planes, _ encoding: OutputEncoding, size: PixelSize) throws(CompositorError) {
    let color = encoding.attributes.color
    guard let matrix = encoding.format.isRGB ? Matrix3.identity : color.matrix.yCbCrToRGB else {
      throw CompositorError(
        .conversionNotPossible, "A frame with matrix \(color.matrix.rawValue) (H.273) cannot be read as R, G, B.",
        remedy: "Name the source's colour.")
    }
    self.planes = planes
    self.encoding = encoding
    self.size = size
    toRGB = matrix
    quantization = encoding.format.quantization(color: color)
  }

  /// The box as a surface, opaque unless the format keeps alpha.
  package func surface(_ box: PixelBox) throws(CompositorError) -> Surface {
    var surface = try Surface(box.intersection(PixelBox(size)))
    let area = surface.box
    var rows = [[Float]](repeating: [Float](repeating: 1, count: area.width), count: 4)
    for y in area.y0..<max(area.y1, area.y0) {
      for index in encoding.components.indices { read(index, y, area, into: &rows[index]) }
      let start = surface.index(x: area.x0, y: y)
      for x in 0..<area.width {
        var rgb = toRGB * SIMD3(Double(rows[0][x]), Double(rows[1][x]), Double(rows[2][x]))
        let alpha = rows[3][x]
        if encoding.attributes.alphaMode == .straight { rgb *= Double(alpha) }
        for part in 0..<3 { surface.pixels[start + 4 * x + part] = Float(rgb[part]) }
        surface.pixels[start + 4 * x + 3] = alpha
      }
    }
    return surface
  }

  /// Nominal values of one component of a row.
  private func read(_ index: Int, _ y: Int, _ area: PixelBox, into row: inout [Float]) {
    let component = encoding.components[index]
    let plane = planes[component.plane]
    let isCoarse = encoding.isSubsampled(component)
    let location = encoding.attributes.color.chromaLocation
    let (shiftX, shiftY) =
      isCoarse ? (encoding.format.subsampling.horizontalShift, encoding.format.subsampling.verticalShift) : (0, 0)
    let (offsetX, offsetY) = (shiftX > 0 ? location.horizontalOffset : 0, shiftY > 0 ? location.verticalOffset : 0)
    let (scale, offset) = (Float(1 / quantization[index].scale), Float(quantization[index].offset))
    let place = max((Double(y) - offsetY) / Double(1 << shiftY), 0)
    let (y0, fy) = (min(Int(place), plane.height - 1), Float(place - place.rounded(.down)))
    let y1 = min(y0 + 1, plane.height - 1)
    for x in 0..<area.width {
      let across = max((Double(area.x0 + x) - offsetX) / Double(1 << shiftX), 0)
      let (x0, fx) = (min(Int(across), plane.width - 1), Float(across - across.rounded(.down)))
      let x1 = min(x0 + 1, plane.width - 1)
      var code = sample(plane, component, x0, y0)
      if fx > 0 || fy > 0 {
        let top = code + (sample(plane, component, x1, y0) - code) * fx
        let left = sample(plane, component, x0, y1)
        let bottom = left + (sample(plane, component, x1, y1) - left) * fx
        code = top + (bottom - top) * fy
      }
      row[x] = (code - offset) * scale
    }
  }

  private func sample(_ plane: Plane, _ component: OutputEncoding.Component, _ x: Int, _ y: Int) -> Float {
    let row = plane.base + y * plane.stride
    let index = x * component.step + component.sampleOffset
    switch (encoding.format.sample, encoding.format.bytesPerSample) {
    case (.float, _): return row.assumingMemoryBound(to: Float.self)[index]
    case (.half, _): return Float(row.assumingMemoryBound(to: Float16.self)[index])
    case (.unsigned, 1): return Float(row.assumingMemoryBound(to: UInt8.self)[index])
    case (.unsigned, _): return Float(row.assumingMemoryBound(to: UInt16.self)[index] >> UInt16(encoding.format.lowPadding))
    }
  }
}

extension Surface {
  /// The surface as a picture with 16 bits a component; values outside 0 … 1 are cut off.
  package var picture: Picture {
    Picture(
      x: box.x0, y: box.y0, width: box.width, height: box.height,
      pixels: pixels.map { UInt16(min(max($0, 0), 1) * 65535 + 0.5) })
  }

  /// What must be added to another surface of the same box to make it this one.
  package func difference(from other: Surface) -> Surface {
    var result = self
    for index in result.pixels.indices { result.pixels[index] -= other.pixels[index] }
    return result
  }
}
