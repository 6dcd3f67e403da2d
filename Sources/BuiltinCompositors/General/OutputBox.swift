import CompositorAPI

/// A box of output pixels that a layer may reach.
struct OutputBox: Equatable {
  var columns, rows: Range<Int>

  var isEmpty: Bool { columns.isEmpty || rows.isEmpty }

  init(columns: Range<Int>, rows: Range<Int>) { (self.columns, self.rows) = (columns, rows) }

  /// The pixels that a rectangle touches, clipped to an output of `size`; all of them if a corner is not a number.
  init(_ rect: Rect, in size: PixelSize) {
    func range(_ low: Double, _ high: Double, _ limit: Int) -> Range<Int> {
      guard !low.isNaN, !high.isNaN else { return 0..<limit }
      let start = clampedInt(low.rounded(.down), in: 0...limit)
      return start..<clampedInt(high.rounded(.up), in: start...limit)
    }
    columns = range(rect.minX, rect.maxX, size.width)
    rows = range(rect.minY, rect.maxY, size.height)
  }

  func intersects(_ other: OutputBox) -> Bool { columns.overlaps(other.columns) && rows.overlaps(other.rows) }

  func union(_ other: OutputBox) -> OutputBox {
    func joined(_ a: Range<Int>, _ b: Range<Int>) -> Range<Int> {
      min(a.lowerBound, b.lowerBound)..<max(a.upperBound, b.upperBound)
    }
    return OutputBox(columns: joined(columns, other.columns), rows: joined(rows, other.rows))
  }

  /// This box with at least two more pixels on each side, aligned to even pixels and clipped to an output of `size`.
  func padded(in size: PixelSize) -> OutputBox {
    func padded(_ range: Range<Int>, _ limit: Int) -> Range<Int> {
      max(range.lowerBound - 2, 0) & ~1..<min((range.upperBound + 3) & ~1, limit)
    }
    return OutputBox(columns: padded(columns, size.width), rows: padded(rows, size.height))
  }
}
