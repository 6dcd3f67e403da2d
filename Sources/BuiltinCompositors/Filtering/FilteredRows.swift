import CompositorAPI
import CompositorKernels

/// Rows of the destination that a layer's filter has made, a strip of them at a time, until they are mixed in.
struct FilteredRows<T: PlanarSample> {
  private let filter: PlanarFilter<T>
  private let columns: PlanarInterval
  private let codes: UnsafeMutablePointer<T>
  private let stride: Int
  /// The row that ``codes`` begins with stands at its number modulo the height of a strip, so that nothing has to be remembered.
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

  /// Makes rows where they belong.
  func make(_ rows: PlanarInterval, into destination: UnsafeMutablePointer<T>, stride: Int, kernels: PlaneKernels) {
    filter.make(rows.low, rows.high, into: destination, stride: stride, kernels: kernels)
  }

  /// Makes rows to be mixed in: of one strip.
  func make(_ rows: PlanarInterval, kernels: PlaneKernels) {
    filter.make(
      rows.low, rows.high, into: row(rows.low), stride: stride * MemoryLayout<T>.stride, kernels: kernels)
  }

  /// A row that was made to be mixed in, from the layer's first column on.
  func row(_ y: Int) -> UnsafeMutablePointer<T> { codes + y % height * stride }

  /// Samples of a row as floats.
  func widen(_ y: Int, _ columns: PlanarInterval, into samples: UnsafeMutablePointer<Float>, kernels: PlaneKernels) {
    samples.update(repeating: 0, count: columns.count)
    T.accumulate(kernels, samples, row(y) + (columns.low - self.columns.low), count: columns.count, weight: 1)
  }
}
