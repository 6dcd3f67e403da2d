public import CompositorAPI
public import CompositorConversion

/// How the layer compositor makes a frame: the cheapest exact way, chosen from values alone.
public enum LayerRoute {
  /// The route for one time of an instruction.
  ///
  /// - Parameters:
  ///   - time: When; nil for the whole instruction, as if every ramp were in its middle: the costliest route it takes.
  ///   - sources: What the tracks' frames are, for tracks that have one.
  /// - Returns: The route and the reason for it, one sentence.
  /// - Throws: `.invalidValue` where opacity, transform, crop or pixel aspect are not numbers.
  public static func choose(
    instruction: Instruction, at time: MediaTime? = nil, sources: [TrackID: SourceDescription], context: RenderContext
  ) throws(CompositorError) -> (route: RenderRoute, reason: String) {
    let placements = try LayerPlacement.resolve(instruction, at: time, sources: sources, context: context)
    return choose(placements, background: instruction.backgroundColor, context: context)
  }

  /// The route for layers that are resolved already, front to back.
  package static func choose(
    _ placements: [LayerPlacement], background: Color?, context: RenderContext
  ) -> (route: RenderRoute, reason: String) {
    if let top = placements.first, top.isExactly(outputSize: context.size) {
      guard let difference = difference(of: top.source, from: context) else {
        return (.passthrough, "track \(top.trackID) fills the canvas as it is")
      }
      return (.general, "track \(top.trackID) fills the canvas, but \(difference)")
    }
    if placements.isEmpty { return (.general, "nothing but the background is seen") }
    if let decorated = placements.first(where: { $0.decoration != nil }) {
      return (.general, "track \(decorated.trackID) has round corners, a border or a shadow")
    }
    let refusal = PlanarRoute.refusal(sources: placements.map(\.source), background: background, context: context)
    guard let refusal else { return (.planar, "sources agree with the output in format and color") }
    for placement in placements where context.blending == .encoded {
      if let difference = difference(of: placement.source, from: context) {
        return (.general, "track \(placement.trackID): \(difference)")
      }
    }
    return (.general, refusal)
  }

  /// In what a source's code values mean something else than the output's; nil where they mean the same.
  static func difference(of source: SourceDescription, from context: RenderContext) -> String? {
    let difference = source.difference(from: context.outputFormat, context.outputColor, policy: context.colorConversion)
    if let difference { return difference }
    if source.usesAlpha { return "its alpha has to be multiplied in" }
    if context.keepsAlpha { return "the output keeps alpha" }
    return nil
  }
}
