import CompositorAPI
import CompositorConversion

extension OutputEncoding {
  /// Whether the frame has straight alpha, so that blending must divide.
  package var needsStraightAlpha: Bool { components.count == 4 && attributes.alphaMode == .straight }
}

extension FrameWriter {
  /// Makes every pixel transparent, or black if the frame has no alpha.
  func fillEmpty() {
    planes.clear(encoding.format)
    guard encoding.components.count < 4 else { return }
    let zeros = [Float](repeating: 0, count: canvas.width)
    for target in full + coarse {
      for y in 0..<target.height { target.write(zeros, y: y, count: target.width) }
    }
  }

  /// Overwrites an even box with a surface, converted to straight alpha. Nothing is written where `changes` has no coverage.
  func replace(by surface: Surface, where changes: Surface) {
    recorder?.giveUp()
    let straight = surface.straight
    let taps = encoding.chromaWeights
    let siting = encoding.layout.chroma
    withUnsafeTemporaryAllocation(of: Float.self, capacity: surface.box.width) { codes in
      guard let codes = codes.baseAddress else { return }
      for target in full + coarse {
        let isCoarse = target.component.isSubsampled
        let (columns, rows) = isCoarse ? (siting.horizontalShift, siting.verticalShift) : (0, 0)
        let component = encoding.components[target.component.index]
        func code(_ x: Int, _ y: Int) -> Float {
          let index = target.component.index
          guard isCoarse else { return straight.code(component, index, x, y) }
          return taps.reduce(0) { sum, tap in
            sum + straight.code(component, index, (x << columns) + tap.column, (y << rows) + tap.row) * tap.weight
          }
        }
        let x0 = surface.box.x0 >> columns
        let x1 = min((surface.box.x1 + columns) >> columns, target.width)
        for y in (surface.box.y0 >> rows)..<min((surface.box.y1 + rows) >> rows, target.height) {
          var start = x0
          for x in x0...x1 {
            if x < x1, changes.covers(x: x << columns, y: y << rows, width: 1 << columns, height: 1 << rows) {
              codes[x - x0] = code(x, y)
            } else {
              if start < x { target.write(codes: codes + (start - x0), x: start, y: y, count: x - start) }
              start = x + 1
            }
          }
        }
      }
    }
  }
}

extension Surface {
  /// The surface with straight alpha.
  fileprivate var straight: Surface {
    var result = self
    for index in stride(from: 0, to: pixels.count - 3, by: 4) where pixels[index + 3] > 0 {
      for part in 0..<3 { result.pixels[index + part] = pixels[index + part] / pixels[index + 3] }
    }
    return result
  }

  /// The code of a component at a pixel; outside the frame, that of the nearest pixel.
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

  /// Fills the surface with a premultiplied color.
  mutating func fill(_ color: SIMD4<Float>) {
    for index in stride(from: 0, to: pixels.count - 3, by: 4) {
      for part in 0..<4 { pixels[index + part] = color[part] }
    }
  }
}
