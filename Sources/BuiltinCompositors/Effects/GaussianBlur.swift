import CompositorAPI
import CompositorConversion

/// A Gaussian blur of planar frames, in single precision, each plane on its own grid.
enum GaussianBlur {
  /// - Parameters:
  ///   - sigma: Standard deviation in pixels; values below 0.05 leave the frame unchanged.
  ///   - region: The part to blur, in pixels. Samples outside of it may have any value.
  static func blur(
    _ frame: Frame, sigma: Double, within region: Rect = .infinite, context: RenderContext
  ) throws(CompositorError) -> Frame {
    guard sigma >= 0.05 else { return frame }
    var output = try context.makeFrame()
    for plane in 0..<frame.format.planeCount {
      let isChroma = plane == 1 || plane == 2
      let (h, v) = isChroma ? (frame.format.subsampling.horizontalShift, frame.format.subsampling.verticalShift) : (0, 0)
      let extent = frame.format.planeSize(plane, of: frame.size)
      var x = GaussianAxis(sigma: sigma / Double(1 << h), length: extent.width)
      var y = GaussianAxis(sigma: sigma / Double(1 << v), length: extent.height)
      let columns = x.samples(from: region.minX, to: region.maxX, perPixel: 1 / Double(1 << h))
      let rows = y.samples(from: region.minY, to: region.maxY, perPixel: 1 / Double(1 << v))
      (x, y) = (x.shortened(to: columns.count), y.shortened(to: rows.count))
      let work = GaussianPlane(x: x, y: y, bytesPerSample: frame.format.bytesPerSample)
      var scratch = try ScratchArena.frame(byteCount: work.scratchByteCount, pool: context.pool)
      output.withUnsafeMutablePlanes { output in
        frame.withUnsafePlanes { source in
          scratch.withUnsafeMutablePlanes { scratch in
            work.blur(
              source[plane].part(columns, rows, bytesPerSample: work.bytesPerSample),
              to: output[plane].part(columns, rows, bytesPerSample: work.bytesPerSample), scratch: ScratchArena(scratch[0]))
          }
        }
      }
    }
    return output.freeze()
  }
}

extension Plane {
  fileprivate func part(_ columns: Range<Int>, _ rows: Range<Int>, bytesPerSample: Int) -> Plane {
    Plane(
      base: base + rows.lowerBound * stride + columns.lowerBound * bytesPerSample, stride: stride, width: columns.count,
      height: rows.count)
  }
}

extension MutablePlane {
  fileprivate func part(_ columns: Range<Int>, _ rows: Range<Int>, bytesPerSample: Int) -> MutablePlane {
    MutablePlane(
      base: base + rows.lowerBound * stride + columns.lowerBound * bytesPerSample, stride: stride, width: columns.count,
      height: rows.count)
  }
}
