import CompositorAPI

extension OutputEncoding {
  /// Whether the frame keeps alpha and colours that are not multiplied by it: blending must divide.
  package var needsStraightAlpha: Bool { components.count == 4 && attributes.alphaMode == .straight }
}

extension FrameWriter {
  /// Sets every component to 0.
  func clear() {
    for index in 0..<planes.count {
      let plane = planes[index]
      let bytes = plane.width * encoding.format.samplesPerPosition(plane: index) * encoding.format.bytesPerSample
      for y in 0..<plane.height { (plane.base + y * plane.stride).initializeMemory(as: UInt8.self, repeating: 0, count: bytes) }
    }
  }

  /// Makes every pixel transparent, or black where the frame keeps no alpha.
  func fillEmpty() {
    clear()
    guard encoding.components.count < 4 else { return }
    for target in full + coarse {
      let offset = encoding.components[target.index].offset
      for y in 0..<target.height {
        let row = target.base + y * target.stride
        for x in 0..<target.width {
          switch (encoding.format.sample, target.isWide) {
          case (.float, _): row.assumingMemoryBound(to: Float.self)[x * target.step] = offset
          case (.half, _): row.assumingMemoryBound(to: Float16.self)[x * target.step] = Float16(offset)
          case (.unsigned, false): row.assumingMemoryBound(to: UInt8.self)[x * target.step] = UInt8(offset / 256)
          case (.unsigned, true):
            row.assumingMemoryBound(to: UInt16.self)[x * target.step] = UInt16(offset / Float(1 << target.shift))
          }
        }
      }
    }
  }

  /// Writes a surface over an even box in place of what was there, colours divided by their alpha; where `changes` covers
  /// nothing, nothing is written.
  func replace(by surface: Surface, where changes: Surface) {
    recorder?.giveUp()
    let straight = surface.straight
    let taps = encoding.chromaWeights
    for (index, component) in encoding.components.enumerated() {
      let isCoarse = encoding.isSubsampled(component)
      let (columns, rows) =
        isCoarse ? (encoding.format.subsampling.horizontalShift, encoding.format.subsampling.verticalShift) : (0, 0)
      let plane = planes[component.plane]
      for y in (surface.box.y0 >> rows)..<min((surface.box.y1 + rows) >> rows, plane.height) {
        for x in (surface.box.x0 >> columns)..<min((surface.box.x1 + columns) >> columns, plane.width) {
          guard changes.covers(x: x << columns, y: y << rows, width: 1 << columns, height: 1 << rows) else { continue }
          var code: Float = 0
          if isCoarse {
            for tap in taps {
              code += straight.code(component, index, (x << columns) + tap.column, (y << rows) + tap.row) * tap.weight
            }
          } else {
            code = straight.code(component, index, x, y)
          }
          store(code, component, plane, x, y)
        }
      }
    }
  }

  private func store(_ code: Float, _ component: OutputEncoding.Component, _ plane: MutablePlane, _ x: Int, _ y: Int) {
    let row = plane.base + y * plane.stride
    let index = x * component.step + component.sampleOffset
    switch (encoding.format.sample, encoding.format.bytesPerSample) {
    case (.float, _): row.assumingMemoryBound(to: Float.self)[index] = code
    case (.half, _): row.assumingMemoryBound(to: Float16.self)[index] = Float16(code)
    case (.unsigned, 1): row.assumingMemoryBound(to: UInt8.self)[index] = UInt8(min(max(code / 256, 0), 255).rounded())
    case (.unsigned, _):
      let highest = Float(65536 >> encoding.shift) - 1
      row.assumingMemoryBound(to: UInt16.self)[index] = UInt16(
        min(max(code / Float(1 << encoding.shift), 0), highest).rounded())
    }
  }
}

extension Surface {
  /// The same with colours divided by alpha.
  fileprivate var straight: Surface {
    var result = self
    for index in stride(from: 0, to: pixels.count - 3, by: 4) where pixels[index + 3] > 0 {
      for part in 0..<3 { result.pixels[index + part] = pixels[index + part] / pixels[index + 3] }
    }
    return result
  }

  /// The code of a component at a pixel; outside, that of the nearest pixel.
  fileprivate func code(_ component: OutputEncoding.Component, _ index: Int, _ x: Int, _ y: Int) -> Float {
    let at = self.index(x: min(max(x, box.x0), box.x1 - 1), y: min(max(y, box.y0), box.y1 - 1))
    if index == 3 { return pixels[at + 3] * component.offset }
    let rgb = SIMD3(pixels[at], pixels[at + 1], pixels[at + 2])
    return (component.matrix * rgb).sum() * component.scale + component.offset
  }

  fileprivate func covers(x: Int, y: Int, width: Int, height: Int) -> Bool {
    for row in max(y, box.y0)..<max(min(y + height, box.y1), max(y, box.y0)) {
      for column in max(x, box.x0)..<max(min(x + width, box.x1), max(x, box.x0)) where pixels[index(x: column, y: row) + 3] > 0
      {
        return true
      }
    }
    return false
  }

  /// Fills all of it with one colour, premultiplied.
  mutating func fill(_ color: SIMD4<Float>) {
    for index in stride(from: 0, to: pixels.count - 3, by: 4) {
      for part in 0..<4 { pixels[index + part] = color[part] }
    }
  }
}
