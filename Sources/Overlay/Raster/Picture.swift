import CCompositorKernels

/// An image of premultiplied R′, G′, B′, A of 16 bits each, in some encoding, at a position on a grid of pixels.
package struct Picture: Hashable, Sendable {
  /// Column and row of the first pixel.
  package var x, y: Int
  package let width, height: Int
  /// Rows of 4 · width values each.
  package var pixels: [UInt16]

  package init(x: Int, y: Int, width: Int, height: Int, pixels: [UInt16]) {
    (self.x, self.y, self.width, self.height, self.pixels) = (x, y, width, height, pixels)
  }

  /// Converts premultiplied 32-bit ARGB pixels.
  init(argb: [UInt32], x: Int, y: Int, width: Int, height: Int) {
    var pixels = [UInt16](repeating: 0, count: argb.count * 4)
    for (index, word) in argb.enumerated() where word != 0 {
      for (part, shift) in [16, 8, 0, 24].enumerated() { pixels[4 * index + part] = UInt16(word >> UInt32(shift) & 0xff) * 257 }
    }
    self.init(x: x, y: y, width: width, height: height, pixels: pixels)
  }

  /// Its alpha as 8-bit coverage.
  var coverage: Mask {
    var mask = Mask(x: x, y: y, width: width, height: height)
    for row in 0..<height {
      for column in 0..<width {
        mask.bytes[row * mask.stride + column] = UInt8(pixels[4 * (row * width + column) + 3] >> 8)
      }
    }
    return mask
  }

  /// The image at half the size, each pixel the mean of four, for drawing it small without aliasing.
  package var halved: Picture {
    let (w, h) = (max(width / 2, 1), max(height / 2, 1))
    var half = [UInt16](repeating: 0, count: w * h * 4)
    pixels.withUnsafeBufferPointer { pixels in
      half.withUnsafeMutableBufferPointer { half in
        guard let source = pixels.baseAddress, let target = half.baseAddress else { return }
        for row in 0..<h {
          let top = source + 2 * row * width * 4
          cpk_overlay_halve_row(top, height > 1 ? top + width * 4 : top, width > 1 ? 4 : 0, target + row * w * 4, w)
        }
      }
    }
    return Picture(x: 0, y: 0, width: w, height: h, pixels: half)
  }
}
