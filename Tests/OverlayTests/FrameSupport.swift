import CompositorAPI
import CompositorOverlay

/// Frames for tests: flat colors, samples, sums.
enum Canvas {
  static let pool = FramePool(maximumOutstanding: 200)

  /// A frame of one color.
  static func frame(
    _ size: PixelSize, _ format: PixelFormat = .yuv420p, _ attributes: FrameAttributes = FrameAttributes(),
    color: Color = .black
  ) throws -> Frame {
    let encoding = try OutputEncoding(format: format, attributes: attributes, size: size)
    var frame = try pool.makeFrame(format: format, size: size, attributes: attributes)
    var surface = try Surface(PixelBox(size).grown(by: 4).even)
    let rgba = try encoding.premultiplied(color)
    for index in 0..<surface.pixels.count { surface.pixels[index] = rgba[index % 4] }
    frame.withUnsafeMutablePlanes { planes in
      for index in 0..<planes.count {
        let plane = planes[index]
        (plane.base).initializeMemory(as: UInt8.self, repeating: 0, count: plane.stride * plane.height)
      }
      FrameWriter(planes, encoding, size: size).blend(
        CachedSprite(surface, encoding), FrameWriter.Shift(x: 0, y: 0), opacity: 1)
    }
    return frame.freeze()
  }

  /// Samples of a plane as numbers.
  static func samples(_ frame: Frame, plane: Int) -> [[Int]] {
    frame.withUnsafePlanes { planes in
      let plane_ = planes[plane]
      let count = plane_.width * frame.format.samplesPerPosition(plane: plane)
      return (0..<plane_.height).map { y in
        let row = plane_.base + y * plane_.stride
        return (0..<count).map { x in
          frame.format.bytesPerSample == 1
            ? Int(row.assumingMemoryBound(to: UInt8.self)[x]) : Int(row.assumingMemoryBound(to: UInt16.self)[x])
        }
      }
    }
  }

  static func allSamples(_ frame: Frame) -> [[[Int]]] { (0..<frame.format.planeCount).map { samples(frame, plane: $0) } }

  /// Mean color of a box, as encoded R, G, B, A.
  static func color(_ frame: Frame, x: Int, y: Int, width: Int = 1, height: Int = 1) throws -> SIMD4<Double> {
    let encoding = try OutputEncoding(format: frame.format, attributes: frame.attributes, size: frame.size)
    let surface = try frame.withUnsafePlanes { planes in
      try FrameReader(planes, encoding, size: frame.size).surface(PixelBox(x0: x, y0: y, x1: x + width, y1: y + height))
    }
    var sum = SIMD4<Double>.zero
    for index in 0..<surface.pixels.count { sum[index % 4] += Double(surface.pixels[index]) }
    return sum / Double(width * height)
  }

  static func box(_ rect: Rect, _ color: Color = .white) -> Layer {
    var layer = Layer(frame: rect)
    layer.backgroundColor = color
    return layer
  }

  static func root(_ size: PixelSize, _ layers: [Layer]) -> Layer {
    var root = Layer(frame: Rect(x: 0, y: 0, width: Double(size.width), height: Double(size.height)))
    root.sublayers = layers
    return root
  }

  static func draw(
    _ layers: [Layer], over frame: Frame, at seconds: Double = 0, options: OverlayRenderer.Options = .init()
  ) throws -> Frame {
    let renderer = try OverlayRenderer(
      root: root(frame.size, layers), renderSize: frame.size, outputFormat: frame.format, attributes: frame.attributes,
      options: options)
    return try renderer.draw(over: frame, at: MediaTime(value: Int64(seconds * 6000), timescale: 6000), pool: pool)
  }
}

/// A small generator of the same numbers every time.
struct Numbers: RandomNumberGenerator {
  var state: UInt64 = 0x1234_5678_9abc_def1
  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }
}
