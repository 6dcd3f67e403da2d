import CCompositorKernels
import CompositorAPI
import CompositorConversion
import CompositorKernels

/// Applies a separable filter to rows of a plane: first down the columns, then along the rows, one band of rows at a time.
///
/// Samples of up to 12 bits are summed in fixed point, within 0.7 code values of the exact result for up to 10 bits and 1.1 for
/// 12. Deeper samples use single precision.
struct PlanarFilter<T: PlanarSample> {
  private let plane: Plane
  private let columns, rows: FilterAxis
  private let isHalving: Bool
  private let top: Int
  /// Fractional bits kept by sums down the rows.
  private let fractionBits: Int
  /// The source columns to sum; the first is even.
  private let reached: Range<Int>
  private let columnStarts, rowStarts: UnsafeMutablePointer<Int32>
  private let weights: Weights
  /// Sums down the rows: a band of 16-bit integers, or a row of floats.
  private let words: UnsafeMutablePointer<Int16>
  private let sums, means: UnsafeMutablePointer<Float>

  private enum Weights {
    case fixed(columns: UnsafeMutablePointer<Int16>, rows: UnsafeMutablePointer<Int16>)
    /// The weights along the rows are grouped by tap.
    case floating(columns: UnsafeMutablePointer<Float>, rows: UnsafeMutablePointer<Float>)
  }

  /// The number of rows filtered at a time.
  static var bandHeight: Int { 16 }

  init(_ plane: Plane, columns: FilterAxis, rows: FilterAxis, bitDepth: Int, scratch: inout ScratchArena) {
    (self.plane, self.columns, self.rows) = (plane, columns, rows)
    isHalving = columns.isHalving
    top = (1 << bitDepth) - 1
    fractionBits = 14 - bitDepth
    reached = columns.reached
    columnStarts = scratch.take(columns.range.count, of: Int32.self)
    rowStarts = scratch.take(rows.range.count, of: Int32.self)
    let (across, down) = (columns.range.count * columns.taps, rows.range.count * rows.taps)
    if bitDepth <= 12 {
      let fixed = (scratch.take(across, of: Int16.self), scratch.take(down, of: Int16.self))
      columns.fill(starts: columnStarts, from: reached.lowerBound, weights: fixed.0)
      rows.fill(starts: rowStarts, from: 0, weights: fixed.1)
      weights = .fixed(columns: fixed.0, rows: fixed.1)
      words = scratch.take(PlanarFilter.bandHeight * PlanarFilter.stride(reached), of: Int16.self)
      (sums, means) = (scratch.take(0, of: Float.self), scratch.take(0, of: Float.self))
    } else {
      let floating = (scratch.take(across, of: Float.self), scratch.take(down, of: Float.self))
      columns.fill(starts: columnStarts, from: reached.lowerBound, weights: floating.0, byTap: true)
      rows.fill(starts: rowStarts, from: 0, weights: floating.1)
      weights = .floating(columns: floating.0, rows: floating.1)
      words = scratch.take(0, of: Int16.self)
      (sums, means) = (scratch.take(reached.count, of: Float.self), scratch.take(columns.range.count, of: Float.self))
    }
  }

  static func scratchByteCount(columns: FilterAxis, rows: FilterAxis, bitDepth: Int) -> Int {
    let starts =
      ScratchArena.byteCount(columns.range.count, of: Int32.self) + ScratchArena.byteCount(rows.range.count, of: Int32.self)
    let (across, down) = (columns.range.count * columns.taps, rows.range.count * rows.taps)
    guard bitDepth > 12 else {
      return starts + ScratchArena.byteCount(across, of: Int16.self) + ScratchArena.byteCount(down, of: Int16.self)
        + ScratchArena.byteCount(bandHeight * stride(columns.reached), of: Int16.self)
    }
    return starts + ScratchArena.byteCount(across, of: Float.self) + ScratchArena.byteCount(down, of: Float.self)
      + ScratchArena.byteCount(columns.reached.count, of: Float.self)
      + ScratchArena.byteCount(columns.range.count, of: Float.self)
  }

  /// The distance between the rows of a band, in 16-bit values.
  private static func stride(_ reached: Range<Int>) -> Int { (reached.count + 31) / 32 * 32 }

  /// Filters rows `first` ..< `end` of the destination, over all of the filter's columns.
  ///
  /// - Parameter stride: Bytes from row to row of `destination`.
  func make(
    _ first: Int, _ end: Int, into destination: UnsafeMutablePointer<T>, stride: Int, kernels: PlaneKernels
  ) {
    func row(_ y: Int) -> UnsafeMutablePointer<T> {
      (UnsafeMutableRawPointer(destination) + (y - first) * stride).assumingMemoryBound(to: T.self)
    }
    switch weights {
    case .fixed(let across, let down):
      for band in Swift.stride(from: first, to: end, by: PlanarFilter.bandHeight) {
        let count = min(PlanarFilter.bandHeight, end - band)
        for y in band..<band + count { sum(y, down, into: words + (y - band) * PlanarFilter.stride(reached), kernels) }
        let source = cpk_filter_columns(
          src: words, src_stride: PlanarFilter.stride(reached), starts: columnStarts, weights: across, taps: columns.taps,
          shift: Int32(clamping: columns.weightBits + fractionBits), is_halving: isHalving)
        T.filterColumns(kernels, row(band), stride: stride, source, rows: count, count: columns.range.count, top: top)
      }
    case .floating(let across, let down):
      for y in first..<end {
        sum(y, down, kernels)
        kernels.reduce(
          means, sums, count: columns.range.count, start: columnStarts, weights: across, taps: columns.taps)
        T.narrow(kernels, row(y), means, count: columns.range.count, top: top)
      }
    }
  }

  /// The columns within the source. The outermost ones are repeated beyond its edges.
  private var inside: Range<Int> {
    let low = min(max(reached.lowerBound, 0), plane.width - 1)
    return low..<max(low + 1, min(reached.upperBound, plane.width))
  }

  private func sum(
    _ y: Int, _ weights: UnsafeMutablePointer<Int16>, into words: UnsafeMutablePointer<Int16>, _ kernels: PlaneKernels
  ) {
    let (at, inside) = (y - rows.range.lowerBound, inside)
    let source = cpk_filter_rows(
      src: plane.base + inside.lowerBound * MemoryLayout<T>.stride, src_stride: plane.stride, first: rowStarts[at],
      height: Int32(clamping: plane.height), weights: weights + at * rows.taps, taps: rows.taps,
      shift: Int32(clamping: rows.weightBits - fractionBits))
    T.filterRows(kernels, words + (inside.lowerBound - reached.lowerBound), source, count: inside.count)
    repeatEnds(of: words, inside)
  }

  private func sum(_ y: Int, _ weights: UnsafeMutablePointer<Float>, _ kernels: PlaneKernels) {
    let (at, inside) = (y - rows.range.lowerBound, inside)
    let target = sums + (inside.lowerBound - reached.lowerBound)
    target.update(repeating: 0, count: inside.count)
    for tap in 0..<rows.taps {
      let weight = weights[at * rows.taps + tap]
      guard weight != 0 else { continue }
      let row = min(max(Int(rowStarts[at]) + tap, 0), plane.height - 1)
      let source = (plane.base + row * plane.stride).assumingMemoryBound(to: T.self) + inside.lowerBound
      T.accumulate(kernels, target, source, count: inside.count, weight: weight)
    }
    repeatEnds(of: sums, inside)
  }

  private func repeatEnds<Value>(of row: UnsafeMutablePointer<Value>, _ inside: Range<Int>) {
    let (low, high) = (inside.lowerBound - reached.lowerBound, inside.upperBound - reached.lowerBound)
    row.update(repeating: row[low], count: low)
    (row + high).update(repeating: row[high - 1], count: reached.count - high)
  }
}
