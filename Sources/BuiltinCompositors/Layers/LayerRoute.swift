public import CompositorAPI
public import CompositorConversion

/// The choice of a route for the layer compositor: the cheapest exact one, determined from values alone.
public enum LayerRoute {
  /// The route for one time of an instruction.
  ///
  /// - Parameters:
  ///   - time: The composition time; `nil` for the whole instruction, with every ramp at its middle: the costliest route it
  ///     takes.
  ///   - sources: The frames' format and attributes, for tracks that have frames.
  /// - Returns: The route, and the reason for it as one clause.
  /// - Throws: `.invalidValue` if opacity, transform, crop or pixel aspect are not finite.
  public static func choose(
    instruction: Instruction, at time: MediaTime? = nil, sources: [TrackID: SourceDescription], context: RenderContext
  ) throws(CompositorError) -> (route: RenderRoute, reason: String) {
    let placements = try LayerPlacement.resolve(instruction, at: time, sources: sources, context: context)
    return choose(placements, background: instruction.backgroundColor, context: context)
  }

  /// The route for layers that are already resolved, front to back.
  package static func choose(
    _ placements: [LayerPlacement], background: Color?, context: RenderContext
  ) -> (route: RenderRoute, reason: String) {
    if let top = placements.first, top.isExactly(outputSize: context.size) {
      guard let difference = difference(of: top.source, from: context) else {
        return (.passthrough, "track \(top.trackID) fills the canvas as it is")
      }
      guard planarReason(placements, background: background, context: context) != nil else {
        return (.general, "track \(top.trackID) fills the canvas, but \(difference)")
      }
    }
    if placements.isEmpty { return (.general, "only the background is visible") }
    if let reason = planarReason(placements, background: background, context: context) { return (.planar, reason) }
    if let decorated = placements.first(where: { $0.decoration != nil }) {
      return (.general, "track \(decorated.trackID) has round corners, a border or a shadow")
    }
    for placement in placements where context.blending == .encoded {
      if let difference = difference(of: placement.source, from: context) {
        return (.general, "track \(placement.trackID): \(difference)")
      }
    }
    let refusal = PlanarRoute.refusal(background: background, context: context)
    return (.general, refusal ?? "no layer is in the output's format and color")
  }

  /// Why layers are composed in planes; `nil` if they are not, because of the output's format or the lowest layer.
  private static func planarReason(_ placements: [LayerPlacement], background: Color?, context: RenderContext) -> String? {
    guard PlanarRoute.refusal(background: background, context: context) == nil else { return nil }
    let context = PlanarRoute.planes(of: context)
    let choices = placements.map { placement in
      PlanarPreparation.choose(
        placement.source, sourceToOutput: placement.sourceToOutput, isDecorated: placement.decoration != nil, context: context)
    }
    guard choices.last?.preparation != nil else { return nil }
    if let index = choices.lastIndex(where: { $0.preparation == nil }) {
      return "track \(placements[index].trackID) is composited over the layers below: \(choices[index].obstacle)"
    }
    if let index = choices.firstIndex(where: { if case .still = $0.preparation { true } else { false } }) {
      return "track \(placements[index].trackID) is a still, which is converted once"
    }
    if let index = choices.firstIndex(where: { $0.preparation == .repacking }) {
      return "track \(placements[index].trackID) differs from the output only in how its samples are stored"
    }
    return "sources agree with the output in format and color"
  }

  /// How a source's code values differ in meaning from the output's; `nil` if they agree.
  static func difference(of source: SourceDescription, from context: RenderContext) -> String? {
    let difference = source.difference(from: context.outputFormat, context.outputColor, policy: context.colorConversion)
    if let difference { return difference }
    if source.usesAlpha { return "its alpha must be premultiplied" }
    if context.keepsAlpha { return "the output keeps alpha" }
    return nil
  }
}
