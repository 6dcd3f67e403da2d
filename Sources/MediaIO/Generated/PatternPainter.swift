import CompositorAPI

/// Draws the static patterns at the full depth of their format. A chroma sample takes the color of the pixel it is sited on.
struct PatternPainter {
  let format: PixelFormat
  let size: PixelSize
  let attributes: FrameAttributes
  let policy: ColorConversionPolicy

  /// Draws a pattern.
  ///
  /// - Throws: `.invalidValue`, `.conversionNotPossible` for colors that have no code values in the output.
  func paint(_ pattern: GeneratedSource.Pattern) throws(CompositorError) -> Frame {
    switch pattern {
    case .color(let color):
      let codes = stored(try codes(color))
      return fill { _, _ in codes }
    case .bars: return try bars()
    case .gradient(let from, let to, let angle): return try gradient(from, to, angleDegrees: angle)
    case .clock: return try paint(.color(.black))
    }
  }

  /// Bars of gray, yellow, cyan, green, magenta, red and blue at 75 %, above a ramp from black to white.
  private func bars() throws(CompositorError) -> Frame {
    let signals: [(Double, Double, Double)] = [
      (1, 1, 1), (1, 1, 0), (0, 1, 1), (0, 1, 0), (1, 0, 1), (1, 0, 0), (0, 0, 1),
    ]
    var bars: [SIMD4<UInt16>] = []
    for (red, green, blue) in signals {
      let color = Color(red: 0.75 * red, green: 0.75 * green, blue: 0.75 * blue, primaries: .bt709, transfer: .bt709)
      bars.append(stored(try codes(color)))
    }
    let edge = size.height * 3 / 4
    let span = Double(max(1, size.width - 1))
    let grays = try ramp(from: .black, to: .white)
    return fill { x, y in
      if y < edge || size.height < 4 { return bars[x * bars.count / size.width] }
      return stored(grays.codes(Double(x) / span))
    }
  }

  /// Draws a ramp that is linear in the SDR signal, regardless of the output.
  private func gradient(_ from: Color, _ to: Color, angleDegrees: Double) throws(CompositorError) -> Frame {
    guard angleDegrees.isFinite else {
      throw CompositorError(.invalidValue, "A gradient's angle is not a number.", recoverySuggestion: "Give degrees.")
    }
    let colors = try ramp(from: from, to: to)
    let turn = AffineMatrix.rotation(radians: angleDegrees * .pi / 180)
    let (width, height) = (Double(size.width), Double(size.height))
    // The ramp spans the frame's extent along its direction, from pixel center to pixel center.
    let extent = max(1e-9, (width - 1) * abs(turn.a) + (height - 1) * abs(turn.b))
    return fill { x, y in
      let along = (Double(x) - (width - 1) / 2) * turn.a + (Double(y) - (height - 1) / 2) * turn.b
      return stored(colors.codes(min(max(along / extent + 0.5, 0), 1)))
    }
  }

  /// Sets every sample from the code values of a pixel.
  private func fill(_ value: (Int, Int) -> SIMD4<UInt16>) -> Frame {
    var frame = MutableFrame(format: format, size: size, attributes: attributes)
    frame.withUnsafeMutablePlanes { planes in
      for index in 0..<planes.count {
        let plane = planes[index]
        let components = format.components(plane: index)
        let (across, down) = (plane.width < size.width ? 2 : 1, plane.height < size.height ? 2 : 1)
        for y in 0..<plane.height {
          let row = plane.base + y * plane.stride
          for x in 0..<plane.width {
            let codes = value(min(x * across, size.width - 1), min(y * down, size.height - 1))
            for (place, component) in components.enumerated() {
              row.store(codes[component], as: format, at: x * components.count + place)
            }
          }
        }
      }
    }
    return frame.freeze()
  }
}

extension PatternPainter {
  /// Colors between two others, as unrounded codes that change in equal steps.
  private struct Ramp {
    let nodes: [SIMD4<Double>]

    /// - Parameter share: Position on the ramp, 0 … 1.
    func codes(_ share: Double) -> SIMD4<Double> {
      let place = share * Double(nodes.count - 1)
      let index = min(Int(place), nodes.count - 2)
      return nodes[index] + (nodes[index + 1] - nodes[index]) * (place - Double(index))
    }
  }

  /// The tags of an SDR signal in the output's primaries, in which ramps are linear.
  private var evenTags: ColorTags {
    let color = attributes.color
    return ColorTags(
      primaries: color.primaries, transfer: color.transfer.isHDR ? .bt709 : color.transfer, matrix: .identity, range: .full)
  }

  private func ramp(from: Color, to: Color) throws(CompositorError) -> Ramp {
    let tags = evenTags
    let (start, end) = (try from.encoded(in: tags, policy: policy), try to.encoded(in: tags, policy: policy))
    // Codes are linear between two SDR signals, but not between two HDR ones.
    let count = attributes.color.transfer.isHDR ? 4096 : 1
    let conversion = try LightConversion(from: tags, to: attributes.color, policy: policy, isLimiting: false)
    var nodes: [SIMD4<Double>] = []
    for index in 0...count {
      let share = Double(index) / Double(count)
      let signal = conversion.convert(start + (end - start) * share)
      nodes.append(try codes(signal, alpha: from.alpha + (to.alpha - from.alpha) * share))
    }
    return Ramp(nodes: nodes)
  }

  /// The unrounded codes of a color.
  private func codes(_ color: Color) throws(CompositorError) -> SIMD4<Double> {
    try codes(color.encoded(in: attributes.color, policy: policy), alpha: color.alpha)
  }

  private func codes(_ signal: SIMD3<Double>, alpha: Double) throws(CompositorError) -> SIMD4<Double> {
    var components = signal
    if !format.isRGB {
      guard let matrix = attributes.color.matrix.rgbToYCbCr else {
        throw CompositorError(
          .conversionNotPossible, "Matrix coefficients \(attributes.color.matrix.rawValue) (H.273) are not known.",
          recoverySuggestion: "Name another output color.")
      }
      components = matrix * components
    }
    let quantization = format.quantization(color: attributes.color)
    let values = [components.x, components.y, components.z, alpha]
    return SIMD4(zip(quantization, values).map { $0.code($1) })
  }

  /// The codes as stored.
  private func stored(_ codes: SIMD4<Double>) -> SIMD4<UInt16> {
    let limit = Double((1 << format.bitDepth) - 1)
    let rounded = codes.clamped(lowerBound: .zero, upperBound: SIMD4(repeating: limit)).rounded(.toNearestOrAwayFromZero)
    return SIMD4(UInt16(rounded.x), UInt16(rounded.y), UInt16(rounded.z), UInt16(rounded.w))
  }
}

extension UnsafeMutableRawPointer {
  /// Stores a sample of a row.
  fileprivate func store(_ code: UInt16, as format: PixelFormat, at index: Int) {
    if format.bitDepth == 8 {
      storeBytes(of: UInt8(truncatingIfNeeded: code), toByteOffset: index, as: UInt8.self)
    } else {
      storeBytes(of: code << UInt16(format.lowPadding), toByteOffset: 2 * index, as: UInt16.self)
    }
  }
}
