public import CompositorAPI

/// Converts frames to another format or color, at the same size.
///
/// A converter caches the curves that its conversions need, so use the same converter for many frames. Converters can be shared
/// between threads.
public struct FrameConverter: Sendable {
  /// The policy for conversions between SDR, HLG and PQ.
  public let policy: ColorConversionPolicy
  private let curves: CurveTables

  /// Creates a converter. The first conversion of each kind takes about a millisecond longer, to compute its curves.
  public init(policy: ColorConversionPolicy = .standard) { self.init(policy: policy, curves: CurveTables()) }

  /// Creates a converter with curves that others share.
  package init(policy: ColorConversionPolicy, curves: CurveTables) { (self.policy, self.curves) = (policy, curves) }

  /// Converts format, range, matrix, primaries, transfer function (including SDR, HLG and PQ: `LightConversion`), chroma
  /// siting and alpha.
  ///
  /// The result is within 1 code value of a result in double precision. If nothing but the storage of Y′CbCr without alpha changes
  /// (planes or interleaved chroma, depth, an alpha that covers everything), each sample keeps its position and, unless the depth
  /// decreases, its value. A frame that already has the format and color is
  /// returned with the new attributes, without a copy. If the target has no alpha, the frame is composited over black.
  ///
  /// - Parameters:
  ///   - attributes: The attributes of the result. Their pixel aspect ratio is set without scaling the frame.
  ///   - pool: The pool for the result and for working rows.
  /// - Throws: `.conversionNotPossible` if a color is unknown; `.invalidValue` if the policy is out of range;
  ///   `.framePoolExhausted`; `.deviceFailed` if the frame can't be downloaded.
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
    return try store(frame.downloaded(for: "conversion", pool: pool), source, in: context)
  }

  private func store(
    _ frame: Frame, _ source: SourceDescription, in context: RenderContext
  ) throws(CompositorError) -> Frame {
    let signal = MixingSignal(sources: [source], context: context)
    // As with a background, reject outputs in which black cannot be encoded.
    _ = try signal.components(of: .clear)
    let reader = try SignalReader(frame, signal: signal, curves: curves)
    if SampleMove.isWhole(source, into: context) { return try SampleMove.moved(frame, into: context) }
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

  /// Converts one frame with a policy.
  public static func convert(
    _ frame: Frame, to format: PixelFormat, attributes: FrameAttributes, pool: FramePool,
    policy: ColorConversionPolicy = .standard
  ) throws(CompositorError) -> Frame {
    try FrameConverter(policy: policy).convert(frame, to: format, attributes: attributes, pool: pool)
  }
}
