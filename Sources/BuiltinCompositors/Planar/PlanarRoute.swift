package import CompositorAPI
package import CompositorConversion
import CompositorKernels

/// Composes layers plane by plane in the output's own Y′CbCr. Codes outside the nominal range are preserved.
///
/// Each plane is sampled on its own grid, chroma at its site. Layers may be translated, scaled, rotated and cropped. A layer is
/// resampled by its filter or, if it has none, by area means (when reduced) and bilinear interpolation, so nothing aliases.
/// Dissolves and integer translations are within 1 code value of exact arithmetic, resampling within 2, at any depth.
///
/// Sources that differ only in how samples are stored (interleaved chroma, fewer bits) are repacked; stills are converted
/// once (``StillCache``), and stills that keep their place are finished once (``StillLayers``). Front layers with alpha, a decoration, another format or another color are converted inside their
/// boxes and composited over the planes (`GeneralOverlay`). ``LayerRoute`` decides which these are.
package enum PlanarRoute {
  /// Why frames of a context are not composed in planes, regardless of their layers; `nil` if they can be.
  package static func refusal(background: Color?, context: RenderContext) -> String? {
    if context.outputFormat.isRGB { return "the output's format is \(context.outputFormat)" }
    if context.outputFormat.hasAlpha { return "the output keeps alpha" }
    if let background, !(background.alpha >= 1) { return "the background is not opaque" }
    if context.blending != .encoded { return "layers are mixed in linear light" }
    return nil
  }

  /// The context with planar output: its own, or one that stores each component in a plane.
  static func planes(of context: RenderContext) -> RenderContext {
    guard context.outputFormat.layout == .semiPlanar else { return context }
    var planes = context
    planes.outputFormat = .planar(context.outputFormat.subsampling, bitDepth: context.outputFormat.bitDepth)
    return planes
  }

  /// Makes the frame. Layers are ordered front to back.
  ///
  /// Takes frames from the context's pool: the output, and scratch frames that are returned before this returns.
  ///
  /// - Parameter preparations: How ``LayerRoute`` prepares each of the layers.
  /// - Throws: `.conversionNotPossible` if a still's or an overlaid layer's color can't be converted to the output's;
  ///   `.framePoolExhausted`.
  package static func compose(
    _ layers: [ResolvedLayer], _ preparations: [PlanarPreparation], background: Color?, context: RenderContext,
    curves: CurveTables = CurveTables(), stills: StillCache = StillCache(), finished: StillLayers = StillLayers()
  ) throws(CompositorError) -> Frame {
    let surface = planes(of: context)
    let scene = try PlanarScene(layers, preparations, context: surface, stills: stills)
    let frame = try paint(scene, background: background ?? .black, context: surface, curves: curves, stills: finished)
    return surface.outputFormat == context.outputFormat ? frame : try PlanarRepacking.packed(frame, for: context)
  }

  private static func paint(
    _ scene: PlanarScene, background: Color, context: RenderContext, curves: CurveTables, stills: StillLayers
  ) throws(CompositorError) -> Frame {
    let codes = try backgroundCodes(background, context: context)
    let plan = PlanarPlan(layers: scene.base, context: context, stills: stills)
    var scratch = try ScratchArena.frame(byteCount: plan.scratchByteCount, pool: context.pool)
    var output = try context.makeFrame()
    try output.withUnsafeMutablePlanes { (planes) throws(CompositorError) in
      scratch.withUnsafeMutablePlanes { scratch in
        plan.paint(planes, background: codes, scratch: scratch[0], kernels: .fastest)
      }
      try GeneralOverlay(scene.overlaid, context: context, curves: curves, stills: stills).draw(over: planes)
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
