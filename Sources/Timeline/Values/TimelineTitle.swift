public import CompositorAPI

/// A title over a timeline.
public struct TimelineTitle: Hashable, Sendable {
  /// The content of a title.
  public enum Content: Hashable, Sendable {
    /// A template title, laid out for the canvas.
    case template(TitleTemplate, TitleStyle)
    /// A layer tree, in pixels of the canvas. Its time is relative to the title's start, in seconds. If its root has no bounds,
    /// position or layout, it fills the canvas, unless it is text.
    case layer(Layer)
  }

  /// The content of the title.
  public var content: Content
  /// The timeline time at which it appears.
  public var start: MediaTime
  /// The duration for which it is shown, > 0; `nil` until the timeline ends.
  public var duration: MediaTime?
  /// How the time of a tree that was made for another duration is stretched to the title's; `nil` if it plays at its own speed.
  /// Begin times relative to the end count from the end of the tree's own duration.
  public var stretch: TimeStretch?

  /// Creates a template title.
  public init(
    _ template: TitleTemplate, style: TitleStyle = TitleStyle(), start: MediaTime = .zero, duration: MediaTime? = nil
  ) {
    content = .template(template, style)
    self.start = start
    self.duration = duration
  }

  /// Creates a title from a layer tree.
  public init(_ layer: Layer, start: MediaTime = .zero, duration: MediaTime? = nil) {
    content = .layer(layer)
    self.start = start
    self.duration = duration
  }

  /// The title as a layer of a canvas.
  ///
  /// - Parameter end: The end of the timeline, which is the end of titles without a duration.
  /// - Throws: `.invalidValue` if times aren't finite, a duration isn't above 0, credits never end, or a begin time is relative
  ///   to an end that there isn't.
  package func layer(canvas: PixelSize, end: MediaTime) throws(CompositorError) -> Layer {
    guard start.isNumeric, duration.map({ $0.isNumeric && $0 > .zero }) ?? true else {
      throw CompositorError(
        .invalidValue, "A title starts at \(start.readable) and lasts \(duration.map(\.readable) ?? "until the end").",
        recoverySuggestion: "Give it a start and a duration above 0.")
    }
    // Layers are timed in binary seconds, where 0.3 − 0.1 is less than 0.2. The difference is computed as in their evaluation,
    // so that a title ends at exactly the frame that starts at its end.
    let length = max((duration.map { start + $0 } ?? end).seconds - start.seconds, 0)
    switch content {
    case .template(let template, let style):
      if case .creditsRoll = template, !length.isFinite {
        throw CompositorError(
          .invalidValue, "Rolling credits need a duration.", recoverySuggestion: "Give them, or the asset, a duration.")
      }
      return template.layer(canvas: canvas, style: style, beginTime: start.seconds, duration: length)
    case .layer(let layer):
      var root: Layer
      do throws(CompositorError) {
        root = try layer.anchored(until: stretch?.duration ?? length)
      } catch {
        throw error.within("layer")
      }
      if layer.takesCanvas { root.layout = .fill }
      var group = Layer(canvas: canvas) { root }
      group.timing = LayerTiming(beginTime: start.seconds, duration: length)
      group.timing.stretch = stretch
      return group
    }
  }
}

extension Layer {
  /// Whether the root of a title has neither position nor size.
  fileprivate var takesCanvas: Bool {
    if case .text = content { return false }
    let places: Set<LayerProperty> = [.position, .positionX, .positionY, .bounds, .boundsSize]
    return layout == nil && bounds == .zero && position == .zero
      && !animations.flatMap(\.leaves).contains { $0.property.map(places.contains) ?? false }
  }
}
