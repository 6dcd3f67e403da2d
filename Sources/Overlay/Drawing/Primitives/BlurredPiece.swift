import CompositorAPI

extension TextUnitRaster.Piece {
  /// The piece with its coverage blurred by a Gaussian.
  ///
  /// - Parameters:
  ///   - radius: The standard deviation in pixels of the layer; 0 or less changes nothing.
  ///   - grid: That of the masks.
  ///   - memory: Provides memory of surfaces.
  func blurred(_ radius: Double, on grid: RasterGrid, in memory: SurfaceMemory) throws(CompositorError) -> TextUnitRaster.Piece
  {
    guard radius > 0 else { return self }
    let sigma = min(radius * abs(grid.matrix.determinant).squareRoot(), 250)
    var result = TextUnitRaster.Piece()
    result.outline = try outline?.blurred(sigma, in: memory)
    for (paint, mask) in fills { result.fills.append((paint, try mask.blurred(sigma, in: memory))) }
    result.picture = try picture?.blurred(sigma, in: memory)
    return result
  }
}

extension PixelBox {
  /// With room for a blur, and an empty margin.
  fileprivate func grown(forBlur sigma: Double) -> PixelBox { grown(by: Int((3 * sigma).rounded(.up)) + 3) }
}

extension Mask {
  fileprivate func blurred(_ sigma: Double, in memory: SurfaceMemory) throws(CompositorError) -> Mask {
    let box = PixelBox(x0: x, y0: y, x1: x + width, y1: y + height).grown(forBlur: sigma)
    var surface = try Surface(box, in: memory)
    for row in 0..<height {
      let first = surface.index(x: x, y: y + row) + 3
      for column in 0..<width { surface.pixels[first + 4 * column] = Float(bytes[row * stride + column]) }
    }
    surface.blur(sigma: sigma)
    var result = Mask(x: box.x0, y: box.y0, width: box.width, height: box.height)
    for row in 1..<box.height - 1 {
      for column in 1..<box.width - 1 {
        let value = surface.pixels[4 * (row * box.width + column) + 3]
        result.bytes[row * result.stride + column] = UInt8(min(max(value.rounded(), 0), 255))
      }
    }
    surface.giveBack()
    return result
  }
}

extension Picture {
  fileprivate func blurred(_ sigma: Double, in memory: SurfaceMemory) throws(CompositorError) -> Picture {
    let box = PixelBox(x0: x, y0: y, x1: x + width, y1: y + height).grown(forBlur: sigma)
    var surface = try Surface(box, in: memory)
    for row in 0..<height {
      let first = surface.index(x: x, y: y + row)
      for part in 0..<4 * width { surface.pixels[first + part] = Float(pixels[4 * row * width + part]) }
    }
    surface.blur(sigma: sigma)
    let blurred = surface.pixels.map { UInt16(min(max($0.rounded(), 0), 65_535)) }
    surface.giveBack()
    return Picture(x: box.x0, y: box.y0, width: box.width, height: box.height, pixels: blurred)
  }
}
