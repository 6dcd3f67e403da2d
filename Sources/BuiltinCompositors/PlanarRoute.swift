package import CompositorAPI
import PixelKernels

/// Composes layers plane by plane in the sources' own Y′CbCr: no conversion of format or colour, codes outside the nominal
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
    if let reason = refusal(background: background, context: context) { return reason }
    for layer in layers {
      let (format, attributes) = (layer.frame.format, layer.frame.attributes)
      if let reason = refusal(format: format, attributes: attributes, context: context) { return reason }
    }
    return nil
  }

  /// Why the route cannot make this output, whatever the layers; nil where it can.
  package static func refusal(background: Color?, context: RenderContext) -> String? {
    let format = context.outputFormat
    if format.layout != .planar { return "the output \(format) is not planar Y′CbCr" }
    if format.hasAlpha { return "the output keeps alpha" }
    if let background, background.alpha < 1 { return "the background is not opaque" }
    return context.blending == .encoded ? nil : "layers are mixed in linear light"
  }

  /// Why the route cannot take a source of this kind; nil where it can.
  package static func refusal(
    format: PixelFormat, attributes: FrameAttributes, context: RenderContext
  ) -> String? {
    let output = context.outputFormat
    guard format.layout == .planar, format.subsampling == output.subsampling, format.bitDepth == output.bitDepth else {
      return "a source is \(format), the output \(output)"
    }
    if format.hasAlpha, attributes.alphaMode == .premultiplied { return "a source is premultiplied by its alpha" }
    var tags = attributes.color
    tags.chromaLocation = context.outputAttributes.color.chromaLocation
    return tags == context.outputAttributes.color ? nil : "a source's colour differs from the output's"
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
        remedy: "Compose it by the general route.")
    }
    let codes = try backgroundCodes(background ?? .black, context: context)
    let plan = PlanarPlan(layers: layers, context: context)
    var scratch = try PlanarScratch.frame(byteCount: plan.scratchByteCount, pool: context.pool)
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
    return try color.codes(format: format, attributes: attributes).map {
      clampedInt($0.rounded(), in: 0...Int(top))
    }
  }
}
