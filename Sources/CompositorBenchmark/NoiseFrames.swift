import CompositorAPI

/// Full-frame material that no shortcut can guess: seeded noise over a gradient, different in every frame and track.
enum NoiseFrames {
  /// Frames for every track, as many each as it takes to overflow the caches.
  static func make(
    trackIDs: [TrackID], format: PixelFormat, size: PixelSize, attributes: FrameAttributes, minimumBytes: Int = 96 << 20
  ) -> [TrackID: [Frame]] {
    let perFrame = max(1, format.byteCount(of: size) * trackIDs.count)
    let count = min(16, max(2, (minimumBytes + perFrame - 1) / perFrame))
    var generator = SplitMix64(state: 0x5eed)
    return Dictionary(
      uniqueKeysWithValues: trackIDs.map { trackID in
        (trackID, (0..<count).map { _ in make(format, size, attributes, &generator) })
      })
  }

  private static func make(
    _ format: PixelFormat, _ size: PixelSize, _ attributes: FrameAttributes, _ generator: inout SplitMix64
  ) -> Frame {
    var frame = MutableFrame(format: format, size: size, attributes: attributes)
    let scale = 1 << (format.bitDepth - 8)
    frame.withUnsafeMutablePlanes { planes in
      for index in 0..<planes.count {
        let plane = planes[index]
        let samples = plane.width * format.samplesPerPosition(plane: index)
        for y in 0..<plane.height {
          let row = plane.base + y * plane.stride
          // A ramp down the frame keeps the mean in the nominal range, the noise covers half of it.
          let base = 48 + 64 * y / max(1, plane.height)
          for x in 0..<samples {
            let noise = Int(generator.next() >> 57)
            if format.bytesPerSample == 1 {
              row.storeBytes(of: UInt8(base + noise), toByteOffset: x, as: UInt8.self)
            } else {
              let value = UInt16(((base + noise) * scale) << format.lowPadding)
              row.storeBytes(of: value, toByteOffset: 2 * x, as: UInt16.self)
            }
          }
        }
      }
    }
    return frame.freeze()
  }
}

/// A small seeded generator (SplitMix64, Steele, Lea and Flood 2014), the same on every machine.
struct SplitMix64 {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}
