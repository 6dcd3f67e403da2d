internal import Compositor

/// Bytes of buffers in another order than those of frames, row by row.
extension PixelBufferFormat.Arrangement {
  /// Writes a frame's rows to a buffer.
  func write(_ planes: Planes, of size: PixelSize, to memory: PixelMemory) {
    let target = memory.planes[0]
    for row in 0..<size.height {
      let bytes = (target.base + row * target.bytesPerRow).assumingMemoryBound(to: UInt8.self)
      func source(_ plane: Int) -> UnsafePointer<UInt8> {
        (planes[plane].base + row * planes[plane].stride).assumingMemoryBound(to: UInt8.self)
      }
      switch self {
      case .same: break
      case .bytes(let order):
        let (pixels, count) = (source(0), order.count)
        for column in 0..<size.width {
          for (place, part) in order.enumerated() { bytes[column * count + place] = pixels[column * 4 + part] }
        }
      case .pairs(let places):
        let (luma, blue, red) = (source(0), source(1), source(2))
        for pair in 0..<(size.width + 1) / 2 {
          let second = min(2 * pair + 1, size.width - 1)
          bytes[pair * 4 + places[0]] = luma[2 * pair]
          bytes[pair * 4 + places[1]] = blue[pair]
          bytes[pair * 4 + places[2]] = luma[second]
          bytes[pair * 4 + places[3]] = red[pair]
        }
      }
    }
  }

  /// Writes a buffer's rows to a frame. Alpha that the buffer lacks is opaque.
  func read(_ memory: PixelMemory, of size: PixelSize, to planes: MutablePlanes) {
    let source = memory.planes[0]
    for row in 0..<size.height {
      let bytes = UnsafePointer((source.base + row * source.bytesPerRow).assumingMemoryBound(to: UInt8.self))
      func target(_ plane: Int) -> UnsafeMutablePointer<UInt8> {
        (planes[plane].base + row * planes[plane].stride).assumingMemoryBound(to: UInt8.self)
      }
      switch self {
      case .same: break
      case .bytes(let order):
        let (pixels, count) = (target(0), order.count)
        for column in 0..<size.width {
          pixels[column * 4 + 3] = 255
          for (place, part) in order.enumerated() { pixels[column * 4 + part] = bytes[column * count + place] }
        }
      case .pairs(let places):
        let (luma, blue, red) = (target(0), target(1), target(2))
        for pair in 0..<(size.width + 1) / 2 {
          luma[2 * pair] = bytes[pair * 4 + places[0]]
          if 2 * pair + 1 < size.width { luma[2 * pair + 1] = bytes[pair * 4 + places[2]] }
          blue[pair] = bytes[pair * 4 + places[1]]
          red[pair] = bytes[pair * 4 + places[3]]
        }
      }
    }
  }
}
