package import CompositorAPI

extension RenderContext {
  /// A frame in this context's format and color, converted by its policy.
  ///
  /// - Throws: Errors of ``FrameConverter/convert(_:to:attributes:pool:policy:)``.
  package func converted(_ frame: Frame) throws(CompositorError) -> Frame {
    try FrameConverter.convert(
      frame, to: outputFormat, attributes: outputAttributes, pool: pool, policy: colorConversion)
  }

  /// Converts a finished frame to this context's format and color, if it was processed at a higher depth than its sources.
  ///
  /// Codes are dithered only if one of the sources is deeper than the output, so codes that an effect does not change are
  /// preserved.
  ///
  /// - Throws: Errors of ``FrameConverter/convert(_:to:attributes:pool:policy:)``.
  package func stored(_ frame: Frame, madeOf sources: [Frame]) throws(CompositorError) -> Frame {
    var context = self
    if !sources.contains(where: { $0.format.isDeeper(than: outputFormat) }) { context.colorConversion.dithering = .none }
    return try context.converted(frame)
  }
}

extension PixelFormat {
  /// Whether a sample distinguishes values that one of `other` does not.
  func isDeeper(than other: PixelFormat) -> Bool {
    other.sample == .unsigned && (sample != .unsigned || bitDepth > other.bitDepth)
  }
}
