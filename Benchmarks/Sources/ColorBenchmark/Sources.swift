import Compositor

/// Noisy full-frame material whose colors are legal in BT.709, too, so that both sides do the same work with the same result.
enum Sources {
  static func frame(_ color: ColorTags, _ size: PixelSize, seed: UInt64) -> Frame {
    var state = seed
    func next(_ range: ClosedRange<Int>) -> UInt16 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt16(range.lowerBound + Int(state >> 33) % range.count)
    }
    var frame = MutableFrame(
      format: .yuv420p10, size: size, attributes: FrameAttributes(color: color, pixelAspectRatio: Rational(1, 1)))
    frame.withUnsafeMutablePlanes { planes in
      for plane in 0..<3 {
        let target = planes[plane]
        for y in 0..<target.height {
          let row = (target.base + y * target.stride).assumingMemoryBound(to: UInt16.self)
          for x in 0..<target.width {
            let ramp = 300 + 300 * (x + y) / (target.width + target.height)
            row[x] = plane == 0 ? UInt16(ramp) + next(0...60) : next(500...524)
          }
        }
      }
    }
    return frame.freeze()
  }
}
