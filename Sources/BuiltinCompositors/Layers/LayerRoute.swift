public import CompositorAPI
public import CompositorConversion

/// The way to make a frame of layers, with what was found out about each layer on the way to it.
package enum LayerDecision: Equatable {
  /// The top layer's frame is the output as it is.
  case passthrough
  /// In the output's planes, with each layer prepared like this, front to back. The lowest is not overlaid.
  case planar([PlanarPreparation])
  /// Row by row, whatever the layers are.
  case general

  /// The route to report.
  var route: RenderRoute {
    switch self {
    case .passthrough: .passthrough
    case .planar: .planar
    case .general: .general
    }
  }
}

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
    let background = instruction.backgroundColor
    let decision = decide(placements, background: background, context: context)
    switch decision {
    case .passthrough: return (.passthrough, "track \(placements[0].trackID) fills the canvas as it is")
    case .planar(let preparations): return (.planar, planarReason(placements, preparations, context: context))
    case .general: return (.general, generalReason(placements, background: background, context: context))
    }
  }

  /// The only decision about a frame's route and about what passes through. Whatever makes the frame follows it.
  ///
  /// - Parameter placements: The visible layers, front to back.
  static func decide(_ placements: [LayerPlacement], background: Color?, context: RenderContext) -> LayerDecision {
    guard let top = placements.first else { return .general }
    if top.isExactly(outputSize: context.size), difference(of: top.source, from: context) == nil { return .passthrough }
    guard PlanarRoute.refusal(background: background, context: context) == nil else { return .general }
    let surface = PlanarRoute.planes(of: context)
    let preparations = placements.map { PlanarPreparation.choose(for: $0, context: surface) }
    return preparations.last == .overlaid ? .general : .planar(preparations)
  }

  private static func planarReason(
    _ placements: [LayerPlacement], _ preparations: [PlanarPreparation], context: RenderContext
  ) -> String {
    if let index = preparations.lastIndex(of: .overlaid) {
      let layer = placements[index]
      let obstacle =
        !layer.moments.isEmpty
        ? moved : layer.decoration != nil ? decorated : difference(of: layer.source, from: PlanarRoute.planes(of: context))
      return "track \(layer.trackID) is composited over the layers below: \(obstacle ?? "")"
    }
    if let index = preparations.firstIndex(where: { if case .still = $0 { true } else { false } }) {
      return "track \(placements[index].trackID) is a still, which is converted once"
    }
    if let index = preparations.firstIndex(of: .repacking) {
      return "track \(placements[index].trackID) differs from the output only in how its samples are stored"
    }
    return "sources agree with the output in format and color"
  }

  private static func generalReason(_ placements: [LayerPlacement], background: Color?, context: RenderContext) -> String {
    guard let top = placements.first else { return "only the background is visible" }
    if top.isExactly(outputSize: context.size), let difference = difference(of: top.source, from: context) {
      return "track \(top.trackID) fills the canvas, but \(difference)"
    }
    if let layer = placements.first(where: { !$0.moments.isEmpty }) { return "track \(layer.trackID) \(isBlurred)" }
    if let layer = placements.first(where: { $0.decoration != nil }) { return "track \(layer.trackID) \(hasDecoration)" }
    for placement in placements where context.blending == .encoded {
      if let difference = difference(of: placement.source, from: context) {
        return "track \(placement.trackID): \(difference)"
      }
    }
    let refusal = PlanarRoute.refusal(background: background, context: context)
    return refusal ?? "no layer is in the output's format and color"
  }

  private static let hasDecoration = "has round corners, a border or a shadow"
  private static let isBlurred = "is blurred by its motion"
  private static let moved = "it \(isBlurred)"
  private static let decorated = "it \(hasDecoration)"

  /// How a source's code values differ in meaning from the output's; `nil` if they agree.
  static func difference(of source: SourceDescription, from context: RenderContext) -> String? {
    let difference = source.difference(from: context.outputFormat, context.outputColor, policy: context.colorConversion)
    if let difference { return difference }
    if source.usesAlpha { return "its alpha must be premultiplied" }
    if context.keepsAlpha { return "the output keeps alpha" }
    return nil
  }
}
