import CompositorAPI
import CompositorConversion

/// How a source's frames become planes in the output's format and color, the input of the planar route.
package enum PlanarPreparation: Hashable, Sendable {
  /// They already are.
  case asIs
  /// Samples are stored differently: interleaved chroma, or fewer bits. No sample moves.
  case repacking
  /// A still, which is converted once, reduced once per power of two, and kept.
  case still(level: Int)
  /// They don't. The layer, and with it every one in front, is converted inside its box and composited over the planes.
  case overlaid

  /// Chooses the cheapest preparation of a layer.
  ///
  /// - Parameter context: Output in planes of Y′CbCr.
  static func choose(for layer: LayerPlacement, context: RenderContext) -> PlanarPreparation {
    let source = layer.source
    if layer.decoration != nil || !layer.moments.isEmpty { return .overlaid }
    if LayerRoute.difference(of: source, from: context) == nil { return .asIs }
    if source.usesAlpha { return .overlaid }
    if PlanarRepacking.accepts(source, for: context) { return .repacking }
    guard source.isStill, source.format.sample == .unsigned else { return .overlaid }
    let footprint = layer.sourceToOutput.smallestFootprint
    // When enlarged, a source's finer chroma is worth more than the output's.
    guard footprint >= 0.999 || source.format.isSubsampled(as: context.outputFormat) else { return .overlaid }
    return .still(level: level(footprint: footprint, size: source.size))
  }

  /// The coarsest power-of-two reduction that leaves at least four samples per output sample along each axis.
  ///
  /// A reduced sample on the border of two output samples is divided as if it were uniform, which shows with too few samples:
  /// noise of single pixels is off by 40 codes of 8 bits with one or two, by 15 with two to four, and by 5 with four to
  /// eight.
  static func level(footprint: Double, size: PixelSize) -> Int {
    var level = 0
    while level < 12, footprint >= Double(8 << level) * (1 - 1e-9), min(size.width, size.height) >> (level + 1) > 0 {
      level += 1
    }
    return level
  }
}

extension PixelFormat {
  /// Whether chroma is stored at most as finely as in another format.
  fileprivate func isSubsampled(as other: PixelFormat) -> Bool {
    subsampling.horizontalShift >= other.subsampling.horizontalShift
      && subsampling.verticalShift >= other.subsampling.verticalShift
  }
}

extension AffineMatrix {
  /// Source samples per output sample, along the source axis that has fewer; 0 for a matrix that flattens.
  fileprivate var smallestFootprint: Double {
    guard let inverse = inverted, inverse.isFinite else { return 0 }
    let x = (inverse.a * inverse.a + inverse.c * inverse.c).squareRoot()
    let y = (inverse.b * inverse.b + inverse.d * inverse.d).squareRoot()
    return x.isFinite && y.isFinite ? min(x, y) : 0
  }
}
