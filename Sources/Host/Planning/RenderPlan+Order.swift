import CompositorAPI

extension RenderPlan {
  /// Whether an instruction's compositor, or an effect of it, needs every frame in order.
  func needsOrder(instruction index: Int) -> Bool {
    let instruction = instructions[index]
    var uses = instruction.effects.map(\.compositor) + instruction.layers.flatMap { $0.effects.map(\.compositor) }
    if instruction.passthroughTrackID == nil { uses.append(instruction.compositor) }
    return uses.contains { composition.registry[$0]?.descriptor.concurrency == .inOrder }
  }

  /// Frames that must be made and thrown away before the picture at a time can be: those of its instruction, where that needs
  /// order. Empty where it does not.
  func preroll(before time: MediaTime) -> Range<Int> {
    let index = instructionIndex(at: time)
    let start = instructions[index].timeRange.start
    guard needsOrder(instruction: index), start < time else { return 0..<0 }
    return frames(in: TimeRange(start: start, end: time))
  }
}
