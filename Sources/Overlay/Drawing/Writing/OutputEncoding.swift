import CCompositorKernels
package import CompositorAPI
package import CompositorConversion

/// The conversion of colors and coverage to the codes of an output.
package struct OutputEncoding: Sendable {
  /// One component: `code = (row · R′G′B′) · scale + offset`, in fractions of 65536 (float samples: of 1).
  package struct Component: Sendable {
    package var matrix: SIMD3<Float>
    package var scale: Float
    package var offset: Float
  }

  package let attributes: FrameAttributes
  /// The layout of the samples.
  package let layout: SampleLayout
  /// Y′, Cb, Cr or R′, G′, B′, and alpha if the output has it, in the order of the layout.
  package let components: [Component]

  /// The conversion of colors to the output's color.
  package let policy: ColorConversionPolicy
  /// Decodes the output's signal to light if light is blended; `nil` if the signal is blended.
  package let light: LightCoding?
  /// From codes of the three components to R′, G′, B′, row-major, if gradients are dithered: in 8 bits, unless the policy
  /// differs.
  let dither: [Float]?

  /// - Throws: `.conversionNotPossible` if the matrix or the transfer function is unknown.
  package init(
    format: PixelFormat, attributes: FrameAttributes, size: PixelSize, policy: ColorConversionPolicy = .standard,
    blending: BlendingSpace = .encoded
  ) throws(CompositorError) {
    self.policy = policy
    var resolved = attributes
    resolved.color = attributes.color.resolved(for: size)
    self.attributes = resolved
    let color = resolved.color
    guard let matrix = format.isRGB ? Matrix3.identity : color.matrix.rgbToYCbCr, color.transfer.hasCurve else {
      throw CompositorError(
        .conversionNotPossible,
        "Titles cannot be drawn with matrix \(color.matrix.rawValue) and transfer function \(color.transfer.rawValue) (H.273).",
        recoverySuggestion: "Name an output color, such as BT.709.")
    }
    light = blending == .linear ? try LightCoding(color, format: format, policy: policy) : nil
    let layout = SampleLayout(format, color: color)
    self.layout = layout
    dither = OutputEncoding.dither(layout, matrix, policy)
    let rows = [matrix.rows.0, matrix.rows.1, matrix.rows.2, .zero]
    let keepsAlpha = format.hasAlpha && attributes.alphaMode != .opaque
    components = layout.components.prefix(keepsAlpha ? 4 : 3).map { component in
      let (scale, offset) = (
        component.quantization.scale * layout.blendUnit, component.quantization.offset * layout.blendUnit
      )
      // Alpha is the coverage: a color component that is 1 everywhere.
      let isAlpha = component.index == 3
      return Component(
        matrix: SIMD3<Float>(rows[component.index]), scale: isAlpha ? 0 : Float(scale),
        offset: Float(isAlpha ? scale : offset))
    }
  }

  package var format: PixelFormat { layout.format }

  private static func dither(_ layout: SampleLayout, _ matrix: Matrix3, _ policy: ColorConversionPolicy) -> [Float]? {
    guard policy.dithering == .ordered, layout.format.sample == .unsigned, layout.format.bitDepth == 8,
      let toRGB = matrix.inverted
    else { return nil }
    let steps = layout.components.prefix(3).map { 1 / $0.quantization.scale }
    let codes = toRGB * Matrix3.diagonal(SIMD3(steps[0], steps[1], steps[2]))
    return [codes.rows.0, codes.rows.1, codes.rows.2].flatMap { [Float($0.x), Float($0.y), Float($0.z)] }
  }

  /// Whether samples are floating-point.
  package var isFloat: Bool { format.sample != .unsigned }

  /// R′, G′, B′ of a color in the output's signal, or its light if light is blended, and its alpha; premultiplied.
  package func premultiplied(_ color: Color) throws(CompositorError) -> SIMD4<Float> {
    let signal = try color.encoded(in: attributes.color, policy: policy)
    return color.premultiplying(light?.light(of: signal) ?? signal)
  }

  /// R′, G′, B′ of a color in the output's signal, and its alpha; premultiplied.
  package func premultipliedSignal(_ color: Color) throws(CompositorError) -> SIMD4<Float> {
    color.premultiplying(try color.encoded(in: attributes.color, policy: policy))
  }

  /// The weights, with a sum of 1, of the luma samples around a chroma sample: rows −1, 0, 1 and columns −1, 0, 1.
  package var chromaWeights: [(row: Int, column: Int, weight: Float)] {
    let taps = layout.chroma.taps
    return (0..<9).compactMap { index in
      let weight = Float(taps[index / 3] * taps[3 + index % 3]) / 16
      return weight > 0 ? (index / 3 - 1, index % 3 - 1, weight) : nil
    }
  }
}

extension Color {
  fileprivate func premultiplying(_ components: SIMD3<Double>) -> SIMD4<Float> {
    // An easing that overshoots may exceed the range.
    let alpha = min(max(alpha, 0), 1)
    let rgb = components * alpha
    return SIMD4(Float(rgb.x), Float(rgb.y), Float(rgb.z), Float(alpha))
  }
}

extension Projection {
  /// The line of positions that the pixels of row `y` from `x` on map to.
  func line(x: Int, y: Int) -> cpk_overlay_line {
    let (px, py) = (Double(x) + 0.5, Double(y) + 0.5)
    return cpk_overlay_line(
      u: a * px + c * py + tx, v: b * px + d * py + ty, w: g * px + h * py + w, du: a, dv: b, dw: g)
  }
}
