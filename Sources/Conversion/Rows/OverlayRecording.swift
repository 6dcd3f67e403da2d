package import CompositorAPI

/// Rows that a ``SignalOverlay`` composited, to be composited again over other planes with the same result.
///
/// Only stretches with something to composite are stored: 8 bytes per sample of a plane.
package struct OverlayRecording: Sendable {
  private struct Stretch {
    let component, x, y, count: Int32
    /// The index of the first value; the alphas follow the values.
    let start: Int
  }

  private var stretches: [Stretch] = []
  private var numbers: [Float] = []
  /// The length of a gap that ends a stretch: shorter ones are cheaper to composite than to skip.
  private static var gap: Int { 32 }

  package init() {}

  /// Bytes of memory.
  package var byteCount: Int {
    numbers.count * MemoryLayout<Float>.stride + stretches.count * MemoryLayout<Stretch>.stride
  }

  /// Adds part of a row: premultiplied nominal values and their alphas.
  mutating func add(
    _ values: UnsafePointer<Float>, alpha: UnsafePointer<Float>, component: Int, x: Int, y: Int, count: Int
  ) {
    func isClear(_ index: Int) -> Bool { alpha[index] == 0 && values[index] == 0 }
    var start = 0
    while start < count {
      guard !isClear(start) else {
        start += 1
        continue
      }
      var (end, next) = (start + 1, start + 1)
      while next < count, next - end < OverlayRecording.gap {
        next += 1
        if !isClear(next - 1) { end = next }
      }
      stretches.append(
        Stretch(
          component: Int32(component), x: Int32(x + start), y: Int32(y), count: Int32(end - start), start: numbers.count))
      numbers.append(contentsOf: UnsafeBufferPointer(start: values + start, count: end - start))
      numbers.append(contentsOf: UnsafeBufferPointer(start: alpha + start, count: end - start))
      start = end
    }
  }

  /// Composites the rows over planes of the format and color that they were recorded for.
  package func compose(over planes: MutablePlanes, format: PixelFormat, color: ColorTags) {
    let layout = SampleLayout(format, color: color)
    let targets = layout.components.indices.map { SampleTarget(planes, layout, component: $0) }
    numbers.withUnsafeBufferPointer { numbers in
      guard let numbers = numbers.baseAddress else { return }
      for stretch in stretches {
        let (values, count) = (numbers + stretch.start, Int(stretch.count))
        targets[Int(stretch.component)].compose(
          values, alpha: values + count, x: Int(stretch.x), y: Int(stretch.y), count: count)
      }
    }
  }
}
