package import CompositorAPI

/// The combined properties of the compositors and effects of an instruction.
extension CompositorRegistry {
  /// Whether two frames of an instruction can differ although their sources are the same. Based on the compositors'
  /// descriptors, unless the instruction overrides them.
  ///
  /// Sources at other times count as sources, but are unknown before they are requested.
  package func tweens(_ instruction: Instruction) -> Bool {
    if needsOtherTimes(instruction) { return true }
    if let override = instruction.containsTweeningOverride { return override }
    let range = instruction.timeRange
    if instruction.effects.contains(where: { tweens($0, in: range) }) { return true }
    if instruction.changesLayers || instruction.layers.contains(where: { $0.effects.contains { tweens($0, in: range) } }) {
      return true
    }
    return instruction.compositor != .layer && tweens(instruction.compositorReference, in: range)
  }

  /// Whether an effect's frames may change during a time range although its source doesn't.
  package func tweens(_ reference: EffectReference, in range: TimeRange) -> Bool {
    guard self[reference.compositor]?.descriptor.isTimeInvariant == true else { return true }
    return reference.animatedParameters.values.contains { $0.changes(in: range) }
  }

  /// Whether a compositor or effect of an instruction requests sources at other times.
  package func needsOtherTimes(_ instruction: Instruction) -> Bool {
    instruction.calls.contains { self[$0.compositor]?.descriptor.needsOtherTimes == true }
  }

  /// The time from which an instruction needs every frame in order: the earliest beginning of what does; `nil` if nothing does.
  package func orderStart(of instruction: Instruction) -> MediaTime? {
    instruction.calls.filter { self[$0.compositor]?.descriptor.concurrency == .inOrder }
      .map { ($0.timeRange ?? instruction.timeRange).start }.min()
  }

  /// Whether the composed frames of an instruction, not only those of layers, are needed in order.
  package func needsComposedOrder(_ instruction: Instruction) -> Bool {
    var composed = instruction
    composed.layers = []
    return needsOrder(composed)
  }

  /// Whether a compositor or effect of an instruction needs every frame in order.
  package func needsOrder(_ instruction: Instruction) -> Bool {
    instruction.calls.contains { self[$0.compositor]?.descriptor.concurrency == .inOrder }
  }
}

extension Instruction {
  /// The instruction's own compositor with its parameters.
  package var compositorReference: EffectReference {
    EffectReference(compositor, parameters: parameters, animatedParameters: animatedParameters)
  }

  /// What is called for the instruction's frames, in the order of the calls: the effects of layers, its own compositor unless a
  /// track passes through, and its own effects.
  package var calls: [EffectReference] {
    guard passthroughTrackID == nil else { return effects }
    return layers.flatMap(\.effects) + [compositorReference] + effects
  }
}
