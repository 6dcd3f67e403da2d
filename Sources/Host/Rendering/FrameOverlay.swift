public import CompositorAPI

/// Draws over composed frames: titles, burnt-in time codes, logos.
///
/// Called after the compositor, in the frame's own format, for instructions that enable post-processing; on any thread and
/// for several frames at a time. What it draws is a pure function of the time.
public protocol FrameOverlay: Sendable {
  /// Whether anything is drawn at a composition time. A frame over which nothing is drawn is not copied.
  func isVisible(at time: MediaTime) -> Bool

  /// Whether two frames with the same picture underneath may differ; where not, a frame may be used again.
  func changes(between first: MediaTime, and second: MediaTime) -> Bool

  /// The frame with the overlay drawn over it: of the same size, format and attributes. A frame that nobody else holds may be
  /// drawn into.
  func draw(over frame: consuming Frame, at time: MediaTime, context: RenderContext) throws -> Frame
}
