package import CompositorAPI

/// A half-open box of canvas pixels.
package struct PixelBox: Hashable, Sendable {
  package var x0, y0, x1, y1: Int

  package init(x0: Int, y0: Int, x1: Int, y1: Int) {
    (self.x0, self.y0, self.x1, self.y1) = (x0, y0, x1, y1)
  }

  package init(_ size: PixelSize) { self.init(x0: 0, y0: 0, x1: size.width, y1: size.height) }

  /// The smallest box around a rectangle.
  package init(around rect: Rect) {
    func whole(_ value: Double, _ rule: FloatingPointRoundingRule) -> Int { Int(min(max(value, -1e9), 1e9).rounded(rule)) }
    self.init(
      x0: whole(rect.minX, .down), y0: whole(rect.minY, .down), x1: whole(rect.maxX, .up), y1: whole(rect.maxY, .up))
  }

  package var width: Int { max(x1 - x0, 0) }
  package var height: Int { max(y1 - y0, 0) }
  package var isEmpty: Bool { x1 <= x0 || y1 <= y0 }

  package func intersection(_ other: PixelBox) -> PixelBox {
    PixelBox(x0: max(x0, other.x0), y0: max(y0, other.y0), x1: min(x1, other.x1), y1: min(y1, other.y1))
  }

  package func grown(by margin: Int) -> PixelBox {
    PixelBox(x0: x0 - margin, y0: y0 - margin, x1: x1 + margin, y1: y1 + margin)
  }

  /// Grown to even columns and rows, so that it contains complete chroma samples.
  package var even: PixelBox { PixelBox(x0: x0 & ~1, y0: y0 & ~1, x1: (x1 + 1) & ~1, y1: (y1 + 1) & ~1) }
}
