import CompositorAPI

/// Draws the patterns that do not move. Chroma samples are taken from the pixel they are sited on.
struct PatternPainter {
  let format: PixelFormat
  let size: PixelSize
  let attributes: FrameAttributes

  /// Opaque patterns are 8-bit 4:2:0 BT.709; colors with alpha are sRGB, straight, so that alpha is exact.
  static func format(for pattern: GeneratedSource.Pattern) -> (PixelFormat, FrameAttributes) {
    switch pattern {
    case .color(let color) where color.alpha < 1: translucent
    case .gradient(let from, let to, _) where from.alpha < 1 || to.alpha < 1: translucent
    default: (.yuv420p, FrameAttributes(color: .bt709))
    }
  }

  private static let translucent = (PixelFormat.rgba, FrameAttributes(color: .sRGB, alphaMode: .straight))

  /// Draws.
  ///
  /// - Throws: `.invalidValue`, `.conversionNotPossible` for colors that have no code values here.
  func paint(_ pattern: GeneratedSource.Pattern) throws(CompositorError) -> Frame {
    switch pattern {
    case .color(let color):
      let codes = try codes(color)
      return fill { _, _ in codes }
    case .bars: return try bars()
    case .gradient(let from, let to, let angle): return try gradient(from, to, angleDegrees: angle)
    case .clock: return try paint(.color(.black))
    }
  }

  private func codes(_ color: Color) throws(CompositorError) -> SIMD4<UInt8> {
    let values = try color.codes(format: format, attributes: attributes)
    return SIMD4(values[0], values[1], values[2], values[3]).codes
  }

  /// Grey, yellow, cyan, green, magenta, red and blue at 75 % over a ramp from black to white.
  private func bars() throws(CompositorError) -> Frame {
    let signals: [(Double, Double, Double)] = [
      (1, 1, 1), (1, 1, 0), (0, 1, 1), (0, 1, 0), (1, 0, 1), (1, 0, 0), (0, 0, 1),
    ]
    var bars: [SIMD4<UInt8>] = []
    for (red, green, blue) in signals {
      let color = Color(red: 0.75 * red, green: 0.75 * green, blue: 0.75 * blue, primaries: .bt709, transfer: .bt709)
      bars.append(try codes(color))
    }
    let ramp = size.height * 3 / 4
    let span = Double(max(1, size.width - 1))
    return fill { x, y in
      if y < ramp || size.height < 4 { return bars[x * bars.count / size.width] }
      return SIMD4(16 + 219 * Double(x) / span, 128, 128, 255).codes
    }
  }

  /// Code values are interpolated: the ramp is even in the signal.
  private func gradient(_ from: Color, _ to: Color, angleDegrees: Double) throws(CompositorError) -> Frame {
    guard angleDegrees.isFinite else {
      throw CompositorError(.invalidValue, "A gradient's angle is not a number.", recoverySuggestion: "Give degrees.")
    }
    let start = SIMD4<Double>(try from.codes(format: format, attributes: attributes))
    let end = SIMD4<Double>(try to.codes(format: format, attributes: attributes))
    let turn = AffineMatrix.rotation(radians: angleDegrees * .pi / 180)
    let (width, height) = (Double(size.width), Double(size.height))
    // The ramp spans the picture's extent along its direction, from pixel center to pixel center.
    let extent = max(1e-9, (width - 1) * abs(turn.a) + (height - 1) * abs(turn.b))
    return fill { x, y in
      let along = (Double(x) - (width - 1) / 2) * turn.a + (Double(y) - (height - 1) / 2) * turn.b
      let share = min(max(along / extent + 0.5, 0), 1)
      return (start + (end - start) * share).codes
    }
  }

  /// Sets every sample from the code values of a pixel.
  private func fill(_ value: (Int, Int) -> SIMD4<UInt8>) -> Frame {
    var frame = MutableFrame(format: format, size: size, attributes: attributes)
    frame.withUnsafeMutablePlanes { planes in
      for index in 0..<planes.count {
        let plane = planes[index]
        let scale = plane.width == size.width && plane.height == size.height ? 1 : 2
        for y in 0..<plane.height {
          let row = (plane.base + y * plane.stride).assumingMemoryBound(to: UInt8.self)
          for x in 0..<plane.width {
            let codes = value(min(x * scale, size.width - 1), min(y * scale, size.height - 1))
            if format.isRGB {
              for component in 0..<4 { row[4 * x + component] = codes[component] }
            } else {
              row[x] = codes[index]
            }
          }
        }
      }
    }
    return frame.freeze()
  }
}

extension SIMD4<Double> {
  /// Rounded into 8 bits.
  fileprivate var codes: SIMD4<UInt8> {
    let rounded = self.clamped(lowerBound: .zero, upperBound: SIMD4(repeating: 255)).rounded(.toNearestOrAwayFromZero)
    return SIMD4<UInt8>(UInt8(rounded.x), UInt8(rounded.y), UInt8(rounded.z), UInt8(rounded.w))
  }
}
