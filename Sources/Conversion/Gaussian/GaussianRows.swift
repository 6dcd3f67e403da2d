import CCompositorKernels
import CompositorAPI

/// Blurred rows of a halved plane, enlarged to the plane's width. Rows are made on demand from top to bottom and kept as long
/// as the next ones need them.
package struct GaussianRows {
  private let pyramid: GaussianPyramid
  private let x, y: GaussianAxis
  /// A ring of horizontally blurred rows, as many as the vertical Gaussian sums: row `i` is at `i` modulo their number. Then
  /// the number made.
  private let across: UnsafeMutablePointer<Float>
  private var acrossCount = 0
  /// Four rows of the plane's full width, and the number made.
  private let wide: UnsafeMutablePointer<Float>
  private var wideCount = 0
  private let down, padded, splines: UnsafeMutablePointer<Float>
  private let pointers: UnsafeMutablePointer<UnsafePointer<Float>?>

  private static func columns(_ x: GaussianAxis) -> Int { x.count + 2 * x.border }
  private static func padded(_ x: GaussianAxis) -> Int { x.count + 2 * (x.reach + GaussianPyramid.border) }

  static func scratchByteCount(x: GaussianAxis, y: GaussianAxis) -> Int {
    let floats = [columns(x) * y.weights.count, x.length * 4, columns(x), padded(x), y.splines.count]
    return floats.reduce(ScratchArena.byteCount(y.weights.count, of: UnsafePointer<Float>?.self)) {
      $0 + ScratchArena.byteCount($1, of: Float.self)
    }
  }

  init(_ pyramid: GaussianPyramid, x: GaussianAxis, y: GaussianAxis, scratch: inout ScratchArena) {
    (self.pyramid, self.x, self.y) = (pyramid, x, y)
    across = scratch.take(GaussianRows.columns(x) * y.weights.count, of: Float.self)
    wide = scratch.take(x.length * 4, of: Float.self)
    down = scratch.take(GaussianRows.columns(x), of: Float.self)
    padded = scratch.take(GaussianRows.padded(x), of: Float.self)
    splines = scratch.take(y.splines.count, of: Float.self)
    pointers = scratch.take(y.weights.count, of: UnsafePointer<Float>?.self)
    // By phase, not by sample.
    for place in 0..<y.factor {
      for sample in 0..<5 { splines[place * 5 + sample] = y.splines[sample * y.factor + place] }
    }
  }

  /// Makes a row of the blurred plane.
  package mutating func read(_ row: Int, into target: UnsafeMutablePointer<Float>) {
    guard y.factor > 1 else { return blur(row, into: target) }
    let parts = parts(ofRow: row)
    let (a, b, c, d) = parts.rows
    cpk_effect_spline_rows(target, a, b, c, d, parts.weights, x.length)
  }

  /// The four rows of the halved plane that contribute splines to a row.
  typealias FourRows = (UnsafePointer<Float>, UnsafePointer<Float>, UnsafePointer<Float>, UnsafePointer<Float>)

  /// The rows of the halved plane that contribute to a row, and their weights.
  mutating func parts(ofRow row: Int) -> (rows: FourRows, weights: UnsafePointer<Float>) {
    let (cell, phase) = (row / y.factor, row % y.factor)
    let first = 2 * phase < y.factor ? 0 : 1
    let top = cell - 2 + first
    let four = (self.row(top), self.row(top + 1), self.row(top + 2), self.row(top + 3))
    return (four, UnsafePointer(splines + phase * 5 + first))
  }

  /// A row of the halved plane; the four most recent ones are kept.
  private mutating func row(_ index: Int) -> UnsafePointer<Float> {
    while wideCount <= index + y.border {
      blur(wideCount - y.border, into: wide + wideCount % 4 * x.length)
      wideCount += 1
    }
    return UnsafePointer(wide + (index + y.border) % 4 * x.length)
  }

  /// Makes a row of the halved plane.
  mutating func blur(_ index: Int, into target: UnsafeMutablePointer<Float>) {
    let last = y.count - 1 + y.border
    for tap in y.weights.indices { pointers[tap] = acrossRow(min(max(index + tap - y.reach, -y.border), last)) }
    let columns = GaussianRows.columns(x)
    guard x.factor > 1 else { return cpk_effect_convolve_rows(target, pointers, y.weights, y.weights.count, columns) }
    cpk_effect_convolve_rows(down, pointers, y.weights, y.weights.count, columns)
    cpk_effect_spline_row(target, down + x.border, x.splines, x.factor, x.length)
  }

  private mutating func acrossRow(_ index: Int) -> UnsafePointer<Float> {
    let (count, columns) = (y.weights.count, GaussianRows.columns(x))
    while acrossCount <= index + y.border {
      pyramid.readLast(acrossCount - y.border, into: padded, reach: x.reach)
      cpk_effect_convolve_row(
        across + acrossCount % count * columns, padded + GaussianPyramid.border - x.border, x.weights, x.weights.count, columns)
      acrossCount += 1
    }
    return UnsafePointer(across + (index + y.border) % count * columns)
  }
}
