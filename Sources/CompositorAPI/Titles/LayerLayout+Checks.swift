extension LayerLayout {
  /// Checks that the layout is consistent.
  ///
  /// - Throws: `.invalidValue` if there are more than two lengths along an axis, if an aspect ratio isn't positive or isn't
  ///   needed, or if a number isn't finite.
  package func requireUsable() throws(CompositorError) {
    for (axis, names) in [
      (horizontal, "left, right, width and centerX"), (vertical, "top, bottom, height and centerY"),
    ] {
      guard axis.count <= 2 else {
        throw CompositorError(
          .invalidValue, "The layout contradicts itself: it has \(axis.count) of \(names).",
          recoverySuggestion: "Keep two of them.")
      }
      guard axis.isFinite else {
        throw CompositorError(.invalidValue, "The layout has a length that is not finite.", recoverySuggestion: "Give numbers.")
      }
    }
    try flexItem.requireUsable()
    if let viewBox {
      guard viewBox.width > 0, viewBox.height > 0, viewBox.width.isFinite, viewBox.height.isFinite else {
        throw CompositorError(
          .invalidValue, "The viewBox of a layout is \(viewBox.width) × \(viewBox.height).",
          recoverySuggestion: "Give it a width and a height above 0.")
      }
    }
    guard let aspectRatio else { return }
    guard aspectRatio > 0, aspectRatio.isFinite else {
      throw CompositorError(
        .invalidValue, "The aspect ratio \(aspectRatio) is not above 0.",
        recoverySuggestion: "Give the width divided by the height, such as 1.7778.")
    }
    guard !horizontal.givesSize || !vertical.givesSize else {
      throw CompositorError(
        .invalidValue, "The layout contradicts itself: it gives width, height and aspectRatio.",
        recoverySuggestion: "Keep two of them.")
    }
  }
}

extension Layer {
  /// Throws if the layer's position or size is specified twice.
  ///
  /// - Throws: `.invalidValue`, and the errors of ``LayerLayout/requireUsable()``.
  package func requireUsableLayout() throws(CompositorError) {
    try flex?.requireUsable(for: content)
    guard let layout else { return }
    try layout.requireUsable()
    for (axis, name, place, size) in [
      (layout.horizontal, ("x", "width"), position.x, bounds.size.width),
      (layout.vertical, ("y", "height"), position.y, bounds.size.height),
    ] {
      guard place == 0 || !axis.givesPlace else { throw Layer.contradiction("position.\(name.0)") }
      guard size == 0 || !axis.givesSize else { throw Layer.contradiction("the \(name.1) of its bounds") }
    }
    if layout.viewBox != nil, bounds.size != .zero { throw Layer.contradiction("bounds beside a viewBox") }
    if layout.aspectRatio != nil, layout.horizontal.givesSize || layout.vertical.givesSize,
      bounds.size.width != 0 || bounds.size.height != 0
    {
      throw Layer.contradiction("bounds beside an aspectRatio")
    }
  }

  private static func contradiction(_ what: String) -> CompositorError {
    CompositorError(
      .invalidValue, "The layout contradicts \(what).",
      recoverySuggestion: "Say it in one place: what the layout gives, the layer does not.")
  }
}
