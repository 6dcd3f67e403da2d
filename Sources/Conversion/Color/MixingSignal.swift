package import CompositorAPI

/// The three components in which layers are mixed, chosen once for all sources of a frame.
package struct MixingSignal: Sendable {
  /// The kind of components.
  package enum Kind: Sendable {
    /// The output's own Y′, Cb, Cr. All sources share its color, so no matrix is needed.
    case yCbCr
    /// R′, G′, B′ in the output's primaries and transfer function.
    case rgb
    /// R, G, B in linear light, in the output's primaries.
    case linearRGB
  }

  package let kind: Kind
  /// The output's color.
  package let color: ColorTags
  /// The policy for converting sources of other kinds.
  let policy: ColorConversionPolicy
  /// Whether the output has more than 10 bits, so that curves need higher accuracy.
  let isPrecise: Bool

  /// The signal in which a context's sources are mixed.
  package init(sources: [SourceDescription], context: RenderContext) {
    let color = context.outputColor
    self.color = color
    policy = context.colorConversion
    isPrecise = context.outputFormat.sample != .unsigned || context.outputFormat.bitDepth > 10
    if context.blending == .linear {
      kind = .linearRGB
    } else {
      let sharesMatrix = sources.allSatisfy { description in
        let source = description.color
        return !description.format.isRGB && source.primaries == color.primaries
          && source.transfer.hasSameCurve(as: color.transfer, policy: context.colorConversion)
          && source.hasSameMatrix(as: color)
      }
      kind = !context.outputFormat.isRGB && sharesMatrix ? .yCbCr : .rgb
    }
  }

  /// A color's components in this signal, premultiplied.
  package func components(of background: Color) throws(CompositorError) -> SIMD3<Double> {
    var signal = try background.encoded(in: color, policy: policy)
    switch kind {
    case .rgb: break
    case .linearRGB:
      signal = try LightConversion(from: color, to: color, policy: policy, mixesLight: true).light(of: signal)
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
