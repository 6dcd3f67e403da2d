import CCompositorKernels
import CompositorAPI
import CompositorKernels

/// A Gaussian blur of planar frames, in single precision, each plane on its own grid.
///
/// For a wide blur the planes are halved until the deviation is 1.25 … 2.5 samples: reduced by (1, 3, 3, 1) / 8 and enlarged
/// again by the cubic B-spline. Both have known variances (3/4 of a sample before each halving, 1/3 of a sample of the halved
/// plane), which are subtracted from the Gaussian between them; the remaining aliasing is of third order. At most 21
/// neighbors are summed, and the cost falls as the blur gets wider.
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

/// One blurred plane. Edge samples repeat beyond the edges.
struct GaussianPlane {
  let x: GaussianAxis
  let y: GaussianAxis
  /// 1 or 2 for integers, 4 for floats.
  let bytesPerSample: Int

  private var pyramid: GaussianPyramid { GaussianPyramid(x: x, y: y, bytesPerSample: bytesPerSample) }

  var scratchByteCount: Int {
    pyramid.scratchByteCount + GaussianRows.scratchByteCount(x: x, y: y)
      + ScratchArena.byteCount(x.length, of: Float.self)
  }

  func blur(_ source: Plane, to output: MutablePlane, scratch: ScratchArena) {
    var scratch = scratch
    var pyramid = pyramid
    pyramid.make(source, scratch: &scratch)
    var rows = GaussianRows(pyramid, x: x, y: y, scratch: &scratch)
    let mixed = scratch.take(x.length, of: Float.self)
    for row in 0..<output.height {
      guard y.factor > 1 else {
        rows.blur(row, into: mixed)
        store(mixed, output, row)
        continue
      }
      // The four rows of the halved plane that contribute splines to this row.
      let (cell, phase) = (row / y.factor, row % y.factor)
      let first = 2 * phase < y.factor ? 0 : 1
      let top = cell - 2 + first
      let four = (rows.row(top), rows.row(top + 1), rows.row(top + 2), rows.row(top + 3))
      store(four, rows.splines(ofRow: phase, from: first), output, row)
    }
  }

  /// Stores the weighted sum of four rows.
  private func store(
    _ rows: (UnsafePointer<Float>, UnsafePointer<Float>, UnsafePointer<Float>, UnsafePointer<Float>),
    _ weights: UnsafePointer<Float>, _ output: MutablePlane, _ row: Int
  ) {
    let (a, b, c, d) = rows
    let to = output.base + row * output.stride
    if bytesPerSample == 4 {
      cpk_effect_spline_rows(to.assumingMemoryBound(to: Float.self), a, b, c, d, weights, x.length)
    } else if bytesPerSample == 1 {
      cpk_effect_spline_rows_8(to.assumingMemoryBound(to: UInt8.self), a, b, c, d, weights, x.length)
    } else {
      cpk_effect_spline_rows_16(to.assumingMemoryBound(to: UInt16.self), a, b, c, d, weights, x.length)
    }
  }

  private func store(_ values: UnsafePointer<Float>, _ output: MutablePlane, _ row: Int) {
    let to = output.base + row * output.stride
    if bytesPerSample == 4 {
      to.assumingMemoryBound(to: Float.self).update(from: values, count: x.length)
    } else if bytesPerSample == 1 {
      PlaneKernels.fastest.narrow(to.assumingMemoryBound(to: UInt8.self), values, count: x.length)
    } else {
      PlaneKernels.fastest.narrow(to.assumingMemoryBound(to: UInt16.self), values, count: x.length)
    }
  }
}
