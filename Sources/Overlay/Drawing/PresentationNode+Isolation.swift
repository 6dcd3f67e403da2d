import CompositorAPI

/// Which layers are painted on a surface of their own, as their sublayers are blended with each other first.
extension PresentationNode {
  /// Whether the layer must be painted on a surface of its own first.
  package var needsIsolation: Bool {
    blendsApart || momentCount > 0 || mask != nil || layer.masksToBounds || layer.hasShadow || layer.blendMode != .normal
      || !layer.filters.isIdentity || layer.opacity < 1 && !isOnePrimitive
  }

  /// Whether opacity is the only property that applies to the layer as a whole.
  private var hasOpacityOnly: Bool {
    layer.opacity < 1 && !blendsApart && momentCount == 0 && mask == nil && !layer.masksToBounds && !layer.hasShadow
      && layer.blendMode == .normal && layer.filters.isIdentity
  }

  /// Whether the layer only fades others, which don't look at what is below them.
  package var fadesOnly: Bool { hasOpacityOnly && !hasOwnPaint && !children.isEmpty && !filtersBackdrop }

  /// Whether the layer fades others together with what they do to the picture below them. A group would hide that picture from them as
  /// long as it fades.
  package var fadesOverBackdrop: Bool { hasOpacityOnly && children.contains(where: \.filtersBackdrop) }

  /// Whether the layer is a single mask with a single paint, so that its opacity can be applied to the paint.
  package var isOnePrimitive: Bool {
    guard children.isEmpty else { return false }
    var count = layer.backgroundColor != nil ? 1 : 0
    if layer.borderWidth > 0 { count += 1 }
    switch layer.content {
    case .none, .replicator, .emitter: break
    case .text: count += 2
    case .shape(let shape): count += (shape.fillColor != nil ? 1 : 0) + (shape.strokeColor != nil ? 1 : 0)
    case .gradient, .image, .movie, .video: count += 1
    }
    return count <= 1
  }
}
