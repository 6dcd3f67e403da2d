import CCompositorKernels
import CompositorAPI
import CompositorKernels

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A Gaussian on planar frames: rows, then columns, in single precision.
///
/// A wide one works on area means of 2, 4, 8 … samples and interpolates afterwards: both blur by themselves, by a variance of a
/// quarter of a mean's width squared, which the Gaussian between them leaves out. So no more than 81 neighbors are ever summed.
enum GaussianBlur {
  /// Samples of deviation that are blurred directly, so that a wider blur is within a code value of 8 bits of the Gaussian.
  static let exactReach = 10.0

  /// - Parameters:
  ///   - sigma: Standard deviation in pixels; below a twentieth nothing is done.
  ///   - widestDirect: Samples of deviation that are still blurred directly. The error grows as the inverse of its square, the
  ///     cost in proportion.
  static func blur(
    _ frame: Frame, sigma: Double, widestDirect: Double = exactReach, context: RenderContext
  ) throws(CompositorError) -> Frame {
    guard sigma >= 0.05 else { return frame }
    var output = try context.makeFrame()
    for plane in 0..<frame.format.planeCount {
      let isChroma = plane == 1 || plane == 2
      let (h, v) = isChroma ? (frame.format.subsampling.horizontalShift, frame.format.subsampling.verticalShift) : (0, 0)
      let extent = frame.format.planeSize(plane, of: frame.size)
      let work = GaussianPlane(
        x: GaussianAxis(sigma: sigma / Double(1 << h), length: extent.width, widest: widestDirect),
        y: GaussianAxis(sigma: sigma / Double(1 << v), length: extent.height, widest: widestDirect),
        bytesPerSample: frame.format.bytesPerSample)
      var scratch = try ScratchArena.frame(byteCount: work.scratchByteCount, pool: context.pool)
      output.withUnsafeMutablePlanes { output in
        frame.withUnsafePlanes { source in
          scratch.withUnsafeMutablePlanes { scratch in
            work.blur(source[plane], to: output[plane], scratch: ScratchArena(scratch[0]))
          }
        }
      }
    }
    return output.freeze()
  }
}

/// One direction: how far samples are averaged, and the weights of the averages.
struct GaussianAxis {
  /// Samples in a mean: a power of two.
  let factor: Int
  /// Samples, and means that cover them.
  let length: Int, count: Int
  /// Neighbors on each side, and the weights of all of them.
  let reach: Int
  let weights: [Float]
  /// Values that are needed beside the means: one on each side where they are interpolated.
  var border: Int { factor > 1 ? 1 : 0 }

  init(sigma: Double, length: Int, widest: Double) {
    var factor = 1
    while sigma / Double(factor) > widest, factor < length { factor *= 2 }
    self.factor = factor
    self.length = length
    count = (length + factor - 1) / factor
    let reduced = sigma / Double(factor)
    let variance = max(reduced * reduced - (factor > 1 ? 0.25 : 0), 1e-4)
    let reach = min(Int((4 * variance.squareRoot()).rounded(.up)), 4 * max(count, 16))
    let values = (-reach...reach).map { exp(-Double($0 * $0) / (2 * variance)) }
    let sum = values.reduce(0, +)
    self.reach = reach
    weights = values.map { Float($0 / sum) }
  }
}

/// The work on one plane.
struct GaussianPlane {
  let x: GaussianAxis
  let y: GaussianAxis
  /// 1 and 2 for integers, 4 for floats.
  let bytesPerSample: Int

  /// Values in a row that was blurred along itself.
  private var columns: Int { x.count + 2 * x.border }
  private var paddedWidth: Int { x.count * x.factor }

  var scratchByteCount: Int {
    let rows = [
      columns * (y.count + 2), columns * 3, columns, paddedWidth, paddedWidth, x.count + 2 * (x.reach + x.border), x.length,
    ]
    return rows.reduce(0) { $0 + ScratchArena.byteCount($1, of: Float.self) }
  }

  func blur(_ source: Plane, to output: MutablePlane, scratch: ScratchArena) {
    var scratch = scratch
    let rows = scratch.take(columns * (y.count + 2), of: Float.self)
    blurRows(of: source, into: rows, scratch: &scratch)
    // Means from −1 to count; what lies further out is as the border.
    let pointers: [UnsafePointer<Float>?] = (-y.reach - 1...y.count + y.reach).map { index in
      UnsafePointer(rows + (min(max(index, -1), y.count) + 1) * columns)
    }
    let done = scratch.take(columns * 3, of: Float.self)
    let between = scratch.take(columns, of: Float.self)
    let wide = scratch.take(x.length, of: Float.self)
    var ready = -2
    pointers.withUnsafeBufferPointer { pointers in
      func column(_ index: Int) -> UnsafePointer<Float> {
        while ready < index {
          ready += 1
          if let base = pointers.baseAddress {
            cpk_effect_convolve_rows(
              done + (ready + 1) % 3 * columns, base + ready + 1, y.weights, y.weights.count, columns)
          }
        }
        return UnsafePointer(done + (index + 1) % 3 * columns)
      }
      for row in 0..<output.height {
        let place = (Double(row % y.factor) + 0.5) / Double(y.factor) - 0.5
        let cell = row / y.factor
        var values = column(place < 0 ? cell : cell + y.border)
        if y.factor > 1 {
          let upper = place < 0 ? cell - 1 : cell
          cpk_effect_lerp_rows(between, column(upper), column(upper + 1), Float(place < 0 ? 1 + place : place), columns)
          values = UnsafePointer(between)
        }
        if x.factor > 1 {
          cpk_effect_enlarge_row(wide, values, x.factor, x.length)
          values = UnsafePointer(wide)
        }
        store(values, output, row)
      }
    }
  }

  /// Rows averaged and blurred along themselves: that of the top edge, those of the means, that of the bottom edge.
  private func blurRows(of source: Plane, into rows: UnsafeMutablePointer<Float>, scratch: inout ScratchArena) {
    let sum = scratch.take(paddedWidth, of: Float.self)
    let wide = scratch.take(paddedWidth, of: Float.self)
    let padded = scratch.take(x.count + 2 * (x.reach + x.border), of: Float.self)
    for index in -1...y.count {
      let isEdge = index < 0 || index == y.count
      let first = isEdge ? (index < 0 ? 0 : y.length - 1) : index * y.factor
      widen(source, first, into: sum)
      for step in 1..<(isEdge ? 1 : y.factor) {
        widen(source, min(first + step, y.length - 1), into: wide)
        cpk_effect_add_row(sum, wide, paddedWidth)
      }
      if !isEdge, y.factor > 1 { cpk_effect_scale_row(sum, 1 / Float(y.factor), paddedWidth) }
      let side = x.reach + x.border
      let (left, right) = (sum[0], sum[x.length - 1])
      padded.update(repeating: left, count: side)
      cpk_effect_mean_row(padded + side, sum, x.factor, x.count)
      (padded + side + x.count).update(repeating: right, count: side)
      cpk_effect_convolve_row(rows + (index + 1) * columns, padded, x.weights, x.weights.count, columns)
    }
  }

  private func widen(_ source: Plane, _ row: Int, into values: UnsafeMutablePointer<Float>) {
    let from = source.base + row * source.stride
    if bytesPerSample == 4 {
      values.update(from: from.assumingMemoryBound(to: Float.self), count: x.length)
    } else if bytesPerSample == 1 {
      cpk_effect_widen_8(values, from.assumingMemoryBound(to: UInt8.self), x.length)
    } else {
      cpk_effect_widen_16(values, from.assumingMemoryBound(to: UInt16.self), x.length)
    }
    (values + x.length).update(repeating: values[x.length - 1], count: paddedWidth - x.length)
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
