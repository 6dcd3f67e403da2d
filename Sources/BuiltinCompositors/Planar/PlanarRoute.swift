package import CompositorAPI
package import CompositorConversion
import CompositorKernels

/// Composes layers plane by plane in the sources' own Y′CbCr: no conversion of format or color, codes outside the nominal
/// range survive.
///
/// Each plane is sampled on its own grid, chroma at its site. Layers move, scale, turn and crop; a layer that is shown smaller is
/// first reduced by area means and then interpolated, so it does not alias. Dissolves and whole-pixel moves are within 1 code
/// value of exact arithmetic, resampling within 2, at any depth.
package enum PlanarRoute {
  /// Whether the route can make this frame.
  package static func accepts(layers: [ResolvedLayer], background: Color?, context: RenderContext) -> Bool {
    refusal(layers: layers, background: background, context: context) == nil
  }

  /// Why the route cannot make this frame, one clause; nil where it can.
  package static func refusal(layers: [ResolvedLayer], background: Color?, context: RenderContext) -> String? {
    if layers.contains(where: { $0.decoration != nil }) { return "a layer has round corners, a border or a shadow" }
    let sources = layers.map {
      SourceDescription(format: $0.frame.format, size: $0.frame.size, attributes: $0.frame.attributes)
    }
    return refusal(sources: sources, background: background, context: context)
  }

  /// The same before any frame is there.
  package static func refusal(
    sources: [SourceDescription], background: Color?, context: RenderContext
  ) -> String? {
    if context.outputFormat.layout != .planar { return "the output's format is \(context.outputFormat)" }
    if context.outputFormat.hasAlpha { return "the output keeps alpha" }
    if let background, !(background.alpha >= 1) { return "the background is not opaque" }
    if context.blending != .encoded { return "layers are mixed in linear light" }
    return sources.lazy.compactMap { LayerRoute.difference(of: $0, from: context) }.first
  }

  /// Makes the frame. Layers stand front to back.
  ///
  /// Takes two frames of the context's pool: the output, and a scratch frame that goes back before this returns.
  ///
  /// - Throws: `.conversionNotPossible` where ``accepts(layers:background:context:)`` is false; `.framePoolExhausted`.
  package static func compose(
    _ layers: [ResolvedLayer], background: Color?, context: RenderContext
  ) throws(CompositorError) -> Frame {
    if let reason = refusal(layers: layers, background: background, context: context) {
      throw CompositorError(
        .conversionNotPossible, "This frame cannot be composed in the sources' own Y′CbCr: \(reason).",
        recoverySuggestion: "Compose it by the general route.")
    }
    let codes = try backgroundCodes(background ?? .black, context: context)
    let plan = PlanarPlan(layers: layers, context: context)
    var scratch = try ScratchArena.frame(byteCount: plan.scratchByteCount, pool: context.pool)
    var output = try context.makeFrame()
    output.withUnsafeMutablePlanes { planes in
      scratch.withUnsafeMutablePlanes { scratch in
        plan.paint(planes, background: codes, scratch: scratch[0], kernels: .fastest)
      }
    }
    return output.freeze()
  }

  private static func backgroundCodes(
    _ color: Color, context: RenderContext
  ) throws(CompositorError) -> [Int] {
    let top = Double(1 << context.outputFormat.bitDepth) - 1
    let (format, attributes) = (context.outputFormat, context.outputAttributes)
    return try color.codes(format: format, attributes: attributes, policy: context.colorConversion).map {
      clampedInt($0.rounded(), in: 0...Int(top))
    }
  }
}
