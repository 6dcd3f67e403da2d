import CompositorAPI
import CompositorMediaIO
import CompositorPlugins

/// The choice of a pixel format for frames in a graph.
///
/// libavfilter converts formats automatically if a filter does not support one. It does so well between chroma grids (which
/// is why our frames match ffmpeg's), but not between R, G, B and Y′CbCr, where it ignores the matrix, and it reduces the
/// depth silently. Frames are therefore converted by this package to a format that needs neither.
enum FilterFormat {
  /// The surface inside a graph for output in `context`.
  ///
  /// - Throws: Errors of building the graph, if no format is accepted.
  static func choose(for text: String, inputCount: Int?, context: RenderContext) throws(CompositorError) -> RenderContext {
    var best: (conversions: FilterConversions, surface: RenderContext)?
    var failure: CompositorError?
    for format in candidates(context.outputFormat) {
      let surface = context.described(as: format)
      do throws(CompositorError) {
        let conversions = try conversions(in: text, inputCount: inputCount, surface: surface)
        if conversions.isSubset(of: .chromaGrid) { return surface }
        if conversions.cost < best?.conversions.cost ?? .max { best = (conversions, surface) }
      } catch {
        if failure == nil || failure?.code == .conversionNotPossible { failure = error }
      }
    }
    if let best { return best.surface }
    throw failure ?? CompositorError(.internalFault, "There is no format to filter in.")
  }

  /// The output's own format, R′G′B′ of its depth, and the same with 8 bits if no filter supports that depth.
  private static func candidates(_ format: PixelFormat) -> [PixelFormat] {
    let eight = PixelFormat.planar(format.subsampling, bitDepth: 8, alpha: format.hasAlpha)
    switch (format.sample, format.isRGB) {
    case (.unsigned, false):
      return format.bitDepth == 8 ? [format, eight, .rgba] : [format, planar(format), .rgba16, eight, .rgba]
    case (.unsigned, true):
      return format.bitDepth == 8
        ? [format, .rgba, .planar(.s444, bitDepth: 8, alpha: true)]
        : [.rgba16, .planar(.s444, bitDepth: 16, alpha: true), .rgba]
    default: return [.rgbaFloat, .rgba16, .rgba]
    }
  }

  private static func planar(_ format: PixelFormat) -> PixelFormat {
    .planar(format.subsampling, bitDepth: format.bitDepth, alpha: format.hasAlpha)
  }

  private static func conversions(
    in text: String, inputCount: Int?, surface: RenderContext
  ) throws(CompositorError) -> FilterConversions {
    let graph = try FilterGraph(
      text,
      surface: FilterSurface(
        format: surface.outputFormat, size: surface.size, attributes: surface.outputAttributes, ticksPerSecond: 25),
      inputCount: inputCount ?? FilterGraph.maximumInputCount)
    return graph.conversions
  }
}

extension FilterConversions {
  /// The penalty of the format if there is no better one.
  fileprivate var cost: Int {
    (contains(.alpha) ? 1000 : 0) + (contains(.family) ? 100 : 0) + (contains(.gray) ? 30 : 0) + (contains(.depth) ? 10 : 0)
      + (contains(.chromaGrid) ? 1 : 0)
  }
}
