public import CompositorAPI

/// Turns frames into another format or color, at the same size.
///
/// It keeps the curves that its conversions need, so whoever converts frame after frame keeps a converter. A value; any threads
/// may share it.
public struct FrameConverter: Sendable {
  /// How SDR, HLG and PQ become each other.
  public let policy: ColorConversionPolicy
  private let curves = CurveTables()

  /// Makes a converter. The first conversion of a kind costs about a millisecond more, for its curves.
  public init(policy: ColorConversionPolicy = .standard) { self.policy = policy }

  /// Converts format, range, matrix, primaries, curve (SDR, HLG and PQ into each other: ``LightConversion``), chroma siting and
  /// alpha.
  ///
  /// The result is within 1 code value of double precision. A frame that has the format and the color already is handed
  /// on with the new attributes: no pixel is copied. Alpha that the target does not keep is seen over black.
  ///
  /// - Parameters:
  ///   - attributes: What the result is to be; its pixel aspect is taken as it is, without scaling.
  ///   - pool: Where the result and working rows come from.
  /// - Throws: `.conversionNotPossible` where a color is not known; `.invalidValue` for a policy that is out of range;
  ///   `.framePoolExhausted`.
  public func convert(
    _ frame: Frame, to format: PixelFormat, attributes: FrameAttributes, pool: FramePool
  ) throws(CompositorError) -> Frame {
    let source = SourceDescription(frame)
    let target = attributes.color.completed(for: format, size: frame.size)
    let keepsAlpha = format.hasAlpha && attributes.alphaMode != .opaque
    let alphaAgrees =
      source.usesAlpha ? attributes.alphaMode == frame.attributes.alphaMode : !keepsAlpha
    if alphaAgrees, source.difference(from: format, target, policy: policy) == nil {
      var same = frame
      same.attributes = attributes
      return same
    }
    let context = RenderContext(
      size: frame.size, outputFormat: format, outputAttributes: attributes, colorConversion: policy, pool: pool)
    return try store(frame, source, in: context)
  }

  private func store(
    _ frame: Frame, _ source: SourceDescription, in context: RenderContext
  ) throws(CompositorError) -> Frame {
    let signal = MixingSignal(sources: [source], context: context)
    // As over a background: an output in which black cannot be written is no output.
    _ = try signal.components(of: .clear)
    let reader = try SignalReader(frame, signal: signal, curves: curves)
    var working = try context.pool.makeFrame(format: .rgbaFloat, size: SignalRows.frameSize(columns: frame.size.width))
    var output = try context.makeFrame()
    try working.withUnsafeMutablePlanes { (working) throws(CompositorError) in
      let rows = SignalRows(working)
      for row in [rows.row(.ones), rows.alpha(.picture)] { row.update(repeating: 1, count: rows.stride) }
      try output.withUnsafeMutablePlanes { (planes) throws(CompositorError) in
        let writer = try SignalWriter(
          planes, sources: [frame.format], signal: signal, context: context, curves: curves)
        for y in 0..<frame.size.height {
          reader.read(row: y, columns: 0..<frame.size.width, into: rows, as: .picture)
          writer.write(row: y, from: rows)
        }
      }
    }
    return output.freeze()
  }

  /// Converts one frame with the standard policy, or with another one.
  public static func convert(
    _ frame: Frame, to format: PixelFormat, attributes: FrameAttributes, pool: FramePool,
    policy: ColorConversionPolicy = .standard
  ) throws(CompositorError) -> Frame {
    try FrameConverter(policy: policy).convert(frame, to: format, attributes: attributes, pool: pool)
  }
}
