import CCompositorKernels

/// A rectangle of 8-bit coverage at a position on a grid of pixels, with an empty margin of one pixel.
package struct Mask: Hashable, Sendable {
  /// Column and row of the first pixel.
  package var x, y: Int
  package let width, height: Int
  /// Rows of `stride` bytes each.
  package var bytes: [UInt8]

  /// Bytes from row to row: a multiple of 4, as Cairo requires.
  package var stride: Int { Mask.stride(width) }
  static func stride(_ width: Int) -> Int { (width + 3) / 4 * 4 }

  /// An empty mask.
  package init(x: Int, y: Int, width: Int, height: Int) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
    bytes = [UInt8](repeating: 0, count: Mask.stride(width) * height)
  }

  /// The maximum coverage within an ellipse around each pixel, used as the outline of images.
  package func dilated(byWidth across: Double, height down: Double) -> Mask {
    let (reachX, reachY) = (Int(across.rounded(.up)) + 1, Int(down.rounded(.up)) + 1)
    var result = Mask(x: x - reachX, y: y - reachY, width: width + 2 * reachX, height: height + 2 * reachY)
    let (from, to) = (stride, result.stride)
    result.bytes.withUnsafeMutableBufferPointer { target in
      bytes.withUnsafeBufferPointer { source in
        guard let target = target.baseAddress, let source = source.baseAddress else { return }
        for dy in -reachY...reachY {
          for dx in -reachX...reachX
          where Double(dx * dx) * down * down + Double(dy * dy) * across * across <= across * across * down * down {
            for row in 0..<height {
              cpk_overlay_raise_row(target + (row + reachY + dy) * to + reachX + dx, source + row * from, width)
            }
          }
        }
      }
    }
    return result
  }
}
