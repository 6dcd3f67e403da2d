import CCompositorKernels
import CompositorAPI
import CompositorConversion

extension Surface {
  /// Draws one primitive of a layer.
  ///
  /// - Parameter output: Converts gradients and images to light if the surface is light, and defines their dithering; `nil`
  ///   for neither.
  package mutating func draw(
    _ primitive: Primitive, _ placement: MaskPlacement, opacity: Double, output: OutputEncoding? = nil
  ) {
    let area = placement.box(of: primitive.mask).intersection(box)
    guard !area.isEmpty, opacity > 0, let toLayer = placement.matrix.inverted else { return }
    let (first, step) = (index(x: area.x0, y: area.y0), box.width * 4)
    let strength = UInt16((min(opacity, 1) * 65535).rounded())
    var weights = [UInt16](repeating: 0, count: area.width)
    var colors = [Float](repeating: 0, count: area.width * (output?.light == nil ? 4 : 8))
    primitive.mask.bytes.withUnsafeBufferPointer { bytes in
      pixels.withUnsafeMutableBufferPointer { pixels in
        guard let bytes = bytes.baseAddress, let pixels = pixels.baseAddress else { return }
        for row in 0..<area.height {
          let y = area.y0 + row
          placement.weights(
            of: primitive.mask, bytes, x: area.x0, y: y, count: area.width, opacity: strength, into: &weights)
          primitive.paint.cover(
            pixels + first + row * step, &weights, &colors, toLayer: toLayer, x: area.x0, y: y, count: area.width,
            output: output)
        }
      }
    }
  }
}

extension Paint {
  /// Composites a row over a surface by weights; `colors` has room for one row, or for two if light is blended.
  fileprivate func cover(
    _ row: UnsafeMutablePointer<Float>, _ weights: UnsafePointer<UInt16>, _ colors: UnsafeMutablePointer<Float>,
    toLayer: Projection, x: Int, y: Int, count: Int, output: OutputEncoding?
  ) {
    switch self {
    case .solid(let color):
      let parts = [color.x, color.y, color.z, color.w]
      cpk_overlay_surface_solid(row, weights, parts, count)
    case .gradient(let kind, let table, let toLine):
      var line = toLayer.concatenating(toLine).line(x: x, y: y)
      cpk_overlay_gradient_row(kind, &line, table, colors, count)
      output?.dither(colors, x: x, y: y, count: count)
      output?.light?.decode(colors, count: count, room: colors + 4 * count)
      cpk_overlay_surface_over(row, colors, weights, 1, count)
    case .picture(let picture, let toPixels, let limits):
      let line = toLayer.concatenating(toPixels).line(x: x, y: y)
      picture.pixels.withUnsafeBufferPointer { pixels in
        let source = cpk_overlay_picture(
          pixels: pixels.baseAddress, stride: picture.width * 4, width: Int32(picture.width), height: Int32(picture.height))
        Paint.sample(source, line, limits, colors, count)
      }
      output?.light?.decode(colors, count: count, room: colors + 4 * count)
      cpk_overlay_surface_over(row, colors, weights, 1, count)
    case .frame(let frame, let toPixels, let limits):
      let line = toLayer.concatenating(toPixels).line(x: x, y: y)
      frame.withUnsafePlanes { planes in
        let source = cpk_overlay_picture(
          pixels: planes[0].base.assumingMemoryBound(to: UInt16.self), stride: planes[0].stride / 2,
          width: Int32(frame.size.width), height: Int32(frame.size.height))
        Paint.sample(source, line, limits, colors, count)
      }
      output?.light?.decode(colors, count: count, room: colors + 4 * count)
      cpk_overlay_surface_over(row, colors, weights, 1, count)
    }
  }

  private static func sample(
    _ picture: cpk_overlay_picture, _ line: cpk_overlay_line, _ limits: Rect, _ colors: UnsafeMutablePointer<Float>,
    _ count: Int
  ) {
    var (source, line) = (picture, line)
    withUnsafeTemporaryAllocation(of: Double.self, capacity: 4) { edges in
      for (index, edge) in [limits.minX, limits.minY, limits.maxX, limits.maxY].enumerated() { edges[index] = edge }
      cpk_overlay_picture_row(&source, &line, edges.baseAddress, colors, count)
    }
  }
}

extension OutputEncoding {
  /// Dithers a row of a gradient that starts at a pixel, if gradients are dithered.
  fileprivate func dither(_ colors: UnsafeMutablePointer<Float>, x: Int, y: Int, count: Int) {
    guard let dither else { return }
    cpk_overlay_gradient_dither(
      colors, x, y, Int32(layout.chroma.horizontalShift), Int32(layout.chroma.verticalShift), dither, count)
  }
}
