public import CompositorAPI
package import CompositorConversion

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
    id: .layer, name: "Layers", summary: "Composites layers with opacity, affine transform and crop over a background color."
  ) {
    $0.sourceFormats = .any
    $0.colorHandling = .conformsItself
  }

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
      let (instruction, sources) = (request.instruction, request.sources.mapValues(SourceDescription.init))
      let placements = try LayerPlacement.resolve(instruction, at: request.time, sources: sources, context: context)
      let (frame, route) = try draw(placements, of: request, over: instruction.backgroundColor, into: context)
      context.observer?.didCompose(route: route, instructionIndex: request.instructionIndex, time: request.time)
      return frame
    } catch {
      throw error.locating(
        ErrorLocation(instruction: request.instructionIndex, time: request.time, compositor: .layer))
    }
  }

  private func draw(
    _ placements: [LayerPlacement], of request: CompositionRequest, over background: Color?, into context: RenderContext
  ) throws(CompositorError) -> (frame: Frame, route: RenderRoute) {
    let layers = placements.compactMap { placement in
      request.frame(placement.trackID).flatMap { ResolvedLayer($0, placement) }
    }
    return try draw(layers, placements, over: background, into: context)
  }

  /// Makes a frame by the route that ``LayerRoute`` decides on.
  ///
  /// - Parameter placements: Those of the layers.
  private func draw(
    _ layers: [ResolvedLayer], _ placements: [LayerPlacement], over background: Color?, into context: RenderContext
  ) throws(CompositorError) -> (frame: Frame, route: RenderRoute) {
    let decision = LayerRoute.decide(placements, background: background, context: context)
    let layers = decision.route == .passthrough ? layers : try layers.downloaded(pool: context.pool)
    let frame =
      switch decision {
      case .passthrough: layers[0].frame.passed(into: context)
      case .planar(let preparations):
        try PlanarRoute.compose(
          layers, preparations, background: background, context: context, curves: curves, stills: stills,
          finished: finishedStills)
      case .general: try GeneralRoute.compose(layers, background: background, context: context, curves: curves)
      }
    return (frame, decision.route)
  }
}

/// Frames that aren't those of an instruction. Their routes aren't reported.
extension LayerCompositor {
  /// Draws one frame at full opacity over a background.
  ///
  /// - Parameters:
  ///   - transform: From the frame's display space to the composition's.
  ///   - background: The color behind the frame; `nil` for opaque black.
  ///   - context: The frame to make.
  /// - Throws: `.invalidValue` if the transform isn't finite, `.conversionNotPossible` if the frame's color can't be converted,
  ///   `.framePoolExhausted`.
  package func draw(
    _ frame: Frame, _ transform: AffineMatrix, over background: Color? = nil, into context: RenderContext
  ) throws(CompositorError) -> Frame {
    do {
      let placement = try LayerPlacement(SourceDescription(frame), transform: transform, context: context)
      return try draw(frame, placement.isVisible ? [placement] : [], over: background, into: context)
    } catch {
      throw error.locating(ErrorLocation(compositor: .layer))
    }
  }

  /// Draws one frame as a pass-through instruction shows it: upright, scaled to fit the canvas and centered.
  ///
  /// - Parameters:
  ///   - source: The frame's own description, which knows its orientation.
  ///   - trackID: The frame's track, if it is one of a composition's.
  ///   - background: The color around the frame; `nil` for opaque black.
  /// - Throws: `.invalidValue` if the frame's shape can't be shown, and the errors of
  ///   ``draw(_:_:over:into:)``.
  package func fit(
    _ frame: Frame, _ source: SourceDescription, of trackID: TrackID? = nil, over background: Color? = nil,
    into context: RenderContext
  ) throws(CompositorError) -> Frame {
    do {
      let placement = try LayerPlacement.fitted(source, of: trackID, context: context)
      return try draw(frame, [placement], over: background, into: context)
    } catch {
      throw error.locating(ErrorLocation(compositor: .layer))
    }
  }

  /// Draws layers of a request, or others of the same time and tracks, into a context of their own.
  ///
  /// - Throws: The errors of ``compose(_:)``.
  package func draw(
    _ layers: [LayerInstruction], of request: CompositionRequest, over background: Color?, into context: RenderContext
  ) throws(CompositorError) -> Frame {
    do {
      let placements = try LayerPlacement.resolve(
        layers, during: request.instruction.timeRange, at: request.time,
        sources: request.sources.mapValues(SourceDescription.init), context: context)
      return try draw(placements, of: request, over: background, into: context).frame
    } catch {
      throw error.locating(
        ErrorLocation(instruction: request.instructionIndex, time: request.time, compositor: .layer))
    }
  }

  private func draw(
    _ frame: Frame, _ placements: [LayerPlacement], over background: Color?, into context: RenderContext
  ) throws(CompositorError) -> Frame {
    try draw(placements.compactMap { ResolvedLayer(frame, $0) }, placements, over: background, into: context).frame
  }
}

extension ResolvedLayer {
  /// Returns `nil` for a placement that isn't visible.
  fileprivate init?(_ frame: Frame, _ placement: LayerPlacement) {
    // Of a layer that moves while the shutter is open, a moment in which it is visible.
    let moment = placement.moments.first(where: \.isVisible) ?? placement.moment
    self.init(
      frame: frame, opacity: placement.opacity, sourceToOutput: moment.sourceToOutput, crop: moment.crop,
      decoration: moment.decoration, filter: placement.filter, isStill: placement.source.isStill)
    moments = placement.moments
  }
}

extension [ResolvedLayer] {
  /// The layers with frames in the host's memory, which is almost always the same array.
  fileprivate func downloaded(pool: FramePool) throws(CompositorError) -> [ResolvedLayer] {
    guard contains(where: { !$0.frame.isInHostMemory }) else { return self }
    var result = self
    for index in indices { result[index].frame = try self[index].frame.downloaded(for: "layers", pool: pool) }
    return result
  }
}

extension Frame {
  /// The same memory with the output's attributes, and light levels of its own if the output states none.
  fileprivate func passed(into context: RenderContext) -> Frame {
    var frame = self
    let hdr = frame.attributes.hdr
    frame.attributes = context.outputAttributes
    frame.attributes.hdr = frame.attributes.hdr ?? hdr
    return frame
  }
}
