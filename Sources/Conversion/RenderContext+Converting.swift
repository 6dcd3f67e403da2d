package import CompositorAPI

extension RenderContext {
  /// A frame in this context's format and color, converted by its policy.
  ///
  /// - Throws: What ``FrameConverter/convert(_:to:attributes:pool:policy:)`` throws.
  package func converted(_ frame: Frame) throws(CompositorError) -> Frame {
    try FrameConverter.convert(
      frame, to: outputFormat, attributes: outputAttributes, pool: pool, policy: colorConversion)
  }

  /// A finished picture in this context's format and color, where it was worked on in more bits than it was made of.
  ///
  /// Codes are dithered only where one of the sources is deeper than the output: what an effect leaves alone keeps its codes.
  ///
  /// - Throws: What ``FrameConverter/convert(_:to:attributes:pool:policy:)`` throws.
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
