import CompositorAPI

/// In which three components the general route mixes layers: one choice for all layers of a frame.
struct GeneralSignal: Sendable {
  /// What the components are.
  enum Kind: Sendable {
    /// The output's own Y′, Cb, Cr: every source has the same, so no matrix is applied on either side.
    case yCbCr
    /// R′, G′, B′ in the output's primaries and curve.
    case rgb
    /// R, G, B in linear light, in the output's primaries.
    case linearRGB
  }

  let kind: Kind
  /// The output's colour.
  let color: ColorTags
  /// How sources of another kind become it.
  let policy: ColorConversionPolicy
  /// Whether the output has more than 10 bits, so that curves must be exact to more.
  let isPrecise: Bool

  init(layers: [ResolvedLayer], context: RenderContext) {
    let color = context.outputColor
    self.color = color
    policy = context.colorConversion
    isPrecise = context.outputFormat.sample != .unsigned || context.outputFormat.bitDepth > 10
    if context.blending == .linear {
      kind = .linearRGB
    } else {
      let sharesMatrix = layers.allSatisfy { layer in
        let source = layer.color
        return !layer.frame.format.isRGB && source.primaries == color.primaries
          && source.transfer.hasSameCurve(as: color.transfer) && source.hasSameMatrix(as: color)
      }
      kind = !context.outputFormat.isRGB && sharesMatrix ? .yCbCr : .rgb
    }
  }

  /// A colour's components in this signal, multiplied by its alpha.
  func components(of background: Color) throws(CompositorError) -> SIMD3<Double> {
    var signal = try background.encoded(in: color, policy: policy)
    switch kind {
    case .rgb: break
    case .linearRGB:
      signal = try LightConversion(from: color, to: color, policy: policy).light(of: signal)
    case .yCbCr:
      guard let matrix = color.matrix.rgbToYCbCr else { throw ColorConversion.unknownMatrix(color.matrix) }
      signal = matrix * signal
    }
    return signal * background.alpha
  }
}

extension ColorTags {
  func hasSameMatrix(as other: ColorTags) -> Bool {
    if matrix == other.matrix { return true }
    guard let mine = matrix.rgbToYCbCr else { return false }
    return mine == other.matrix.rgbToYCbCr
  }
}

extension ResolvedLayer {
  /// The frame's colour tags without unspecified parts.
  var color: ColorTags { frame.attributes.color.completed(for: frame.format, size: frame.size) }
  /// Whether alpha is stored and counts.
  var usesAlpha: Bool { frame.format.hasAlpha && frame.attributes.alphaMode != .opaque }
}
