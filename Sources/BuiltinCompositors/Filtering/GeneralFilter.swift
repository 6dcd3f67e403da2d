import CCompositorKernels
import CompositorAPI
import CompositorConversion

/// A source in the mixing signal through a separable filter: first along each source row as it is read, then down the rows.
/// As many rows are kept as the filter reaches.
///
/// If a source has alpha, overshoot is applied to color and alpha alike, so visible edges get neither dark nor bright
/// outlines.
struct GeneralFilter {
  private let source: SignalReader
  private let rows: SignalRows
  private let columnAxis, rowAxis: FilterAxis
  /// Source columns to read, and the first column that the filter reaches, which may lie outside the source.
  private let inside: Range<Int>
  private let reached: Range<Int>

  init(_ source: SignalReader, rows: SignalRows, columns: FilterAxis, rows rowAxis: FilterAxis) {
    (self.source, self.rows, columnAxis, self.rowAxis) = (source, rows, columns, rowAxis)
    reached = columns.reached
    let width = source.frame.size.width
    let low = min(max(reached.lowerBound, 0), width - 1)
    inside = low..<max(low + 1, min(reached.upperBound, width))
  }

  /// Makes the filtered image: R, G, B, A floats of the axes' size.
  ///
  /// - Parameter isFinal: Whether nothing will be sampled from the image anymore, so alpha must be at most 1.
  /// - Throws: `.framePoolExhausted`.
  func picture(pool: FramePool, isFinal: Bool) throws(CompositorError) -> Frame {
    let size = PixelSize(width: columnAxis.range.count, height: rowAxis.range.count)
    var picture = try pool.makeFrame(format: .rgbaFloat, size: size)
    // A row as read, and one filtered row per tap.
    var kept = try pool.makeFrame(
      format: .rgbaFloat, size: PixelSize(width: max(reached.count, size.width), height: rowAxis.taps + 1))
    let byteCount = GeneralFilter.scratchByteCount(columnAxis, rowAxis)
    var scratch = try ScratchArena.frame(byteCount: byteCount, pool: pool)
    scratch.withUnsafeMutablePlanes { scratch in
      var arena = ScratchArena(scratch[0])
      let weights = Weights(columnAxis, rowAxis, from: reached.lowerBound, &arena)
      picture.withUnsafeMutablePlanes { target in
        kept.withUnsafeMutablePlanes { kept in fill(target[0], kept: kept[0], weights, isFinal: isFinal) }
      }
    }
    return picture.freeze()
  }

  private struct Weights {
    let columnStarts, rowStarts: UnsafeMutablePointer<Int32>
    let columns, rows: UnsafeMutablePointer<Float>
    /// The source row of each kept row; −1 if the slot is empty.
    let numbers: UnsafeMutablePointer<Int>

    init(_ columnAxis: FilterAxis, _ rowAxis: FilterAxis, from first: Int, _ arena: inout ScratchArena) {
      columnStarts = arena.take(columnAxis.range.count, of: Int32.self)
      rowStarts = arena.take(rowAxis.range.count, of: Int32.self)
      columns = arena.take(columnAxis.range.count * columnAxis.taps, of: Float.self)
      rows = arena.take(rowAxis.range.count * rowAxis.taps, of: Float.self)
      numbers = arena.take(rowAxis.taps, of: Int.self)
      columnAxis.fill(starts: columnStarts, from: first, weights: columns)
      rowAxis.fill(starts: rowStarts, from: 0, weights: rows)
      numbers.update(repeating: -1, count: rowAxis.taps)
    }
  }

  private static func scratchByteCount(_ columns: FilterAxis, _ rows: FilterAxis) -> Int {
    [columns, rows].reduce(ScratchArena.byteCount(rows.taps, of: Int.self)) { sum, axis in
      sum + ScratchArena.byteCount(axis.range.count, of: Int32.self)
        + ScratchArena.byteCount(axis.range.count * axis.taps, of: Float.self)
    }
  }

  private func fill(_ target: MutablePlane, kept: MutablePlane, _ weights: Weights, isFinal: Bool) {
    func line(_ plane: MutablePlane, _ row: Int) -> UnsafeMutablePointer<Float> {
      (plane.base + row * plane.stride).assumingMemoryBound(to: Float.self)
    }
    let (taps, height) = (rowAxis.taps, source.frame.size.height)
    for y in 0..<target.height {
      let out = line(target, y)
      out.update(repeating: 0, count: 4 * target.width)
      for tap in 0..<taps {
        let weight = weights.rows[y * taps + tap]
        guard weight != 0 else { continue }
        let number = min(max(Int(weights.rowStarts[y]) + tap, 0), height - 1)
        let place = number % taps
        let row = line(kept, place)
        if weights.numbers[place] != number {
          filter(number, through: line(kept, taps), into: row, weights)
          weights.numbers[place] = number
        }
        cpk_general_accumulate(out, row, weight, 4 * target.width)
      }
      if source.usesAlpha, isFinal { cpk_general_limit_alpha(out, target.width) }
    }
  }

  /// Reads a row of the source and filters it along its columns.
  private func filter(
    _ number: Int, through line: UnsafeMutablePointer<Float>, into row: UnsafeMutablePointer<Float>, _ weights: Weights
  ) {
    source.read(row: number, columns: inside, into: rows)
    let (r, g, b) = rows.components(.layer)
    let alpha = source.usesAlpha ? rows.alpha(.layer) : rows.row(.ones)
    let before = inside.lowerBound - reached.lowerBound
    cpk_general_join(r, g, b, alpha, line + 4 * before, inside.count)
    repeatPixel(line, from: before, to: 0..<before)
    let behind = before + inside.count
    repeatPixel(line, from: behind - 1, to: behind..<reached.count)
    cpk_general_filter(line, weights.columnStarts, weights.columns, columnAxis.taps, row, columnAxis.range.count)
  }

  private func repeatPixel(_ line: UnsafeMutablePointer<Float>, from: Int, to range: Range<Int>) {
    for place in range { (line + 4 * place).update(from: line + 4 * from, count: 4) }
  }
}
