import CompositorAPI
import CompositorConversion

/// The Y′CbCr planes to work in: the output's own if it is planar, else planes of the same depth with full chroma, which are
/// converted at the end. If the output has alpha, color is premultiplied by default so that frames can be mixed.
struct PlanarSurface {
  /// The surface to work in.
  let context: RenderContext
  private let output: RenderContext

  init(_ output: RenderContext, alpha: AlphaMode = .premultiplied) {
    self.output = output
    var context = output
    if output.outputColor.matrix == .identity, !output.outputFormat.isRGB {
      // Planes of G, B, R.
      context.outputAttributes.color.matrix = .bt709
    }
    if output.outputFormat.layout != .planar {
      let depth = output.outputFormat.bitDepth == 8 ? 8 : 16
      context.outputFormat = .planar(output.outputFormat.subsampling, bitDepth: depth, alpha: output.keepsAlpha)
      if output.outputFormat.isRGB {
        (context.outputAttributes.color.matrix, context.outputAttributes.color.range) = (.bt709, .full)
      }
      context.outputAttributes.alphaMode = output.keepsAlpha ? output.outputAttributes.alphaMode : .opaque
    }
    if output.keepsAlpha { context.outputAttributes.alphaMode = alpha }
    self.context = context
  }

  /// Converts a finished frame to the output's own format. The surface is as deep as the output, whatever its storage, so
  /// nothing is dithered.
  func finish(_ frame: Frame) throws(CompositorError) -> Frame {
    try output.stored(frame, madeOf: [])
  }
}
