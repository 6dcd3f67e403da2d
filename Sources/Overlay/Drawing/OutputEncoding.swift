import CCompositorKernels
package import CompositorAPI

/// How colours and coverage become the samples of an output: which component stands where, and what a code is.
package struct OutputEncoding: Sendable {
  /// One component: `code = (row · R′G′B′) · scale + offset`, in fractions of 65536 (float samples: of 1).
  package struct Component: Sendable {
    package var plane: Int
    /// Samples from the start of a position to this component.
    package var sampleOffset: Int
    /// Samples from position to position.
    package var step: Int
    package var matrix: SIMD3<Float>
    package var scale: Float
    package var offset: Float
  }

  package let format: PixelFormat
  package let attributes: FrameAttributes
  /// Y′, Cb, Cr or R′, G′, B′; and alpha where the output keeps it.
  package let components: [Component]
  /// Parts of 4 of three luma rows, then of three luma columns, that a chroma sample is made of, by its siting.
  package let chromaTaps: [Int32]

  /// - Throws: `.conversionNotPossible` for a matrix or a transfer function that is not known.
  package init(format: PixelFormat, attributes: FrameAttributes, size: PixelSize) throws(CompositorError) {
    self.format = format
    var resolved = attributes
    resolved.color = attributes.color.resolved(for: size)
    self.attributes = resolved
    let color = resolved.color
    guard let matrix = format.isRGB ? Matrix3.identity : color.matrix.rgbToYCbCr, color.transfer.hasCurve else {
      throw CompositorError(
        .conversionNotPossible,
        "Titles cannot be drawn with matrix \(color.matrix.rawValue) and transfer function \(color.transfer.rawValue) (H.273).",
        recoverySuggestion: "Name an output colour, such as BT.709.")
    }
    chromaTaps = OutputEncoding.taps(format, color.chromaLocation)
    let rows = [matrix.rows.0, matrix.rows.1, matrix.rows.2, .zero]
    let quantization = format.quantization(color: color)
    let places = OutputEncoding.places(format)
    let unit = format.sample == .unsigned ? 65536 / Double(1 << format.bitDepth) : 1
    let keepsAlpha = format.hasAlpha && attributes.alphaMode != .opaque
    components = (0..<(keepsAlpha ? 4 : 3)).map { index in
      // Alpha is the coverage itself: a colour component that is 1 everywhere.
      let (scale, offset) = (quantization[index].scale * unit, quantization[index].offset * unit)
      return Component(
        plane: places[index].plane, sampleOffset: places[index].offset, step: places[index].step,
        matrix: SIMD3<Float>(rows[index]), scale: index == 3 ? 0 : Float(scale), offset: Float(index == 3 ? scale : offset))
    }
  }

  private static func places(_ format: PixelFormat) -> [(plane: Int, offset: Int, step: Int)] {
    switch format.layout {
    case .planar: [(0, 0, 1), (1, 0, 1), (2, 0, 1), (3, 0, 1)]
    case .semiPlanar: [(0, 0, 1), (1, 0, 2), (1, 1, 2), (1, 0, 2)]
    case .packedRGBA: [(0, 0, 4), (0, 1, 4), (0, 2, 4), (0, 3, 4)]
    case .packedBGRA: [(0, 2, 4), (0, 1, 4), (0, 0, 4), (0, 3, 4)]
    }
  }

  /// Bits that a stored sample is moved up by to be a fraction of 65536.
  package var shift: Int32 { Int32(16 - format.bitDepth - format.lowPadding) }

  /// Whether samples are numbers with a fraction.
  package var isFloat: Bool { format.sample != .unsigned }

  /// Whether a component stands on the coarser grid of chroma.
  package func isSubsampled(_ component: Component) -> Bool {
    format.subsampling != .s444 && component.plane > 0 && component.plane < 3
  }

  /// R′, G′, B′ of a colour in the output's signal, and its alpha, premultiplied.
  package func premultiplied(_ color: Color) throws(CompositorError) -> SIMD4<Float> {
    // An easing that overshoots may ask for more than everything.
    let alpha = min(max(color.alpha, 0), 1)
    let rgb = try color.encoded(in: attributes.color) * alpha
    return SIMD4(Float(rgb.x), Float(rgb.y), Float(rgb.z), Float(alpha))
  }

  private static func taps(_ format: PixelFormat, _ location: ChromaLocation) -> [Int32] {
    let columns: [Int32] = location.horizontalOffset == 0 ? [1, 2, 1] : [0, 2, 2]
    guard format.subsampling == .s420 else { return [0, 4, 0] + columns }
    return (location.verticalOffset == 0 ? [1, 2, 1] : [0, 2, 2]) + columns
  }

  /// Parts of 1 of a chroma sample that the luma samples around it have: rows −1, 0, 1 and columns −1, 0, 1 in turn.
  package var chromaWeights: [(row: Int, column: Int, weight: Float)] {
    (0..<9).compactMap { index in
      let weight = Float(chromaTaps[index / 3] * chromaTaps[3 + index % 3]) / 16
      return weight > 0 ? (index / 3 - 1, index % 3 - 1, weight) : nil
    }
  }
}

extension Projection {
  /// The line through the places that the pixels of row `y` from `x` on map to.
  func line(x: Int, y: Int) -> cpk_overlay_line {
    let (px, py) = (Double(x) + 0.5, Double(y) + 0.5)
    return cpk_overlay_line(
      u: a * px + c * py + tx, v: b * px + d * py + ty, w: g * px + h * py + w, du: a, dv: b, dw: g)
  }
}
