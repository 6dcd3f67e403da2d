import CompositorAPI

/// One step of drawing a tree over a frame. A frame that shows the same as the previous one repeats the recorded steps
/// without evaluating the tree again.
enum BlendCommand: Sendable {
  case patch(CachedSprite, FrameWriter.Shift, opacity: Double)
  case fill(Mask, SIMD4<Float>, MaskPlacement, opacity: Double)
}

/// Records the steps while a frame is drawn.
final class BlendRecorder {
  private(set) var commands: [BlendCommand] = []
  /// Whether the recorded steps are complete: a step that reads the frame cannot be repeated on another.
  private(set) var isComplete = true

  func add(_ command: BlendCommand) { commands.append(command) }
  func giveUp() { isComplete = false }
}

extension FrameWriter {
  /// Repeats a step.
  func perform(_ command: BlendCommand) {
    switch command {
    case .patch(let patch, let shift, let opacity): blend(patch, shift, opacity: opacity)
    case .fill(let mask, let color, let placement, let opacity): fill(mask, color, placement, opacity: opacity)
    }
  }
}
