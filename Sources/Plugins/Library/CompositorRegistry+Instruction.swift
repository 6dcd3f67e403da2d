package import CompositorAPI

/// What the compositors and effects of an instruction declare, taken together.
extension CompositorRegistry {
  /// Whether two frames of an instruction can differ although the sources are the same. What compositors declare counts; an
  /// instruction's own override counts more.
  ///
  /// Sources at other times are sources too, and not known before they are asked for.
  package func tweens(_ instruction: Instruction) -> Bool {
    if needsOtherTimes(instruction) { return true }
    if let override = instruction.containsTweeningOverride { return override }
    let range = instruction.timeRange
    if instruction.effects.contains(where: { tweens($0, in: range) }) { return true }
    guard instruction.passthroughTrackID == nil else { return false }
    if instruction.changesPlacement || instruction.layers.contains(where: { $0.effects.contains { tweens($0, in: range) } }) {
      return true
    }
    return instruction.compositor != .layer && tweens(instruction.compositorReference, in: range)
  }

  /// Whether an effect's picture may change during a time range although its source doesn't.
  package func tweens(_ reference: EffectReference, in range: TimeRange) -> Bool {
    guard self[reference.compositor]?.descriptor.isTimeInvariant == true else { return true }
    return reference.animatedParameters.values.contains { $0.changes(in: range) }
  }

  /// Whether a compositor or an effect of an instruction asks for sources at other times.
  package func needsOtherTimes(_ instruction: Instruction) -> Bool {
    instruction.references.contains { self[$0.compositor]?.descriptor.needsOtherTimes == true }
  }

  /// Whether a compositor or an effect of an instruction needs every frame in order.
  package func needsOrder(_ instruction: Instruction) -> Bool {
    instruction.references.contains { self[$0.compositor]?.descriptor.concurrency == .inOrder }
  }
}

extension Instruction {
  /// The instruction's own compositor with its parameters.
  package var compositorReference: EffectReference {
    EffectReference(compositor, parameters: parameters, animatedParameters: animatedParameters)
  }

  /// The compositors that have a part in the instruction's frames: effects, and unless it passes a track through, effects of layers and
  /// its own compositor.
  fileprivate var references: [EffectReference] {
    guard passthroughTrackID == nil else { return effects }
    return effects + layers.flatMap(\.effects) + [compositorReference]
  }
}
