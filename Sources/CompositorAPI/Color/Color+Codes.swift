extension Color {
  /// R′, G′, B′ (nominally 0 … 1, not multiplied by alpha) in the primaries and the curve of `tags`.
  ///
  /// An SDR colour in an HDR signal has its white at 203 cd/m² (PQ) or 75 % (HLG), ITU-R BT.2408.
  ///
  /// - Throws: `.invalidValue` where a component is not finite or alpha is outside 0 … 1; `.conversionNotPossible` where
  ///   primaries or curves are not known, or an HDR colour is asked for in an SDR signal.
  public func encoded(in tags: ColorTags) throws(CompositorError) -> SIMD3<Double> {
    let signal = SIMD3(red, green, blue)
    guard red.isFinite, green.isFinite, blue.isFinite, alpha >= 0, alpha <= 1 else {
      throw CompositorError(
        .invalidValue, "The colour (\(red), \(green), \(blue), \(alpha)) is not one.",
        remedy: "Give finite components and an alpha of 0 … 1.")
    }
    if primaries == tags.primaries, transfer.hasSameCurve(as: tags.transfer) { return signal }
    guard let gamut = primaries.conversion(to: tags.primaries), let scale = whiteScale(in: tags.transfer),
      let red = transfer.decode(signal.x), let green = transfer.decode(signal.y), let blue = transfer.decode(signal.z)
    else { throw cannotEncode(in: tags) }
    let light = gamut * SIMD3(red, green, blue) * scale
    guard let r = tags.transfer.encode(light.x), let g = tags.transfer.encode(light.y),
      let b = tags.transfer.encode(light.z)
    else { throw cannotEncode(in: tags) }
    return SIMD3(r, g, b)
  }

  /// Code values, as stored (whole numbers for unsigned samples), of this colour in a format: Y′, Cb, Cr, A or R, G, B, A.
  /// Colour components are multiplied by alpha unless the attributes say that alpha is straight.
  ///
  /// - Throws: as ``encoded(in:)``; `.conversionNotPossible` also where the matrix is not known.
  public func codes(format: PixelFormat, attributes: FrameAttributes) throws(CompositorError) -> [Double] {
    var components = try encoded(in: attributes.color)
    if attributes.alphaMode != .straight { components *= alpha }
    if !format.isRGB {
      guard let matrix = attributes.color.matrix.rgbToYCbCr else { throw cannotEncode(in: attributes.color) }
      components = matrix * components
    }
    let keepsAlpha = format.hasAlpha && attributes.alphaMode != .opaque
    let values = [components.x, components.y, components.z, keepsAlpha ? alpha : 1]
    return zip(format.quantization(color: attributes.color), values).map { $0.stored($0.code($1)) }
  }

  private func whiteScale(in target: TransferFunction) -> Double? {
    if transfer.isHDR || target.isHDR, transfer == target { return 1 }
    guard !transfer.isHDR else { return nil }
    return target == .pq ? 203.0 / 10_000 : target == .hlg ? TransferFunction.hlg.decode(0.75) : 1
  }

  private func cannotEncode(in tags: ColorTags) -> CompositorError {
    CompositorError(
      .conversionNotPossible,
      "A colour with primaries \(primaries.rawValue) and transfer function \(transfer.rawValue) cannot be written with "
        + "primaries \(tags.primaries.rawValue), transfer function \(tags.transfer.rawValue), "
        + "matrix \(tags.matrix.rawValue) (H.273 numbers).",
      remedy: "Name the colour in sRGB, or in the output's own primaries and transfer function.")
  }
}
