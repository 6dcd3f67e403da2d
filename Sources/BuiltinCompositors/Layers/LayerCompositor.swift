public import CompositorAPI
import CompositorConversion

/// The built-in compositor: layers with opacity, affine transform and crop, front to back over a background color.
///
/// Sources may have any format, size, bit depth, SDR color space and alpha; the frame is made by the cheapest exact
/// route (``LayerRoute``), which is reported to the context's observer. A source in the output's own format that fills the
/// canvas is handed on as it is: the same memory with the output's attributes.
///
/// Requests may come in any order and from any threads.
public struct LayerCompositor: VideoCompositor {
  /// Takes any format and conforms color itself.
  public static let descriptor = CompositorDescriptor(
    id: .layer, name: "Layers", summary: "Opacity, affine transform and crop of layers over a background color.",
    sourceFormats: .any, colorHandling: .conformsItself)

  /// The curves of its conversions; transitions and effects that mix light share them.
  let curves = CurveTables()
  /// Stills as its outputs have them.
  package let stills = StillCache()

  /// Makes an instance.
  ///
  /// - Throws: `.invalidParameter` for any parameter: what there is to set stands in the instruction's layers.
  public init(parameters: ParameterValues = [:], context: RenderContext) throws(CompositorError) {
    if let key = parameters.keys.min() {
      throw CompositorError(
        .invalidParameter, "The layer compositor has no parameter “\(key)”.",
        recoverySuggestion: "Remove it; opacity, transform and crop are set on layers.", at: ErrorLocation(compositor: .layer))
    }
  }

  /// Makes the frame for a request.
  ///
  /// - Throws: `.invalidValue` where a layer's numbers are not numbers, `.conversionNotPossible` where a source's color
  ///   cannot become the output's, `.framePoolExhausted`; each with instruction and time.
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
        layers, background: request.instruction.backgroundColor, context: request.context, curves: curves, stills: stills)
    }
    return try GeneralRoute.compose(
      layers, background: request.instruction.backgroundColor, context: request.context, curves: curves)
  }
}
