import CompositorAPI
import CompositorConversion

/// How a source's pictures become planes in the output's format and color: what the planar route is made of.
enum PlanarPreparation: Equatable {
  /// They are that already.
  case none
  /// Their samples are stored in another way: chroma interleaved, or fewer bits. Each sample stays where it is.
  case repacking
  /// They are one picture, which is converted once, reduced once for each power of two, and kept.
  case still(level: Int)

  /// Chooses the cheapest preparation.
  ///
  /// - Parameters:
  ///   - sourceToOutput: Where the layer is.
  ///   - context: With an output in planes of Y′CbCr.
  /// - Returns: The preparation, or why there is none, one clause.
  static func choose(
    _ source: SourceDescription, sourceToOutput: AffineMatrix, isDecorated: Bool, context: RenderContext
  ) -> (preparation: PlanarPreparation?, obstacle: String) {
    if isDecorated { return (nil, "it has round corners, a border or a shadow") }
    guard let difference = LayerRoute.difference(of: source, from: context) else { return (PlanarPreparation.none, "") }
    if source.usesAlpha { return (nil, difference) }
    if PlanarRepacking.accepts(source, for: context) { return (.repacking, "") }
    guard source.isStill, source.format.sample == .unsigned else { return (nil, difference) }
    let footprint = sourceToOutput.smallestFootprint
    // Enlarged, chroma of its own resolution is worth more than the output's.
    guard footprint >= 0.999 || source.format.isSubsampled(as: context.outputFormat) else { return (nil, difference) }
    return (.still(level: level(footprint: footprint, size: source.size)), "")
  }

  /// The coarsest reduction by a power of two of which a sample is still no larger than one of the output.
  static func level(footprint: Double, size: PixelSize) -> Int {
    var level = 0
    while level < 12, footprint >= Double(2 << level) * (1 - 1e-9), min(size.width, size.height) >> (level + 1) > 0 {
      level += 1
    }
    return level
  }
}

extension PixelFormat {
  /// Whether chroma is stored at most as finely as another format has it.
  fileprivate func isSubsampled(as other: PixelFormat) -> Bool {
    subsampling.horizontalShift >= other.subsampling.horizontalShift
      && subsampling.verticalShift >= other.subsampling.verticalShift
  }
}

extension AffineMatrix {
  /// Source samples under an output sample, along that axis of the source along which they are fewer; 0 for a matrix that flattens.
  fileprivate var smallestFootprint: Double {
    guard let inverse = inverted, inverse.isFinite else { return 0 }
    let x = (inverse.a * inverse.a + inverse.c * inverse.c).squareRoot()
    let y = (inverse.b * inverse.b + inverse.d * inverse.d).squareRoot()
    return x.isFinite && y.isFinite ? min(x, y) : 0
  }
}
