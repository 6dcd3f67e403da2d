/// The mapping of a component's nominal value to an unrounded code value: `code = value · scale + offset`.
///
/// Nominal values are 0 … 1 for Y′, R′, G′, B′ and alpha, −0.5 … 0.5 for Cb and Cr. ITU-R BT.709 clause 5, BT.2100 table 9.
public struct Quantization: Hashable, Sendable {
  /// The kind of component.
  public enum Component: Hashable, Sendable {
    /// Y′, R′, G′ or B′.
    case luma
    /// Cb or Cr.
    case chroma
    /// Alpha; full range in every format.
    case alpha
  }

  /// Code values per unit.
  public var scale: Double
  /// The code value of 0.
  public var offset: Double
  /// The largest code value of integer samples; infinite for floating-point samples.
  public var maximumCode: Double

  /// Creates the quantization of a component in a format and range. Code values don't include ``PixelFormat/lowPadding``.
  /// Floating-point samples contain nominal values.
  public init(_ component: Component, format: PixelFormat, range: ColorRange) {
    guard format.sample == .unsigned else {
      self.init(scale: 1, offset: 0, maximumCode: .infinity)
      return
    }
    let step = Double(1 << (format.bitDepth - 8))
    let maximum = Double(1 << format.bitDepth) - 1
    switch (component, range) {
    case (.alpha, _), (.luma, .full): self.init(scale: maximum, offset: 0, maximumCode: maximum)
    case (.luma, .limited): self.init(scale: 219 * step, offset: 16 * step, maximumCode: maximum)
    case (.chroma, .limited): self.init(scale: 224 * step, offset: 128 * step, maximumCode: maximum)
    case (.chroma, .full): self.init(scale: maximum, offset: 128 * step, maximumCode: maximum)
    }
  }

  private init(scale: Double, offset: Double, maximumCode: Double) {
    (self.scale, self.offset, self.maximumCode) = (scale, offset, maximumCode)
  }

  /// The code value of a nominal value, neither rounded nor limited.
  public func code(_ value: Double) -> Double { value * scale + offset }
  /// The nominal value of a code value.
  public func value(_ code: Double) -> Double { (code - offset) / scale }
  /// The code value as stored: rounded half up and limited to 0 … ``maximumCode``; 0 for NaN.
  public func stored(_ code: Double) -> Double {
    guard maximumCode.isFinite else { return code }
    return code > 0 ? min((code + 0.5).rounded(.down), maximumCode) : 0
  }
}

extension PixelFormat {
  /// The quantization of the components of a position, in the order Y′, Cb, Cr, A or R′, G′, B′, A.
  ///
  /// With ``MatrixCoefficients/identity`` the three planes of a planar format contain G′, B′, R′, quantized alike.
  public func quantization(color: ColorTags) -> [Quantization] {
    let second: Quantization.Component = isRGB || color.matrix == .identity ? .luma : .chroma
    return [.luma, second, second, .alpha].map { Quantization($0, format: self, range: color.range) }
  }
}

extension Color {
  /// R′, G′, B′ (nominally 0 … 1, not premultiplied) in the primaries and transfer function of `tags`, converted by
  /// ``LightConversion``. SDR white in an HDR signal is at 203 cd/m² unless the policy specifies otherwise (ITU-R BT.2408).
  ///
  /// - Throws: `.invalidValue` if a component isn't finite, alpha is outside 0 … 1, or the policy is out of range;
  ///   `.conversionNotPossible` if primaries or curves aren't known.
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
      return try LightConversion(from: own, to: tags, policy: policy, isLimiting: false).convert(signal)
    } catch {
      throw error.code == .conversionNotPossible ? cannotEncode(in: tags) : error
    }
  }

  /// The stored code values (integers for unsigned samples) of this color in a format: Y′, Cb, Cr, A or R, G, B, A. Color
  /// components are premultiplied unless the attributes specify straight alpha.
  ///
  /// - Throws: The errors of ``encoded(in:policy:)``; also `.conversionNotPossible` if the matrix isn't known.
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
