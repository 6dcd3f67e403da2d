import CompositorAPI

/// What is drawn over the frames of a render, one thing after another.
struct OverlayStack {
  private let overlays: [any FrameOverlay]

  /// The edit's titles, then overlays of the caller's own.
  init(_ composition: ValidatedComposition, _ settings: RenderSettings) {
    overlays = (composition.titles.map { [$0] } ?? []) + settings.overlays
  }

  /// Whether frames with the same picture underneath may differ.
  func changes(between first: MediaTime, and second: MediaTime) -> Bool {
    overlays.contains { $0.changes(between: first, and: second) }
  }

  /// Whether nothing is ever drawn.
  var isEmpty: Bool { overlays.isEmpty }

  /// The frame with everything drawn over it that shows. A frame that nobody else holds is drawn into.
  func draw(over frame: consuming Frame, at time: MediaTime, context: RenderContext) throws(CompositorError) -> Frame {
    // Consumed each time: a frame that is held here a second time would be copied.
    var drawn = consume frame
    do {
      for overlay in overlays where overlay.isVisible(at: time) {
        drawn = try overlay.draw(over: consume drawn, at: time, context: context)
      }
    } catch let error as CompositorError {
      throw error
    } catch {
      throw CompositorError(.compositorFailed, "The titles could not be drawn.", cause: String(describing: error))
    }
    return drawn
  }
}
