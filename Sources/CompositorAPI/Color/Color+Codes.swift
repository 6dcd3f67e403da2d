extension Color {
  /// R′, G′, B′ (nominally 0 … 1, not multiplied by alpha) in the primaries and the curve of `tags`: what ``LightConversion``
  /// makes of it. SDR white in an HDR signal is at 203 cd/m² unless the policy says otherwise (ITU-R BT.2408).
  ///
  /// - Throws: `.invalidValue` where a component is not finite, alpha is outside 0 … 1 or the policy is out of range;
  ///   `.conversionNotPossible` where primaries or curves are not known.
  public func encoded(
    in tags: ColorTags, policy: ColorConversionPolicy = .standard
  ) throws(CompositorError) -> SIMD3<Double> {
    let signal = SIMD3(red, green, blue)
    guard red.isFinite, green.isFinite, blue.isFinite, alpha >= 0, alpha <= 1 else {
      throw CompositorError(
        .invalidValue, "The color (\(red), \(green), \(blue), \(alpha)) is not one.",
        recoverySuggestion: "Give finite components and an alpha of 0 … 1.")
    }
    if primaries == tags.primaries, transfer.hasSameCurve(as: tags.transfer, policy: policy) { return signal }
    let own = ColorTags(primaries: primaries, transfer: transfer, matrix: .identity, range: .full)
    do throws(CompositorError) {
      return try LightConversion(from: own, to: tags, policy: policy).convert(signal)
    } catch {
      throw error.code == .conversionNotPossible ? cannotEncode(in: tags) : error
    }
  }

  /// Code values, as stored (integers for unsigned samples), of this color in a format: Y′, Cb, Cr, A or R, G, B, A.
  /// Color components are multiplied by alpha unless the attributes say that alpha is straight.
  ///
  /// - Throws: as ``encoded(in:policy:)``; `.conversionNotPossible` also where the matrix is not known.
  public func codes(
    format: PixelFormat, attributes: FrameAttributes, policy: ColorConversionPolicy = .standard
  ) throws(CompositorError) -> [Double] {
    var components = try encoded(in: attributes.color, policy: policy)
    if attributes.alphaMode != .straight { components *= alpha }
    if !format.isRGB {
      guard let matrix = attributes.color.matrix.rgbToYCbCr else { throw cannotEncode(in: attributes.color) }
      components = matrix * components
    }
    let keepsAlpha = format.hasAlpha && attributes.alphaMode != .opaque
    let values = [components.x, components.y, components.z, keepsAlpha ? alpha : 1]
    return zip(format.quantization(color: attributes.color), values).map { $0.stored($0.code($1)) }
  }

  private func cannotEncode(in tags: ColorTags) -> CompositorError {
    CompositorError(
      .conversionNotPossible,
      "A color with primaries \(primaries.rawValue) and transfer function \(transfer.rawValue) cannot be written with "
        + "primaries \(tags.primaries.rawValue), transfer function \(tags.transfer.rawValue), "
        + "matrix \(tags.matrix.rawValue) (H.273 numbers).",
      recoverySuggestion: "Name the color in sRGB, or in the output's own primaries and transfer function.")
  }
}
