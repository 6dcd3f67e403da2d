extension Animation {
  /// Checks that the animation is valid.
  /// - Throws: `.invalidValue` if a duration is negative, an easing is invalid, values don't fit the property, key times don't
  ///   fit the values, or keyframes, a spring or a group are empty.
  package func requireUsable() throws(CompositorError) {
    try timing.requireUsable()
    try easing.requireUsable()
    switch kind {
    case .basic(let property, let from, let to, let by):
      guard from != nil || to != nil || by != nil else {
        throw Animation.mistake("An animation of \(property.rawValue) has no values.", "Give it \"from\", \"to\" or \"by\".")
      }
      for value in [from, to, by].compactMap({ $0 }) { try property.require(value) }
    case .keyframes(let property, let frames): try frames.requireUsable(for: property)
    case .spring(let property, let from, let to, let spring):
      try spring.requireUsable()
      guard from != nil || to != nil else {
        throw Animation.mistake("A spring of \(property.rawValue) has no values.", "Give it \"from\" or \"to\".")
      }
      for value in [from, to].compactMap({ $0 }) { try property.require(value) }
    case .wiggle(let property, let by, let wiggle):
      try wiggle.requireUsable()
      guard case .numbers = property.kind else {
        throw Animation.mistake("\(property.rawValue) cannot wiggle.", "Wiggle a property of numbers.")
      }
      try property.require(by)
    case .audio(let property, let from, let to, let level):
      do throws(CompositorError) {
        try level.requireUsable()
      } catch {
        throw error.within("audio")
      }
      guard from != nil || to != nil else {
        throw Animation.mistake("An animation of \(property.rawValue) has no values.", "Give it \"from\" or \"to\".")
      }
      for value in [from, to].compactMap({ $0 }) { try property.require(value) }
    case .group(let members):
      for member in members {
        let found: String? =
          switch member.kind {
          case .transition: "a transition"
          case .audio: "an animation that follows audio"
          default: nil
          }
        if let found {
          throw Animation.mistake("A group contains \(found).", "Put it among the animations of the layer itself.")
        }
        try member.requireUsable()
      }
    case .transition: break
    }
  }

  static func mistake(_ message: String, _ recoverySuggestion: String) -> CompositorError {
    CompositorError(.invalidValue, message, recoverySuggestion: recoverySuggestion)
  }
}

extension Layer {
  /// Throws if an animation of the layer itself changes a property that the layer doesn't have.
  package func requireUsableAnimations() throws(CompositorError) {
    for (index, animation) in animations.enumerated() {
      for property in animation.leaves.compactMap(\.property) where property.value(in: self) == nil {
        throw CompositorError(
          .invalidValue, "An animation changes \(property.rawValue), which this layer does not have.",
          recoverySuggestion: "Put it on a layer with such content.", at: ErrorLocation(path: "animations[\(index)]"))
      }
    }
  }

  /// Throws if the timing or an animation of the layer itself is invalid.
  package func requireUsableTiming() throws(CompositorError) {
    do throws(CompositorError) {
      try timing.requireUsable()
    } catch {
      throw error.within("timing")
    }
    for (index, animation) in animations.enumerated() {
      do throws(CompositorError) {
        try animation.requireUsable()
      } catch {
        throw error.within("animations[\(index)]")
      }
    }
    guard case .text(let text) = content else { return }
    for (index, animator) in text.animators.enumerated() {
      do throws(CompositorError) {
        try animator.requireUsable()
      } catch {
        throw error.within("content.text.animators[\(index)]")
      }
    }
  }

  /// Throws if a timing or an animation in the layer's tree is invalid. Layers deeper than ``Layer/maximumDepth`` aren't
  /// visited.
  ///
  /// - Throws: `.invalidValue`, with the key path from the layer.
  package func requireUsable() throws(CompositorError) {
    try visit { (layer, _) throws(CompositorError) in
      try layer.requireUsableTiming()
      try layer.requireUsableAnimations()
      try layer.requireUsableLayout()
    }
  }

  /// Calls the closure with every layer of the tree and its key path from the layer, and adds that path to errors thrown.
  /// Layers deeper than ``Layer/maximumDepth`` aren't visited.
  package func visit(
    depth: Int = 0, path: String = "", _ body: (Layer, String) throws(CompositorError) -> Void
  ) throws(CompositorError) {
    guard depth <= Layer.maximumDepth else { return }
    do throws(CompositorError) {
      try body(self, path)
    } catch {
      throw path.isEmpty ? error : error.within(path)
    }
    let start = path.isEmpty ? "" : path + "."
    for (index, layer) in sublayers.enumerated() {
      try layer.visit(depth: depth + 1, path: "\(start)sublayers[\(index)]", body)
    }
    try mask?.visit(depth: depth + 1, path: start + "mask", body)
    try transitionSource?.visit(depth: depth + 1, path: start + "transitionSource", body)
  }
}

extension Keyframes {
  fileprivate func requireUsable(for property: LayerProperty) throws(CompositorError) {
    for easing in easings { try easing.requireUsable() }
    guard keyTimes.allSatisfy({ (0...1).contains($0) }), zip(keyTimes, keyTimes.dropFirst()).allSatisfy(<=) else {
      throw Animation.mistake("Key times do not rise from 0 to 1.", "They are fractions of the duration, in their order.")
    }
    if let path {
      guard property.kind == .numbers(count: 2) else {
        throw Animation.mistake("\(property.rawValue) cannot follow a path.", "Paths are for properties of two numbers.")
      }
      try requireCounts(MeasuredPath(path).stepDistances.count, "the path has points")
    } else {
      guard rotation == .none else {
        throw Animation.mistake(
          "Keyframes rotate with a path, but have none.", "Give it \"path\", or leave \"rotation\" out.")
      }
      for value in values { try property.require(value) }
      try requireCounts(values.count, "there are values")
    }
  }

  /// - Parameter count: The number of values or points.
  private func requireCounts(_ count: Int, _ wanted: String) throws(CompositorError) {
    guard count > 0 else { throw Animation.mistake("Key frames have no values.", "Give them \"values\", or a \"path\".") }
    let isPaced = mode == .paced || mode == .cubicPaced
    let timeCounts = mode == .discrete ? [0, count, count + 1] : [0, count]
    guard isPaced || timeCounts.contains(keyTimes.count) else {
      throw Animation.mistake(
        "There are \(keyTimes.count) key times.",
        "Give as many as \(wanted): \(count)\(mode == .discrete ? ", or one more" : "").")
    }
    guard easings.count < max(count, 2) else {
      throw Animation.mistake("There are \(easings.count) easings.", "Give one between each and the next: \(count - 1).")
    }
  }
}

extension LayerProperty {
  /// Throws if a value isn't of the property's kind.
  fileprivate func require(_ value: AnimationValue) throws(CompositorError) {
    switch (kind, value) {
    case (.numbers(let count), .numbers(let numbers)) where numbers.count == count: return
    case (.numbers, .numbers(let numbers)) where self == .scale && numbers.count == 2: return
    case (.list, .numbers(let numbers)) where !numbers.isEmpty && (self != .gradientColors || numbers.count % 4 == 0): return
    case (.text, .text), (.path, .path): return
    default: break
    }
    let wanted =
      switch kind {
      case .numbers(1): "a number"
      case .numbers(4) where isColor: "a color"
      case .numbers(let count): "\(count) numbers"
      case .list: self == .gradientColors ? "a list of colors" : "a list of numbers"
      case .text: "a string"
      case .path: "a path"
      }
    throw Animation.mistake("This isn't a valid value for \(rawValue).", "Give \(wanted).")
  }
}

extension LayerTiming {
  func requireUsable() throws(CompositorError) {
    guard beginTime.isFinite, speed.isFinite, timeOffset.isFinite else {
      throw Animation.mistake("A begin time, speed or time offset is not finite.", "Give numbers of seconds.")
    }
    guard duration >= 0, repeatCount >= 0, repeatDuration >= 0 else {
      throw Animation.mistake(
        "A duration or a number of repeats is below 0.", "Give 0 or more; a negative speed plays backwards.")
    }
    guard relativeTo == .start || beginTime < 0 else {
      throw Animation.mistake(
        "A begin time relative to the end is not before it.", "Give a negative one, such as half a second before: -0.5 s.")
    }
    try stretch?.requireUsable()
  }
}

extension SpringCurve {
  func requireUsable() throws(CompositorError) {
    guard mass > 0, stiffness > 0, damping >= 0, mass.isFinite, stiffness.isFinite, damping.isFinite,
      initialVelocity.isFinite
    else {
      throw Animation.mistake("A spring cannot swing.", "Its mass and stiffness are above 0, its damping is 0 or more.")
    }
  }
}

extension Animation {
  /// The animations in this one, with groups flattened.
  package var leaves: [Animation] {
    if case .group(let members) = kind { return members.flatMap(\.leaves) }
    return [self]
  }

  /// The animated property; `nil` for groups and transitions.
  package var property: LayerProperty? {
    switch kind {
    case .basic(let property, _, _, _), .spring(let property, _, _, _), .keyframes(let property, _),
      .wiggle(let property, _, _), .audio(let property, _, _, _):
      property
    case .group, .transition: nil
    }
  }
}
