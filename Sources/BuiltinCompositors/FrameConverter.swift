public import CompositorAPI

/// Turns a frame into another format or colour, at the same size.
public enum FrameConverter {
  /// Converts format, range, matrix, primaries, SDR curve, chroma siting and alpha.
  ///
  /// The result is within 1 code value of double precision. A frame that has the format and the colour already is handed
  /// on with the new attributes: no pixel is copied. Alpha that the target does not keep is seen over black.
  ///
  /// - Parameters:
  ///   - attributes: What the result is to be; its pixel aspect is taken as it is, without scaling.
  ///   - pool: Where the result and working rows come from.
  /// - Throws: `.conversionNotPossible` where a colour is not known, or HDR and SDR would have to be mixed;
  ///   `.framePoolExhausted`.
  public static func convert(
    _ frame: Frame, to format: PixelFormat, attributes: FrameAttributes, pool: FramePool
  ) throws(CompositorError) -> Frame {
    let source = SourceDescription(format: frame.format, size: frame.size, attributes: frame.attributes)
    let target = attributes.color.completed(for: format, size: frame.size)
    let keepsAlpha = format.hasAlpha && attributes.alphaMode != .opaque
    let alphaAgrees =
      source.usesAlpha ? attributes.alphaMode == frame.attributes.alphaMode : !keepsAlpha
    if frame.format == format, source.color.isEquivalent(to: target, in: format), alphaAgrees {
      var same = frame
      same.attributes = attributes
      return same
    }
    let context = RenderContext(
      size: frame.size, outputFormat: format, outputAttributes: attributes, pool: pool)
    let whole = Rect(x: 0, y: 0, width: Double(frame.size.width), height: Double(frame.size.height))
    let layer = ResolvedLayer(frame: frame, opacity: 1, sourceToOutput: .identity, crop: whole)
    return try GeneralRoute.compose([layer], background: .clear, context: context)
  }
}
