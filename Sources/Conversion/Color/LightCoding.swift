import CCompositorKernels
package import CompositorAPI

/// Converts an output's R′, G′, B′ to linear display light and back, for code that blends light in rows of its own.
package struct LightCoding: Sendable {
  /// The working memory in floats for a row of `count` pixels.
  package static func roomCount(columns count: Int) -> Int { 4 * count }

  private let conversion: LightConversion
  private let decoding: ColorConversion
  private let encoding: ColorConversion

  /// - Parameter color: The output's color, without unspecified parts.
  /// - Throws: `.conversionNotPossible` if primaries or transfer function are unknown; `.invalidValue` if the policy is out
  ///   of range.
  package init(_ color: ColorTags, format: PixelFormat, policy: ColorConversionPolicy) throws(CompositorError) {
    var rgb = color
    rgb.matrix = .identity
    let context = RenderContext(
      size: PixelSize(width: 1, height: 1), outputFormat: format, outputAttributes: FrameAttributes(color: rgb),
      blending: .linear, colorConversion: policy, pool: FramePool(maximumOutstanding: 1))
    let (signal, curves) = (MixingSignal(sources: [], context: context), CurveTables())
    conversion = try LightConversion(from: rgb, to: rgb, policy: policy, mixesLight: true)
    decoding = try ColorConversion(from: rgb, metadata: nil, format: .rgbaFloat, to: signal, curves: curves)
    encoding = try ColorConversion(encoding: signal, curves: curves)
  }

  /// The light of one color.
  package func light(of signal: SIMD3<Double>) -> SIMD3<Double> { conversion.light(of: signal) }

  /// Decodes a row of premultiplied R′, G′, B′, A to premultiplied light, in place.
  ///
  /// - Parameter room: ``roomCount(columns:)`` floats.
  package func decode(_ row: UnsafeMutablePointer<Float>, count: Int, room: UnsafeMutablePointer<Float>) {
    convert(row, count: count, room: room, by: decoding)
  }

  /// Encodes a row of premultiplied light, in place.
  package func encode(_ row: UnsafeMutablePointer<Float>, count: Int, room: UnsafeMutablePointer<Float>) {
    convert(row, count: count, room: room, by: encoding)
  }

  private func convert(
    _ row: UnsafeMutablePointer<Float>, count: Int, room: UnsafeMutablePointer<Float>, by conversion: ColorConversion
  ) {
    let parts = (0..<4).map { room + $0 * count }
    for index in 0..<3 {
      let unit: [Float] = [index == 0 ? 1 : 0, index == 1 ? 1 : 0, index == 2 ? 1 : 0]
      cpk_overlay_surface_codes(row, unit, 1, 0, parts[index], count)
    }
    cpk_overlay_surface_codes(row, [0, 0, 0], 0, 1, parts[3], count)
    for index in 0..<3 { cpk_convert_divide(parts[index], parts[3], count) }
    conversion.apply((parts[0], parts[1], parts[2]), count: count)
    for index in 0..<3 { cpk_convert_multiply(parts[index], parts[3], count) }
    cpk_general_join(parts[0], parts[1], parts[2], parts[3], row, count)
  }
}
