import CCompositorKernels
import CompositorAPI
import CompositorConversion

/// A source in the mixing signal, reduced to about the size it is shown at; resampled layers read from it.
///
/// Only the visible part is made. Reduced sample `i` of an axis is the exact mean over [i · w/w′, (i + 1) · w/w′).
struct GeneralReduction {
  /// The reduced part: R, G, B, A floats.
  let picture: Frame
  /// Reduced columns and rows before the first of `picture`.
  let origin: (x: Int, y: Int)
  /// Source samples per reduced sample: w/w′ and h/h′.
  let ratio: (x: Double, y: Double)
  /// Whether the samples are already the output's, from output column and row `origin` on.
  private(set) var isPlaced = false
  /// Whether it is sampled with six by six neighbors.
  private(set) var isWide = false

  /// Makes the part of a source that a placement reads; `nil` if it reads nothing.
  static func make(
    _ source: SignalReader, placement: GeneralPlacement, context: RenderContext, rows: SignalRows
  ) throws(CompositorError) -> GeneralReduction? {
    if let filter = placement.filter, placement.isUpright {
      return try placed(source, placement: placement, filter: filter, context: context, rows: rows)
    }
    guard let visible = placement.visibleSource(outputSize: context.size) else { return nil }
    let size = source.frame.size
    let x = ReducedAxis(count: size.width, footprint: placement.footprint.x, visible: visible.columns)
    let y = ReducedAxis(count: size.height, footprint: placement.footprint.y, visible: visible.rows)
    guard !x.part.isEmpty, !y.part.isEmpty else { return nil }
    if let filter = placement.filter {
      func axis(_ axis: ReducedAxis) -> FilterAxis {
        FilterAxis(
          filter.kernel(footprint: axis.ratio), origin: axis.ratio / 2 - 0.5, step: axis.ratio, footprint: axis.ratio,
          range: axis.part, sourceCount: axis.count)
      }
      let picture = try GeneralFilter(source, rows: rows, columns: axis(x), rows: axis(y)).picture(
        pool: context.pool, isFinal: false)
      var reduction = GeneralReduction(
        picture: picture, origin: (x.part.lowerBound, y.part.lowerBound), ratio: (x.ratio, y.ratio))
      reduction.isWide = true
      return reduction
    }
    return try reduced(source, x, y, context: context, rows: rows)
  }

  /// Makes the part of a source that any of several placements reads by area means and bilinear interpolation, as fine as the one that
  /// enlarges it most needs; `nil` if they read nothing.
  static func shared(
    _ source: SignalReader, placements: [GeneralPlacement], context: RenderContext, rows: SignalRows
  ) throws(CompositorError) -> GeneralReduction? {
    let visible = placements.compactMap { $0.visibleSource(outputSize: context.size) }
    guard let first = visible.first else { return nil }
    func joined(_ range: (Range<Int>, Range<Int>), _ other: (Range<Int>, Range<Int>)) -> (Range<Int>, Range<Int>) {
      (
        min(range.0.lowerBound, other.0.lowerBound)..<max(range.0.upperBound, other.0.upperBound),
        min(range.1.lowerBound, other.1.lowerBound)..<max(range.1.upperBound, other.1.upperBound)
      )
    }
    let read = visible.reduce((first.columns, first.rows)) { joined($0, ($1.columns, $1.rows)) }
    let size = source.frame.size
    let x = ReducedAxis(count: size.width, footprint: placements.map(\.footprint.x).min() ?? 1, visible: read.0)
    let y = ReducedAxis(count: size.height, footprint: placements.map(\.footprint.y).min() ?? 1, visible: read.1)
    guard !x.part.isEmpty, !y.part.isEmpty else { return nil }
    return try reduced(source, x, y, context: context, rows: rows)
  }

  /// Means over the source samples of each reduced one.
  private static func reduced(
    _ source: SignalReader, _ x: ReducedAxis, _ y: ReducedAxis, context: RenderContext, rows: SignalRows
  ) throws(CompositorError) -> GeneralReduction {
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

  /// The part of the output that an upright layer covers, filtered straight to its samples; `nil` if it covers nothing.
  private static func placed(
    _ source: SignalReader, placement: GeneralPlacement, filter: LayerFilter, context: RenderContext, rows: SignalRows
  ) throws(CompositorError) -> GeneralReduction? {
    guard let box = placement.covered(outputSize: context.size) else { return nil }
    let (inverse, footprint, size) = (placement.inverse, placement.footprint, source.frame.size)
    let first = placement.source(column: 0, row: 0)
    let columns = FilterAxis(
      filter.kernel(footprint: footprint.x), origin: settled(first.x - 0.5), step: inverse.a, footprint: footprint.x,
      range: box.columns, sourceCount: size.width)
    let lines = FilterAxis(
      filter.kernel(footprint: footprint.y), origin: settled(first.y - 0.5), step: inverse.d, footprint: footprint.y,
      range: box.rows, sourceCount: size.height)
    let picture = try GeneralFilter(source, rows: rows, columns: columns, rows: lines).picture(
      pool: context.pool, isFinal: true)
    var reduction = GeneralReduction(
      picture: picture, origin: (box.columns.lowerBound, box.rows.lowerBound), ratio: (1, 1))
    reduction.isPlaced = true
    return reduction
  }

  /// Snaps near-integers to integers, although the transform was computed in doubles.
  private static func settled(_ position: Double) -> Double {
    abs(position - position.rounded()) < 1e-7 ? position.rounded() : position
  }

  /// Samples columns of an output row into the `layer` rows.
  ///
  /// - Parameter offset: Displacement of the layer on the output.
  func sample(
    _ placement: GeneralPlacement, columns: Range<Int>, row: Int, movedBy offset: Point = .zero, into rows: SignalRows
  ) {
    var start = placement.inverse.apply(
      to: Point(x: Double(columns.lowerBound) + 0.5 - offset.x, y: Double(row) + 0.5 - offset.y))
    var step = Point(x: placement.inverse.a / ratio.x, y: placement.inverse.b / ratio.y)
    if isPlaced {
      start = Point(x: Double(columns.lowerBound) + 0.5 - offset.x, y: Double(row) + 0.5 - offset.y)
      step = Point(x: 1, y: 0)
    }
    let u = start.x / ratio.x - 0.5 - Double(origin.x), v = start.y / ratio.y - 0.5 - Double(origin.y)
    picture.withUnsafePlanes { planes in
      let plane = planes[0]
      let picture = cpk_general_picture(
        base: plane.base.assumingMemoryBound(to: Float.self), stride: plane.stride / MemoryLayout<Float>.stride,
        width: plane.width, height: plane.height)
      let (r, g, b) = rows.components(.layer)
      if isWide {
        cpk_general_wide(
          picture, u, v, step.x, step.y, WidePhases.lanczos.values, r, g, b, rows.alpha(.layer), columns.count)
      } else {
        cpk_general_bilinear(picture, u, v, step.x, step.y, r, g, b, rows.alpha(.layer), columns.count)
      }
    }
  }
}

/// One axis of a reduction.
struct ReducedAxis {
  /// Samples of the source.
  let count: Int
  /// Source samples per reduced sample, ≥ 1.
  let ratio: Double
  /// The reduced samples to make.
  let part: Range<Int>

  /// - Parameters:
  ///   - footprint: Source samples per output sample.
  ///   - visible: Source samples that are read; may extend outside.
  init(count: Int, footprint: Double, visible: Range<Int>) {
    self.count = count
    let reduced = footprint > 1 ? max(1, Int((Double(count) / footprint).rounded())) : count
    ratio = Double(count) / Double(reduced)
    let low = Int((Double(max(visible.lowerBound, 0)) / ratio).rounded(.down)) - 1
    let high = Int((Double(min(max(visible.upperBound, 0), count)) / ratio).rounded(.up)) + 1
    let start = min(max(low, 0), reduced - 1)
    part = start..<max(start + 1, min(max(high, 0), reduced))
  }

  /// The interval of the source under a reduced sample.
  func interval(_ index: Int) -> ClosedRange<Double> { Double(index) * ratio...Double(index + 1) * ratio }

  /// The source samples that a range of reduced ones is made of.
  func sourceRange(of part: Range<Int>) -> Range<Int> {
    let low = Int((Double(part.lowerBound) * ratio).rounded(.down))
    let high = Int((Double(part.upperBound) * ratio).rounded(.up))
    return min(low, count - 1)..<min(max(high, low + 1), count)
  }
}

extension GeneralReduction {
  /// Reads source rows in order and sums them.
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
      // The last row of an interval is often the first of the next.
      guard row != current else { return }
      source.read(row: row, columns: columns, into: rows)
      current = row
    }

    /// The mean of the rows in an interval; a single complete row stays where it was read.
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

    /// Reduces along the columns and interleaves into a row of the result.
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
