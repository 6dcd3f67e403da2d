import CompositorAPI
import CompositorConversion

/// How a source's frames become planes in the output's format and color, the input of the planar route.
enum PlanarPreparation: Equatable {
  /// They already are.
  case none
  /// Samples are stored differently: interleaved chroma, or fewer bits. No sample moves.
  case repacking
  /// A still, which is converted once, reduced once per power of two, and kept.
  case still(level: Int)

  /// Chooses the cheapest preparation.
  ///
  /// - Parameters:
  ///   - sourceToOutput: The position of the layer.
  ///   - context: Output in planes of Y′CbCr.
  /// - Returns: The preparation, or the obstacle as one clause.
  static func choose(
    _ source: SourceDescription, sourceToOutput: AffineMatrix, isDecorated: Bool, context: RenderContext
  ) -> (preparation: PlanarPreparation?, obstacle: String) {
    if isDecorated { return (nil, "it has round corners, a border or a shadow") }
    guard let difference = LayerRoute.difference(of: source, from: context) else { return (PlanarPreparation.none, "") }
    if source.usesAlpha { return (nil, difference) }
    if PlanarRepacking.accepts(source, for: context) { return (.repacking, "") }
    guard source.isStill, source.format.sample == .unsigned else { return (nil, difference) }
    let footprint = sourceToOutput.smallestFootprint
    // When enlarged, a source's finer chroma is worth more than the output's.
    guard footprint >= 0.999 || source.format.isSubsampled(as: context.outputFormat) else { return (nil, difference) }
    return (.still(level: level(footprint: footprint, size: source.size)), "")
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
