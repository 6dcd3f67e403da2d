package import CompositorAPI
import CompositorMediaIO

/// A kind of scope.
package enum ScopeKind: String, Sendable, CaseIterable {
  /// How often each code of luma and of both chroma components occurs.
  case histogram
  /// Luma of each column.
  case waveform
  /// The distribution of colors around the white point.
  case vectorscope

  /// The libavfilter graph that draws the scope from R′G′B′ in full range.
  fileprivate var graph: String {
    // Scopes measure the video signal: Y′CbCr of BT.709, as in a movie.
    let signal = "scale=out_color_matrix=bt709:out_range=limited,format=yuv444p"
    switch self {
    case .histogram: return "\(signal),histogram=display_mode=stack:level_height=120:scale_height=10:levels_mode=linear"
    case .waveform:
      return "\(signal),waveform=mode=column:mirror=1:components=1:intensity=0.08:graticule=green:opacity=0.6:flags=numbers"
    case .vectorscope: return "\(signal),vectorscope=mode=color3:graticule=color:opacity=0.7:flags=name:intensity=0.02"
    }
  }
}

/// Draws scopes of frames of one size. One owner.
package struct Scopes {
  private var graphs: [ScopeKind: FilterGraph] = [:]
  private var size: PixelSize?
  private var tick: Int64 = 0

  /// Draws a scope of a frame.
  ///
  /// - Parameter shown: 8-bit R′G′B′A in full range.
  /// - Throws: `.invalidParameter` if libavfilter has no such scope; `.compositorFailed`.
  package mutating func draw(_ kind: ScopeKind, of shown: Frame) throws(CompositorError) -> Frame? {
    if shown.size != size { (graphs, size) = ([:], shown.size) }
    let graph =
      if let known = graphs[kind] { known } else {
        try FilterGraph(
          kind.graph,
          surface: FilterSurface(format: .rgba, size: shown.size, attributes: shown.attributes, ticksPerSecond: 1000),
          inputCount: 1)
      }
    graphs[kind] = graph
    tick += 1
    try graph.push(shown, input: 0, tick: tick)
    guard var image = try graph.pull()?.frame else { return nil }
    (image.attributes.color, image.attributes.alphaMode) = (.sRGB, .opaque)
    return image
  }
}
