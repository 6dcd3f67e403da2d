import CompositorAPI

/// A setting of a title's layer that changes nothing at any time, because of what is or isn't beside it.
struct IdleTitleSetting: Hashable, Sendable {
  /// The key path from the title.
  var path: String
  var message: String
  var suggestion: String
}

extension Layer {
  /// The settings of the tree that change nothing: animators without animations, selectors without a weight, transition sources
  /// without a transition, a number of passes beside their duration, effects without the setting that they need, and animations by audio
  /// between equal values.
  var idleSettings: [IdleTitleSetting] {
    var found: [IdleTitleSetting] = []
    try? visit { (layer, path) throws(CompositorError) in
      guard !layer.isHidden else { return }
      let start = path.isEmpty ? "" : path + "."
      found +=
        layer.idleAnimators(start) + layer.idleSelectors(start) + layer.idleTransitionSource(start) + layer.idleCounts(start)
      found += layer.idleEffects(start) + layer.idleLevels(start)
    }
    return found + idleMotions
  }

  private func idleAnimators(_ start: String) -> [IdleTitleSetting] {
    animators.enumerated().filter { $0.element.animations.isEmpty && $0.element.scramble == nil }.map { index, _ in
      IdleTitleSetting(
        path: "\(start)content.text.animators[\(index)]", message: "The animator changes nothing: it has no animations.",
        suggestion: "Give it animations, such as [{ property: \"opacity\", from: 0 }], or remove it.")
    }
  }

  private func idleSelectors(_ start: String) -> [IdleTitleSetting] {
    animators.enumerated().compactMap { index, animator in
      guard let selector = animator.selector, !animator.animations.isEmpty else { return nil }
      let path = "\(start)content.text.animators[\(index)].selector"
      if selector.amount == 0, !selector.animates(.selectorAmount) {
        return IdleTitleSetting(
          path: path + ".amount", message: "The animator changes nothing: the amount of its selector is 0.",
          suggestion: "Give the selector an amount from -1 to 1, or animate selector.amount.")
      }
      if selector.start == selector.end, ![.selectorStart, .selectorEnd].contains(where: selector.animates),
        selector.shape != .rampUp, selector.shape != .rampDown
      {
        return IdleTitleSetting(
          path: path, message: "The animator changes nothing: the range of its selector is empty.",
          suggestion: "Give the selector different values for start and end, such as 0 and 1.")
      }
      guard selector.smoothness < 1, selector.shape != .square else { return nil }
      return IdleTitleSetting(
        path: path + ".smoothness", message: "smoothness changes nothing: it is that of the edges of a square.",
        suggestion: "Remove it, or write shape: \"square\". The other shapes have easeHigh and easeLow.")
    }
  }

  private func idleTransitionSource(_ start: String) -> [IdleTitleSetting] {
    guard transitionSource != nil, !animations.contains(where: \.isTransition) else { return [] }
    return [
      IdleTitleSetting(
        path: start + "transitionSource",
        message: "transitionSource changes nothing: no animation of the layer is a transition.",
        suggestion: "Add { transition: { kind: \"fade\" }, duration: \"0.5s\" } to the layer's animations, or remove it.")
    ]
  }

  private func idleCounts(_ start: String) -> [IdleTitleSetting] {
    var paths = timing.hasIdleCount ? [start + "timing"] : []
    for (index, animation) in animations.enumerated() { paths += animation.idleCounts("\(start)animations[\(index)]") }
    for (index, animator) in animators.enumerated() {
      for (place, animation) in animator.animations.enumerated() {
        paths += animation.idleCounts("\(start)content.text.animators[\(index)].animations[\(place)]")
      }
      for (place, animation) in (animator.selector?.animations ?? []).enumerated() {
        paths += animation.idleCounts("\(start)content.text.animators[\(index)].selector.animations[\(place)]")
      }
    }
    return paths.map { path in
      IdleTitleSetting(
        path: path + ".repeatCount", message: "repeatCount changes nothing beside repeatDuration, which ends all passes.",
        suggestion: "Remove one of them.")
    }
  }

  private func idleLevels(_ start: String) -> [IdleTitleSetting] {
    animations.enumerated().compactMap { index, animation in
      guard case .audio(_, let from?, let to?, _) = animation.kind, from == to else { return nil }
      return IdleTitleSetting(
        path: "\(start)animations[\(index)]",
        message: "The animation changes nothing: from and to are equal, whatever the audio is.",
        suggestion: "Give from and to different values, or remove it.")
    }
  }

  private var animators: [TextAnimator] { if case .text(let text) = content { text.animators } else { [] } }
}

extension TextRangeSelector {
  fileprivate func animates(_ property: LayerProperty) -> Bool {
    animations.contains { $0.leaves.contains { $0.property == property } }
  }
}

extension Animation {
  fileprivate var isTransition: Bool { if case .transition = kind { true } else { false } }

  /// The key paths of its timing and those of its members that have a number of passes beside their duration.
  fileprivate func idleCounts(_ path: String) -> [String] {
    let own = timing.hasIdleCount ? [path] : []
    guard case .group(let members) = kind else { return own }
    return own + members.enumerated().flatMap { index, member in member.idleCounts("\(path).group[\(index)]") }
  }
}

extension LayerTiming {
  fileprivate var hasIdleCount: Bool { repeatDuration > 0 && repeatCount > 0 }
}
