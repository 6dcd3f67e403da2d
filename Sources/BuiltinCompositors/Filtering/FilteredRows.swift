import CompositorAPI
import CompositorConversion
import CompositorKernels

/// Destination rows made by a layer's filter, one strip at a time, until they are mixed in; or all of them, if they were kept
/// from an earlier frame.
struct FilteredRows<T: PlanarSample> {
  /// `nil` for rows that were kept.
  private let filter: PlanarFilter<T>?
  private let columns: PlanarInterval
  private let codes: UnsafeMutablePointer<T>
  /// Samples from row to row of ``codes``.
  private let stride: Int
  /// Rows of ``codes``, which begin with row ``first`` or the same plus a multiple of this.
  private let height, first: Int

  init?(_ plane: Plane, _ geometry: PlanarGeometry, bitDepth: Int, scratch: inout ScratchArena) {
    guard let axes = geometry.uprightFilter else { return nil }
    columns = geometry.columns
    stride = FilteredRows.stride(geometry)
    (height, first) = (PlanarPainter<T>.stripHeight, 0)
    filter = PlanarFilter(plane, columns: axes.columns, rows: axes.rows, bitDepth: bitDepth, scratch: &scratch)
    codes = scratch.take(PlanarPainter<T>.stripHeight * stride, of: T.self)
  }

  /// - Parameter kept: The plane of a frame made by ``frame(of:_:bitDepth:scratch:kernels:)`` for this geometry.
  init(kept: Plane, _ geometry: PlanarGeometry) {
    columns = geometry.columns
    stride = kept.stride / MemoryLayout<T>.stride
    (height, first) = (geometry.rows.count, geometry.rows.low)
    filter = nil
    // Never written: there is no filter.
    codes = UnsafeMutableRawPointer(mutating: kept.base).assumingMemoryBound(to: T.self)
  }

  static func scratchByteCount(_ geometry: PlanarGeometry, bitDepth: Int) -> Int {
    guard let axes = geometry.uprightFilter else { return 0 }
    return PlanarFilter<T>.scratchByteCount(columns: axes.columns, rows: axes.rows, bitDepth: bitDepth)
      + ScratchArena.byteCount(PlanarPainter<T>.stripHeight * stride(geometry), of: T.self)
  }

  private static func stride(_ geometry: PlanarGeometry) -> Int { (geometry.columns.count + 63) / 64 * 64 }

  /// All rows and columns that a layer touches, in a frame of one plane; `nil` if the layer has no upright filter. The frame
  /// isn't from a pool, because it is kept.
  static func frame(
    of plane: Plane, _ geometry: PlanarGeometry, bitDepth: Int, scratch: inout ScratchArena, kernels: PlaneKernels
  ) -> Frame? {
    guard let rows = FilteredRows(plane, geometry, bitDepth: bitDepth, scratch: &scratch) else { return nil }
    // Any format of four bytes holds rows of samples.
    let rowBytes = stride(geometry) * MemoryLayout<T>.stride
    var frame = MutableFrame(format: .rgba, size: PixelSize(width: rowBytes / 4, height: geometry.rows.count))
    frame.withUnsafeMutablePlanes { planes in
      rows.make(
        geometry.rows, into: planes[0].base.assumingMemoryBound(to: T.self), stride: planes[0].stride, kernels: kernels)
    }
    return frame.freeze()
  }

  /// Makes rows directly in the destination.
  func make(_ rows: PlanarInterval, into destination: UnsafeMutablePointer<T>, stride: Int, kernels: PlaneKernels) {
    guard let filter else {
      // Through the caches, because the next layer is mixed in.
      for y in rows.low..<rows.high {
        kernels.copy(
          UnsafeMutableRawPointer(destination) + (y - rows.low) * stride, row(y),
          byteCount: columns.count * MemoryLayout<T>.stride)
      }
      return
    }
    filter.make(rows.low, rows.high, into: destination, stride: stride, kernels: kernels)
  }

  /// Makes rows of one strip, to be mixed in later.
  func make(_ rows: PlanarInterval, kernels: PlaneKernels) {
    filter?.make(
      rows.low, rows.high, into: row(rows.low), stride: stride * MemoryLayout<T>.stride, kernels: kernels)
  }

  /// A row made to be mixed in, from the layer's first column on.
  func row(_ y: Int) -> UnsafeMutablePointer<T> { codes + (y - first) % height * stride }

  /// Converts samples of a row to floats.
  func widen(_ y: Int, _ columns: PlanarInterval, into samples: UnsafeMutablePointer<Float>, kernels: PlaneKernels) {
    samples.update(repeating: 0, count: columns.count)
    T.accumulate(kernels, samples, row(y) + (columns.low - self.columns.low), count: columns.count, weight: 1)
  }
}
