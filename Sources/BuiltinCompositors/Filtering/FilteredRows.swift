import CompositorAPI
import CompositorKernels

/// Destination rows made by a layer's filter, one strip at a time, until they are mixed in.
struct FilteredRows<T: PlanarSample> {
  private let filter: PlanarFilter<T>
  private let columns: PlanarInterval
  private let codes: UnsafeMutablePointer<T>
  private let stride: Int
  /// The row that ``codes`` begins with is at its index modulo the strip height, so no position has to be kept.
  private var height: Int { PlanarPainter<T>.stripHeight }

  init?(_ plane: Plane, _ geometry: PlanarGeometry, bitDepth: Int, scratch: inout ScratchArena) {
    guard let axes = geometry.uprightFilter else { return nil }
    columns = geometry.columns
    stride = FilteredRows.stride(geometry)
    filter = PlanarFilter(plane, columns: axes.columns, rows: axes.rows, bitDepth: bitDepth, scratch: &scratch)
    codes = scratch.take(PlanarPainter<T>.stripHeight * stride, of: T.self)
  }

  static func scratchByteCount(_ geometry: PlanarGeometry, bitDepth: Int) -> Int {
    guard let axes = geometry.uprightFilter else { return 0 }
    return PlanarFilter<T>.scratchByteCount(columns: axes.columns, rows: axes.rows, bitDepth: bitDepth)
      + ScratchArena.byteCount(PlanarPainter<T>.stripHeight * stride(geometry), of: T.self)
  }

  private static func stride(_ geometry: PlanarGeometry) -> Int { (geometry.columns.count + 63) / 64 * 64 }

  /// Makes rows directly in the destination.
  func make(_ rows: PlanarInterval, into destination: UnsafeMutablePointer<T>, stride: Int, kernels: PlaneKernels) {
    filter.make(rows.low, rows.high, into: destination, stride: stride, kernels: kernels)
  }

  /// Makes rows of one strip, to be mixed in later.
  func make(_ rows: PlanarInterval, kernels: PlaneKernels) {
    filter.make(
      rows.low, rows.high, into: row(rows.low), stride: stride * MemoryLayout<T>.stride, kernels: kernels)
  }

  /// A row made to be mixed in, from the layer's first column on.
  func row(_ y: Int) -> UnsafeMutablePointer<T> { codes + y % height * stride }

  /// Converts samples of a row to floats.
  func widen(_ y: Int, _ columns: PlanarInterval, into samples: UnsafeMutablePointer<Float>, kernels: PlaneKernels) {
    samples.update(repeating: 0, count: columns.count)
    T.accumulate(kernels, samples, row(y) + (columns.low - self.columns.low), count: columns.count, weight: 1)
  }
}
