import CompositorAPI

// Settings of a layer's effects without the setting that they need.

extension Layer {
  /// Shadows that show nothing, a glow's intensity without a glow, settings of a path without one, and hyphens without line ends.
  func idleEffects(_ start: String) -> [IdleTitleSetting] {
    idleShadows(start) + idleGlow(start) + idlePath(start) + idleHyphenation(start)
  }

  private func idleShadows(_ start: String) -> [IdleTitleSetting] {
    shadows.enumerated().compactMap { index, shadow in
      let path = "\(start)shadows[\(index)]"
      guard shadow.opacity > 0, shadow.color.alpha > 0 else {
        return IdleTitleSetting(
          path: path, message: "The shadow changes nothing: it is transparent.",
          suggestion: "Give it an opacity above 0, or remove it.")
      }
      guard shadow.offset == .zero, shadow.radius <= 0, shadow.isInner || isOpaque else { return nil }
      return IdleTitleSetting(
        path: path,
        message:
          "The shadow changes nothing: without offset and radius it lies exactly \(shadow.isInner ? "outside of" : "behind") the layer.",
        suggestion: "Give it an offset or a radius, such as radius: \"1%\", or remove it.")
    }
  }

  /// Whether its own contents hide what lies exactly behind them; `false` if that isn't known, as of images.
  private var isOpaque: Bool {
    guard opacity >= 1, sublayers.isEmpty, mask == nil, !animates(.opacity), !animates(.backgroundColor) else { return false }
    if let backgroundColor { return backgroundColor.alpha >= 1 }
    switch content {
    case .text(let text):
      let colors = [text.color] + text.runs.compactMap(\.color)
      return text.gradient == nil && text.animators.isEmpty && colors.allSatisfy { $0.alpha >= 1 }
    case .shape(let shape): return [shape.fillColor, shape.strokeColor].allSatisfy { ($0?.alpha ?? 1) >= 1 }
    default: return false
    }
  }

  private func idleGlow(_ start: String) -> [IdleTitleSetting] {
    let unit = LayerFilters()
    guard filters.glowIntensity != unit.glowIntensity, filters.glowRadius <= 0, !animates(.glowRadius) else { return [] }
    return [
      IdleTitleSetting(
        path: start + "filters.glowIntensity", message: "glowIntensity changes nothing: without glowRadius there is no glow.",
        suggestion: "Write glowRadius, too, such as \"2%\", or remove it.")
    ]
  }

  /// Words that are to be divided in lines that never wrap.
  private func idleHyphenation(_ start: String) -> [IdleTitleSetting] {
    guard case .text(let text) = content, text.hyphenates else { return [] }
    guard text.path != nil || !text.wraps && text.maximumWidth <= 0 else { return [] }
    return [
      IdleTitleSetting(
        path: start + "content.text.hyphenates",
        message: "hyphenates changes nothing: the lines of the text don't wrap\(text.path != nil ? " on a path" : "").",
        suggestion: text.path != nil ? "Remove it." : "Write wraps: true, or give the text a maximumWidth.")
    ]
  }

  /// The settings of a text's path that it doesn't have, or that its columns don't follow.
  private func idlePath(_ start: String) -> [IdleTitleSetting] {
    guard case .text(let text) = content else { return [] }
    if text.path != nil {
      guard text.writingMode != .horizontal else { return [] }
      return [
        IdleTitleSetting(
          path: start + "content.text.path", message: "path changes nothing: only horizontal lines lie on a path.",
          suggestion: "Remove path, or writingMode.")
      ]
    }
    let animated = animations.firstIndex { $0.leaves.contains { $0.property == .textPathOffset } }
    guard text.pathOffset != 0 || animated != nil else { return [] }
    return [
      IdleTitleSetting(
        path: start + (text.pathOffset != 0 ? "content.text.pathOffset" : "animations[\(animated ?? 0)]"),
        message: "pathOffset changes nothing: the text has no path.",
        suggestion: "Give it a path, such as path: { circle: { center: [0, 0], radius: \"20vmin\" } }, or remove it.")
    ]
  }

  func animates(_ property: LayerProperty) -> Bool {
    animations.contains { $0.leaves.contains { $0.property == property } }
  }
}

extension Layer {
  /// Movement toward the viewer and motion blur in a tree without what they need.
  var idleMotions: [IdleTitleSetting] {
    let facts = MotionFacts(self)
    var found: [IdleTitleSetting] = []
    try? visit { (layer, path) throws(CompositorError) in
      let start = path.isEmpty ? "" : path + "."
      guard !layer.isHidden else { return }
      if facts.isFlat, let place = layer.depthPath { found.append(.withoutPerspective(start + place)) }
      guard facts.isStill, layer.motionBlur != nil else { return }
      found.append(
        IdleTitleSetting(
          path: start + "motionBlur", message: "motionBlur changes nothing: nothing of the title moves.",
          suggestion: "Give the layer, or one in it, an animation, or remove motionBlur."))
    }
    return found
  }

  /// The key path of its movement toward the viewer, or of that of pieces of its text; `nil` if there is none.
  private var depthPath: String? {
    if transform.translationZ != 0 { return "transform.translationZ" }
    if let index = animations.firstIndex(where: \.changesDepth) { return "animations[\(index)]" }
    guard case .text(let text) = content else { return nil }
    for (index, animator) in text.animators.enumerated() {
      guard let place = animator.animations.firstIndex(where: \.changesDepth) else { continue }
      return "content.text.animators[\(index)].animations[\(place)]"
    }
    return nil
  }
}

/// What a tree has anywhere: a movement may be seen because of a layer around it or beside it.
private struct MotionFacts {
  /// Whether a movement toward the viewer is seen nowhere: nothing has a perspective, turns what is in it, or is sorted by depth.
  private(set) var isFlat = true
  /// Whether nothing moves.
  private(set) var isStill = true

  init(_ root: Layer) {
    var (isFlat, isStill) = (true, true)
    try? root.visit { (layer, _) throws(CompositorError) in
      let leaves = layer.animations.flatMap(\.leaves)
      // Layers beside each other are drawn in the order of their depths.
      if layer.perspective > 0 || layer.sublayerTransform != .identity || layer.sublayers.count > 1 { isFlat = false }
      switch layer.content {
      case .replicator, .emitter: (isFlat, isStill) = (false, false)
      case .movie, .video: isStill = false
      case .text(let text): if text.generator != nil || !text.animators.isEmpty { isStill = false }
      case .none, .image, .shape, .gradient: break
      }
      for leaf in leaves {
        if leaf.property == .perspective || leaf.property?.rawValue.hasPrefix("sublayerTransform") == true { isFlat = false }
        // What fades isn't moved. Transitions have no property.
        if leaf.property != .opacity { isStill = false }
      }
      if layer.transitionSource != nil { isStill = false }
    }
    (self.isFlat, self.isStill) = (isFlat, isStill)
  }
}

extension Animation {
  fileprivate var changesDepth: Bool { leaves.contains { $0.property == .translationZ } }
}

extension IdleTitleSetting {
  fileprivate static func withoutPerspective(_ path: String) -> IdleTitleSetting {
    IdleTitleSetting(
      path: path, message: "The movement toward the viewer changes nothing: there is no perspective.",
      suggestion: "Give the layer around it a perspective, such as perspective: 1000, or scale the layer instead.")
  }
}
