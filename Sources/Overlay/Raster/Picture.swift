/// A picture of premultiplied R′, G′, B′, A of 16 bits each, in some encoding, somewhere on a grid of pixels.
package struct Picture: Hashable, Sendable {
  /// Column and row of the first pixel.
  package var x, y: Int
  package let width, height: Int
  /// 4 · width values a row.
  package var pixels: [UInt16]

  package init(x: Int, y: Int, width: Int, height: Int, pixels: [UInt16]) {
    (self.x, self.y, self.width, self.height, self.pixels) = (x, y, width, height, pixels)
  }

  /// From premultiplied 32-bit ARGB words.
  init(argb: [UInt32], x: Int, y: Int, width: Int, height: Int) {
    var pixels = [UInt16](repeating: 0, count: argb.count * 4)
    for (index, word) in argb.enumerated() where word != 0 {
      for (part, shift) in [16, 8, 0, 24].enumerated() { pixels[4 * index + part] = UInt16(word >> UInt32(shift) & 0xff) * 257 }
    }
    self.init(x: x, y: y, width: width, height: height, pixels: pixels)
  }

  /// Its alpha in 8 bits.
  var coverage: Mask {
    var mask = Mask(x: x, y: y, width: width, height: height)
    for row in 0..<height {
      for column in 0..<width {
        mask.bytes[row * mask.stride + column] = UInt8(pixels[4 * (row * width + column) + 3] >> 8)
      }
    }
    return mask
  }

  /// The same picture at half the size, each pixel the mean of four: for drawing it small without aliasing.
  package var halved: Picture {
    let (w, h) = (max(width / 2, 1), max(height / 2, 1))
    var half = [UInt16](repeating: 0, count: w * h * 4)
    for row in 0..<h {
      for column in 0..<w {
        let (x0, x1) = (min(2 * column, width - 1), min(2 * column + 1, width - 1))
        let (y0, y1) = (min(2 * row, height - 1), min(2 * row + 1, height - 1))
        for part in 0..<4 {
          let top = UInt32(pixels[4 * (y0 * width + x0) + part]) + UInt32(pixels[4 * (y0 * width + x1) + part])
          let bottom = UInt32(pixels[4 * (y1 * width + x0) + part]) + UInt32(pixels[4 * (y1 * width + x1) + part])
          half[4 * (row * w + column) + part] = UInt16((top + bottom + 2) / 4)
        }
      }
    }
    return Picture(x: 0, y: 0, width: w, height: h, pixels: half)
  }
}
