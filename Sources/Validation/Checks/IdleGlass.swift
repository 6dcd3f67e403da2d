import CompositorAPI

/// Finds layers with backdrop filters below which there is never anything to filter, which have no bounds to filter, or which hide what they
/// filter.
struct IdleGlass {
  private(set) var found: [IdleTitleSetting] = []

  /// - Parameter isOverMovie: Whether the movie, or another title, lies below the title.
  init(in title: Layer, isOverMovie: Bool) {
    var hasBackdrop = isOverMovie
    visit(title, "", depth: 0, &hasBackdrop)
  }

  /// - Parameter hasBackdrop: Whether anything may lie below the layer; then, below those that follow.
  private mutating func visit(_ layer: Layer, _ path: String, depth: Int, _ hasBackdrop: inout Bool) {
    guard depth <= Layer.maximumDepth, !layer.isHidden else { return }
    let start = path.isEmpty ? "" : path + "."
    check(layer, start + "backdropFilters", hasBackdrop)
    // The order of copies, of particles, and of layers at other depths isn't that of the list.
    var inner = !layer.isGroup && hasBackdrop || layer.paints || layer.isSortedOtherwise
    for (index, sublayer) in layer.sublayers.enumerated() {
      visit(sublayer, "\(start)sublayers[\(index)]", depth: depth + 1, &inner)
    }
    hasBackdrop = hasBackdrop || inner
  }

  private mutating func check(_ layer: Layer, _ path: String, _ hasBackdrop: Bool) {
    guard let filters = layer.backdropFilters, !filters.isIdentity || layer.animates(.backdropBlurRadius) else { return }
    if layer.lacksBounds {
      found.append(
        IdleTitleSetting(
          path: path, message: "backdropFilters changes nothing: the layer has no bounds, and it filters what lies below them.",
          suggestion: "Give the layer bounds, such as bounds: [320, 180], and corners or a mask for another shape."))
    } else if let cover = layer.opaqueCover {
      found.append(
        IdleTitleSetting(
          path: path,
          message: "backdropFilters changes nothing: the \(cover) of the layer is opaque, and hides what lies below it.",
          suggestion: cover == "gradient"
            ? "Give the colors of the gradient an alpha below 1, such as \"#20304080\", or remove backdropFilters."
            : "Give backgroundColor an alpha below 1, such as \"#20304080\", or remove backdropFilters."))
    } else if !hasBackdrop {
      found.append(
        IdleTitleSetting(
          path: path,
          message:
            "backdropFilters changes nothing: nothing lies below the layer. Clips are not below the titles of an asset, and what is "
            + "around a layer with a mask, clipping, shadow, filters, motion blur or a blend mode is not below the layers in it.",
          suggestion: "Show it in a title of the project, outside of such a layer, or put what it is to filter below it."))
    }
  }
}

extension Layer {
  /// Whether it is composed on its own before it meets what is below it.
  fileprivate var isGroup: Bool {
    mask != nil || masksToBounds || hasShadow || !filters.isIdentity || motionBlur != nil || blendMode != .normal
  }

  /// Whether it may draw something itself.
  fileprivate var paints: Bool { content != .none || backgroundColor != nil || borderWidth > 0 }

  /// What fills its bounds in opaque colors all the time, as far as they are seen: its background or its gradient; `nil` for nothing.
  fileprivate var opaqueCover: String? {
    guard opacity >= 1, blendMode == .normal, !animates(.opacity), !animates(.backgroundColor) else { return nil }
    if let backgroundColor, backgroundColor.alpha >= 1 { return "background" }
    guard case .gradient(let gradient) = content, !gradient.colors.isEmpty, !animates(.gradientColors) else { return nil }
    return gradient.colors.allSatisfy { $0.alpha >= 1 } ? "gradient" : nil
  }

  private static let depths: [LayerProperty] = [.zPosition, .translationZ, .rotationX, .rotationY]

  /// Whether its sublayers may be drawn in another order.
  fileprivate var isSortedOtherwise: Bool {
    sublayers.contains { layer in
      layer.zPosition != 0 || layer.transform.translationZ != 0 || layer.transform.rotationX != 0
        || layer.transform.rotationY != 0 || Self.depths.contains(where: layer.animates)
    }
  }

  /// Whether it has no bounds at any time. A text, and a layer that arranges others, are as large as their contents.
  fileprivate var lacksBounds: Bool {
    if case .text = content { return false }
    return bounds.isEmpty && layout == nil && flex == nil && !animates(.bounds) && !animates(.boundsSize)
  }
}
