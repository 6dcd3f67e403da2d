import CCompositorKernels
import CompositorAPI
import CompositorConversion

/// A source in the mixing signal, reduced to about the size it is shown at: what resampled layers read from.
///
/// Only the part that is seen is made. Reduced sample `i` of an axis is the exact mean over [i · w/w′, (i + 1) · w/w′).
struct GeneralReduction {
  /// The reduced part: R, G, B, A floats.
  let picture: Frame
  /// Reduced columns and rows before the first of `picture`.
  let origin: (x: Int, y: Int)
  /// Source samples in a reduced one: w/w′ and h/h′.
  let ratio: (x: Double, y: Double)

  /// Makes the part of a source that a placement looks at; nil where it looks at nothing.
  static func make(
    _ source: SignalReader, placement: GeneralPlacement, context: RenderContext, rows: SignalRows
  ) throws(CompositorError) -> GeneralReduction? {
    guard let visible = placement.visibleSource(outputSize: context.size) else { return nil }
    let size = source.frame.size
    let x = ReducedAxis(count: size.width, footprint: placement.footprint.x, visible: visible.columns)
    let y = ReducedAxis(count: size.height, footprint: placement.footprint.y, visible: visible.rows)
    guard !x.part.isEmpty, !y.part.isEmpty else { return nil }
    var frame = try context.pool.makeFrame(
      format: .rgbaFloat, size: PixelSize(width: x.part.count, height: y.part.count))
    frame.withUnsafeMutablePlanes { planes in
      let target = planes[0]
      var reader = Reader(source: source, rows: rows, columns: x.sourceRange(of: x.part))
      for row in y.part {
        let out = (target.base + (row - y.part.lowerBound) * target.stride).assumingMemoryBound(to: Float.self)
        reader.sum(y.interval(row), ratio: y.ratio)
        reader.write(x, into: out)
      }
    }
    return GeneralReduction(
      picture: frame.freeze(), origin: (x.part.lowerBound, y.part.lowerBound), ratio: (x.ratio, y.ratio))
  }

  /// Samples columns of an output row into the `layer` rows.
  ///
  /// - Parameter offset: How far the layer is moved on the output.
  func sample(
    _ placement: GeneralPlacement, columns: Range<Int>, row: Int, movedBy offset: Point = .zero, into rows: SignalRows
  ) {
    let start = placement.inverse.apply(
      to: Point(x: Double(columns.lowerBound) + 0.5 - offset.x, y: Double(row) + 0.5 - offset.y))
    picture.withUnsafePlanes { planes in
      let plane = planes[0]
      let picture = cpk_general_picture(
        base: plane.base.assumingMemoryBound(to: Float.self), stride: plane.stride / MemoryLayout<Float>.stride,
        width: plane.width, height: plane.height)
      cpk_general_bilinear(
        picture, start.x / ratio.x - 0.5 - Double(origin.x), start.y / ratio.y - 0.5 - Double(origin.y),
        placement.inverse.a / ratio.x, placement.inverse.b / ratio.y, rows.row(.layer),
        rows.row(.layer, 1), rows.row(.layer, 2), rows.alpha(.layer), columns.count)
    }
  }
}

/// One axis of a reduction.
struct ReducedAxis {
  /// Samples of the source.
  let count: Int
  /// Source samples in a reduced one, ≥ 1.
  let ratio: Double
  /// The reduced samples that are needed.
  let part: Range<Int>

  /// - Parameters:
  ///   - footprint: Source samples under an output sample.
  ///   - visible: Source samples that are looked at; may reach outside.
  init(count: Int, footprint: Double, visible: Range<Int>) {
    self.count = count
    let reduced = footprint > 1 ? max(1, Int((Double(count) / footprint).rounded())) : count
    ratio = Double(count) / Double(reduced)
    let low = Int((Double(max(visible.lowerBound, 0)) / ratio).rounded(.down)) - 1
    let high = Int((Double(min(max(visible.upperBound, 0), count)) / ratio).rounded(.up)) + 1
    let start = min(max(low, 0), reduced - 1)
    part = start..<max(start + 1, min(max(high, 0), reduced))
  }

  /// Where a reduced sample begins and ends in the source.
  func interval(_ index: Int) -> ClosedRange<Double> { Double(index) * ratio...Double(index + 1) * ratio }

  /// Source samples that a range of reduced ones is made of.
  func sourceRange(of part: Range<Int>) -> Range<Int> {
    let low = Int((Double(part.lowerBound) * ratio).rounded(.down))
    let high = Int((Double(part.upperBound) * ratio).rounded(.up))
    return min(low, count - 1)..<min(max(high, low + 1), count)
  }
}

extension GeneralReduction {
  /// Reads source rows one after another and sums them.
  private struct Reader {
    let source: SignalReader
    let rows: SignalRows
    let columns: Range<Int>
    private var current = -1
    private var isSummed = false

    init(source: SignalReader, rows: SignalRows, columns: Range<Int>) {
      (self.source, self.rows, self.columns) = (source, rows, columns)
    }

    private var planeCount: Int { source.usesAlpha ? 4 : 3 }

    private mutating func read(_ row: Int) {
      // The last row of one interval is often the first of the next.
      guard row != current else { return }
      source.read(row: row, columns: columns, into: rows)
      current = row
    }

    /// The mean of the rows in an interval; a single whole row stays where it was read.
    mutating func sum(_ interval: ClosedRange<Double>, ratio: Double) {
      let first = min(Int(interval.lowerBound), source.frame.size.height - 1)
      isSummed = ratio != 1
      guard isSummed else { return read(first) }
      for plane in 0..<planeCount { rows.row(.sums, plane).update(repeating: 0, count: columns.count) }
      let last = min(Int(interval.upperBound.rounded(.up)), source.frame.size.height)
      for row in first..<max(last, first + 1) {
        let share = min(interval.upperBound, Double(row + 1)) - max(interval.lowerBound, Double(row))
        guard share > 0 else { continue }
        read(row)
        for plane in 0..<planeCount {
          cpk_general_accumulate(rows.row(.sums, plane), rows.row(.layer, plane), Float(share / ratio), columns.count)
        }
      }
    }

    /// Reduces along the columns and interleaves into a row of the picture.
    func write(_ axis: ReducedAxis, into out: UnsafeMutablePointer<Float>) {
      let from: SignalRows.Use = isSummed ? .sums : .layer
      let (r, g, b) = rows.components(from)
      let alpha = source.usesAlpha ? rows.alpha(from) : nil
      guard axis.ratio == 1 else {
        return cpk_general_reduce(
          r, g, b, alpha, columns.count, columns.lowerBound, axis.ratio, axis.part.lowerBound, out, axis.part.count)
      }
      let skipped = axis.part.lowerBound - columns.lowerBound
      let coverage = alpha.map { $0 + skipped } ?? rows.row(.ones)
      cpk_general_join(r + skipped, g + skipped, b + skipped, coverage, out, axis.part.count)
    }
  }
}
