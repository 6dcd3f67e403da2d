import CCompositorKernels
import CompositorAPI

/// A plane repeatedly halved by (1, 3, 3, 1) / 8 along each axis that needs it; the Gaussian works on the last level.
///
/// Halved planes have two extra samples on each side; beyond those, the outermost sample repeats.
struct GaussianPyramid {
  static let border = 2
  /// Values on each side of a row that halving may read.
  private static let margin = 8

  private let x, y: GaussianAxis
  private let bytesPerSample: Int
  private var source: Plane?
  /// The last level, from its upper-left border; `nil` if nothing is halved.
  private var last: UnsafeMutablePointer<Float>?

  init(x: GaussianAxis, y: GaussianAxis, bytesPerSample: Int) {
    (self.x, self.y, self.bytesPerSample) = (x, y, bytesPerSample)
  }

  private var stepCount: Int { max(x.halvings, y.halvings) }

  /// The number of samples of an axis after `step` halvings.
  private func count(_ axis: GaussianAxis, after step: Int) -> Int {
    let factor = 1 << min(step, axis.halvings)
    return (axis.length + factor - 1) / factor
  }

  private func width(after step: Int) -> Int { count(x, after: step) + 2 * Self.border }
  private func height(after step: Int) -> Int { count(y, after: step) + 2 * Self.border }

  var scratchByteCount: Int {
    (1..<stepCount + 1).reduce(ScratchArena.byteCount(x.length + 2 * Self.margin, of: Float.self)) {
      $0 + ScratchArena.byteCount(width(after: $1) * height(after: $1), of: Float.self)
    }
  }

  /// Makes the halved planes of `source`, which must outlive all reads of them.
  mutating func make(_ source: Plane, scratch: inout ScratchArena) {
    self.source = source
    let buffer = scratch.take(x.length + 2 * Self.margin, of: Float.self)
    for step in 0..<stepCount {
      let plane = scratch.take(width(after: step + 1) * height(after: step + 1), of: Float.self)
      for row in 0..<height(after: step + 1) {
        halve(step, row - Self.border, into: plane + row * width(after: step + 1), buffer: buffer)
      }
      last = plane
    }
  }

  /// Makes a row of the plane after a step.
  private func halve(_ step: Int, _ row: Int, into out: UnsafeMutablePointer<Float>, buffer: UnsafeMutablePointer<Float>) {
    let before = step == 0 ? 0 : Self.border
    let (start, count) = (Self.margin - before, count(x, after: step) + 2 * before)
    if step < y.halvings {
      combine(step, 2 * row - 1, into: buffer + start, count: count)
    } else {
      widen(step, row, into: buffer + start, count: count)
    }
    (buffer + (start - 6)).update(repeating: buffer[start], count: 6)
    (buffer + (start + count)).update(repeating: buffer[start + count - 1], count: 6)
    let from = buffer + Self.margin
    if step < x.halvings {
      cpk_effect_halve_row(out, from - 2 * Self.border, width(after: step + 1))
    } else {
      out.update(from: from - Self.border, count: width(after: step + 1))
    }
  }

  /// The first sample of a row of the plane before a step; rows beyond the edge repeat it.
  private func values(_ step: Int, _ row: Int) -> UnsafePointer<Float>? {
    guard step > 0 else { return nil }
    let index = min(max(row + Self.border, 0), height(after: step) - 1)
    return last.map { UnsafePointer($0 + index * width(after: step)) }
  }

  private func bytes(_ row: Int) -> UnsafeRawPointer? {
    source.map { $0.base + min(max(row, 0), $0.height - 1) * $0.stride }
  }

  /// Combines four rows of the plane before a step into one, beginning with row `first`.
  private func combine(_ step: Int, _ first: Int, into out: UnsafeMutablePointer<Float>, count: Int) {
    func samples<T>(_ row: Int, _ type: T.Type) -> UnsafePointer<T>? { bytes(row)?.assumingMemoryBound(to: type) }
    if step > 0 {
      let rows = (values(step, first), values(step, first + 1), values(step, first + 2), values(step, first + 3))
      cpk_effect_halve_rows(out, rows.0, rows.1, rows.2, rows.3, count)
    } else if bytesPerSample == 1 {
      func row(_ row: Int) -> UnsafePointer<UInt8>? { samples(row, UInt8.self) }
      cpk_effect_halve_rows_8(out, row(first), row(first + 1), row(first + 2), row(first + 3), count)
    } else if bytesPerSample == 2 {
      func row(_ row: Int) -> UnsafePointer<UInt16>? { samples(row, UInt16.self) }
      cpk_effect_halve_rows_16(out, row(first), row(first + 1), row(first + 2), row(first + 3), count)
    } else {
      func row(_ row: Int) -> UnsafePointer<Float>? { samples(row, Float.self) }
      cpk_effect_halve_rows(out, row(first), row(first + 1), row(first + 2), row(first + 3), count)
    }
  }

  /// Converts a row of the plane before a step to floats.
  private func widen(_ step: Int, _ row: Int, into out: UnsafeMutablePointer<Float>, count: Int) {
    if let values = values(step, row) { return out.update(from: values, count: count) }
    guard let bytes = bytes(row) else { return }
    if bytesPerSample == 4 {
      out.update(from: bytes.assumingMemoryBound(to: Float.self), count: count)
    } else if bytesPerSample == 1 {
      cpk_effect_widen_8(out, bytes.assumingMemoryBound(to: UInt8.self), count)
    } else {
      cpk_effect_widen_16(out, bytes.assumingMemoryBound(to: UInt16.self), count)
    }
  }

  /// Reads a row of the last level, padded on each side for a Gaussian of `reach`: column `i` is at `reach + border + i`.
  func readLast(_ row: Int, into padded: UnsafeMutablePointer<Float>, reach: Int) {
    let step = stepCount
    let before = step == 0 ? 0 : Self.border
    let (start, count) = (reach + Self.border - before, x.count + 2 * before)
    widen(step, row, into: padded + start, count: count)
    padded.update(repeating: padded[start], count: start)
    (padded + (start + count)).update(repeating: padded[start + count - 1], count: start)
  }
}
