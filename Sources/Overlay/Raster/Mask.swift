import CPixelKernels

/// A rectangle of 8-bit coverage somewhere on a grid of pixels, with an empty line of pixels all around.
package struct Mask: Hashable, Sendable {
  /// Column and row of the first pixel.
  package var x, y: Int
  package let width, height: Int
  /// Row after row, `stride` bytes each.
  package var bytes: [UInt8]

  /// Bytes from row to row: Cairo wants a multiple of 4.
  package var stride: Int { Mask.stride(width) }
  static func stride(_ width: Int) -> Int { (width + 3) / 4 * 4 }

  /// An empty mask.
  package init(x: Int, y: Int, width: Int, height: Int) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
    bytes = [UInt8](repeating: 0, count: Mask.stride(width) * height)
  }

  /// The greatest coverage within a distance: what an outline of something that is not a path looks like.
  package func dilated(by radius: Double) -> Mask {
    let reach = Int(radius.rounded(.up)) + 1
    var result = Mask(x: x - reach, y: y - reach, width: width + 2 * reach, height: height + 2 * reach)
    let (from, to) = (stride, result.stride)
    result.bytes.withUnsafeMutableBufferPointer { target in
      bytes.withUnsafeBufferPointer { source in
        guard let target = target.baseAddress, let source = source.baseAddress else { return }
        for dy in -reach...reach {
          for dx in -reach...reach where Double(dx * dx + dy * dy) <= radius * radius {
            for row in 0..<height {
              overlay_raise_row(target + (row + reach + dy) * to + reach + dx, source + row * from, width)
            }
          }
        }
      }
    }
    return result
  }
}
