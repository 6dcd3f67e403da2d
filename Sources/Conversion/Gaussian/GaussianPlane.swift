import CCompositorKernels
package import CompositorAPI
import CompositorKernels

/// A Gaussian blur of one plane, in single precision. Edge samples repeat beyond the edges.
///
/// For a wide blur the planes are halved until the deviation is 1.25 … 2.5 samples: reduced by (1, 3, 3, 1) / 8 and enlarged
/// again by the cubic B-spline. Both have known variances (3/4 of a sample before each halving, 1/3 of a sample of the halved
/// plane), which are subtracted from the Gaussian between them; the remaining aliasing is of third order. At most 21
/// neighbors are summed, and the cost falls as the blur gets wider.
package struct GaussianPlane {
  package let x: GaussianAxis
  package let y: GaussianAxis
  /// 1 or 2 for integers, 4 for floats.
  package let bytesPerSample: Int

  package init(x: GaussianAxis, y: GaussianAxis, bytesPerSample: Int) {
    (self.x, self.y, self.bytesPerSample) = (x, y, bytesPerSample)
  }

  private var pyramid: GaussianPyramid { GaussianPyramid(x: x, y: y, bytesPerSample: bytesPerSample) }

  /// The memory that a blur takes from an arena.
  package var scratchByteCount: Int {
    pyramid.scratchByteCount + GaussianRows.scratchByteCount(x: x, y: y)
      + ScratchArena.byteCount(x.length, of: Float.self)
  }

  /// Starts a blur whose rows are read one by one, from top to bottom.
  ///
  /// - Parameter source: What is blurred; it must outlive all reads. If no axis is halved, its rows must not be overwritten meanwhile.
  package func rows(of source: Plane, scratch: inout ScratchArena) -> GaussianRows {
    var pyramid = pyramid
    pyramid.make(source, scratch: &scratch)
    return GaussianRows(pyramid, x: x, y: y, scratch: &scratch)
  }

  /// Blurs a plane into another one.
  package func blur(_ source: Plane, to output: MutablePlane, scratch: ScratchArena) {
    var scratch = scratch
    var rows = rows(of: source, scratch: &scratch)
    let mixed = scratch.take(x.length, of: Float.self)
    for row in 0..<output.height {
      guard y.factor > 1 else {
        rows.blur(row, into: mixed)
        store(mixed, output, row)
        continue
      }
      let parts = rows.parts(ofRow: row)
      store(parts.rows, parts.weights, output, row)
    }
  }

  /// Stores the weighted sum of four rows.
  private func store(
    _ rows: GaussianRows.FourRows, _ weights: UnsafePointer<Float>, _ output: MutablePlane, _ row: Int
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
