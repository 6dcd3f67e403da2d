import CompositorAPI

extension CompositorRegistry {
  /// Whether two frames of an instruction can differ although the sources are the same. What compositors declare counts; an
  /// instruction's own word counts more.
  ///
  /// Sources at other times are sources too, and not known before they are asked for.
  func tweens(_ instruction: Instruction) -> Bool {
    if needsOtherTimes(instruction) { return true }
    if let override = instruction.containsTweeningOverride { return override }
    let range = instruction.timeRange
    if instruction.effects.contains(where: { tweens($0, in: range) }) { return true }
    guard instruction.passthroughTrackID == nil else { return false }
    if instruction.changesPlacement || instruction.layers.contains(where: { $0.effects.contains { tweens($0, in: range) } }) {
      return true
    }
    return instruction.compositor != .layer && tweens(instruction.use, in: range)
  }

  private func tweens(_ use: EffectReference, in range: TimeRange) -> Bool {
    guard self[use.compositor]?.descriptor.isTimeInvariant == true else { return true }
    return use.animatedParameters.values.contains { $0.changes(in: range) }
  }
}
