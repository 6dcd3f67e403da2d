public import CompositorAPI
import CompositorConversion

/// The built-in compositor: composites layers with opacity, affine transform and crop, front to back, over a background
/// color.
///
/// Sources may have any format, size, bit depth, SDR color space and alpha. The frame is made by the cheapest exact route
/// (``LayerRoute``), which is reported to the context's observer. A source in the output's own format that fills the canvas
/// is passed through without a copy, with the output's attributes.
///
/// Requests may come in any order and from any thread.
public struct LayerCompositor: VideoCompositor {
  /// Accepts any format and converts color itself; no parameters.
  public static let descriptor = CompositorDescriptor(
    id: .layer, name: "Layers", summary: "Composites layers with opacity, affine transform and crop over a background color.",
    sourceFormats: .any, colorHandling: .conformsItself)

  /// Transfer curves of its conversions, shared by transitions and effects that mix light.
  let curves = CurveTables()
  /// Stills, converted to the output.
  package let stills = StillCache()
  /// Layers of stills that keep their place.
  package let finishedStills = StillLayers()

  /// Creates an instance from parameter values.
  ///
  /// - Throws: `.invalidParameter` for any parameter; all settings are in the instruction's layers.
  public init(parameters: ParameterValues = [:], context: RenderContext) throws(CompositorError) {
    if let key = parameters.keys.min() {
      throw CompositorError(
        .invalidParameter, "The layer compositor has no parameter “\(key)”.",
        recoverySuggestion: "Remove it; opacity, transform and crop are set on layers.", at: ErrorLocation(compositor: .layer))
    }
  }

  /// Composes the frame for a request.
  ///
  /// - Throws: `.invalidValue` if a layer has non-finite numbers, `.conversionNotPossible` if a source's color can't be
  ///   converted to the output's, `.framePoolExhausted`; each with instruction and time.
  public func compose(_ request: CompositionRequest) throws(CompositorError) -> Frame {
    do {
      let context = request.context
      let placements = try LayerPlacement.resolve(
        request.instruction, at: request.time, sources: request.sources.mapValues(SourceDescription.init),
        context: context)
      let (route, _) = LayerRoute.choose(placements, background: request.instruction.backgroundColor, context: context)
      let frame = try compose(placements, by: route, request: request)
      context.observer?.didCompose(route: route, instructionIndex: request.instructionIndex, time: request.time)
      return frame
    } catch {
      throw error.locating(
        ErrorLocation(instruction: request.instructionIndex, time: request.time, compositor: .layer))
    }
  }

  private func compose(
    _ placements: [LayerPlacement], by route: RenderRoute, request: CompositionRequest
  ) throws(CompositorError) -> Frame {
    let layers = placements.compactMap { placement in
      request.frame(placement.trackID).map {
        ResolvedLayer(
          frame: $0, opacity: placement.opacity, sourceToOutput: placement.sourceToOutput, crop: placement.crop,
          decoration: placement.decoration, filter: placement.filter, isStill: placement.source.isStill)
      }
    }
    if route == .passthrough, var frame = layers.first?.frame {
      let hdr = frame.attributes.hdr
      frame.attributes = request.context.outputAttributes
      frame.attributes.hdr = frame.attributes.hdr ?? hdr
      return frame
    }
    if route == .planar {
      return try PlanarRoute.compose(
        layers, background: request.instruction.backgroundColor, context: request.context, curves: curves, stills: stills,
        finished: finishedStills)
    }
    return try GeneralRoute.compose(
      layers, background: request.instruction.backgroundColor, context: request.context, curves: curves)
  }
}
