internal import Compositor
internal import Foundation

/// A layer whose animations are translated.
private struct AnimatedLayer {
  let layer: CALayer
  let own: LayerSpace
  let space: LayerSpace
  /// Whether the animation is one of a group, which alone says what is removed.
  var isGrouped = false
}

/// Animations as the compositor takes them.
extension LayerTranslation {
  /// All animations of a layer.
  ///
  /// - Parameters:
  ///   - own: The space of the layer.
  ///   - space: That of the layer above.
  /// - Throws: What cannot be animated.
  func animations(of layer: CALayer, _ own: LayerSpace, in space: LayerSpace) throws(AVError) -> [Animation] {
    var result: [Animation] = []
    let animated = AnimatedLayer(layer: layer, own: own, space: space)
    for animation in layer.allAnimations { result += try translated(animation, animated) }
    return result
  }

  private func translated(_ animation: CAAnimation, _ layer: AnimatedLayer) throws(AVError) -> [Animation] {
    if let group = animation as? CAAnimationGroup {
      var members: [Animation] = []
      var inner = layer
      inner.isGrouped = true
      for member in group.animations ?? [] { members += try translated(member, inner) }
      members = members.map { $0.held(untilEndOf: group.duration) }
      return [
        Animation(
          .group(members), timing: LayerTiming(group, isGrouped: layer.isGrouped), easing: Easing(group.timingFunction))
      ]
    }
    guard let change = animation as? CAPropertyAnimation, let keyPath = change.keyPath else {
      throw AVError(
        .invalidVideoComposition, "A \(type(of: animation)) without a key path cannot be drawn.",
        suggestion: "Use CABasicAnimation(keyPath:) or another animation of a property.")
    }
    if keyPath == "transform" { return try transforms(change, layer) }
    guard let property = AnimatedProperty(keyPath, of: layer.own, in: layer.space) else {
      throw mistake(change, layer, "is not known here")
    }
    if property.property == .bounds || property.property == .boundsSize, layer.own.pointsUp,
      layer.layer is CAShapeLayer || layer.layer.sublayers != nil || layer.layer.mask != nil
    {
      throw mistake(change, layer, "would move what is placed from the lower edge; set isGeometryFlipped")
    }
    var made = Animation(
      try kind(change, property, layer), timing: LayerTiming(change, isGrouped: layer.isGrouped),
      easing: Easing(change.timingFunction))
    (made.isAdditive, made.isCumulative) = (change.isAdditive, change.isCumulative)
    return [made]
  }

  private func mistake(_ animation: CAPropertyAnimation, _ layer: AnimatedLayer, _ words: String) -> AVError {
    AVError(
      .invalidVideoComposition,
      "An animation of \(animation.keyPath ?? "nothing") of \(Self.description(of: layer.layer)) cannot be drawn: it \(words).")
  }

  private func kind(
    _ animation: CAPropertyAnimation, _ property: AnimatedProperty, _ layer: AnimatedLayer
  ) throws(AVError) -> Animation.Kind {
    func value(_ given: Any?, isRelative: Bool = false) throws(AVError) -> AnimationValue? {
      guard let given else { return nil }
      guard let made = try self.value(given, property, layer, isRelative: isRelative || animation.isAdditive) else {
        throw mistake(animation, layer, "has a \(type(of: given)) as a value")
      }
      return made
    }
    switch animation {
    case let spring as CASpringAnimation:
      return .spring(
        property.property, from: try value(spring.fromValue), to: try value(spring.toValue), SpringCurve(spring))
    case let basic as CABasicAnimation:
      return .basic(
        property.property, from: try value(basic.fromValue), to: try value(basic.toValue),
        by: try value(basic.byValue, isRelative: true))
    case let frames as CAKeyframeAnimation:
      var made = Keyframes(frames)
      for given in frames.values ?? [] { if let value = try value(given) { made.values.append(value) } }
      if let path = frames.path {
        guard property.kind == .pair else { throw mistake(animation, layer, "has a path, but is no point") }
        let isPlace = property.property == .position && !animation.isAdditive
        let room = isPlace ? layer.space : LayerSpace(bounds: .zero, pointsUp: property.mirror != .none)
        made.path = path.shapePath(room)
      }
      return .keyframes(property.property, made)
    default: throw mistake(animation, layer, "is a \(type(of: animation))")
    }
  }

  /// A program's value; `nil` if it is not of the property's kind.
  private func value(
    _ given: Any, _ property: AnimatedProperty, _ layer: AnimatedLayer, isRelative: Bool
  ) throws(AVError) -> AnimationValue? {
    func numbers(_ found: [Double]?) -> AnimationValue? {
      found.map { .numbers(property.mirrored($0, isRelative: isRelative)) }
    }
    switch property.kind {
    case .number: return numbers(ValueNumbers.number(given).map { [$0] })
    case .pair: return numbers(ValueNumbers.pair(given))
    case .rect: return numbers(ValueNumbers.rect(given))
    case .color: return (given as? CGColor).map { .color($0.color) }
    case .path: return (given as? CGPath).map { .path($0.shapePath(layer.own)) }
    case .picture:
      guard let image = given as? CGImage else { return nil }
      return .text(try name(of: image))
    case .text: return given is NSAttributedString || given is String ? .text(Self.string(given)) : nil
    case .colors:
      let colors = (given as? [Any])?.compactMap { ($0 as? CGColor)?.color }
      return colors.map { .numbers($0.flatMap { [$0.red, $0.green, $0.blue, $0.alpha] }) }
    case .numbers: return (given as? [Any]).map { .numbers($0.compactMap(ValueNumbers.number)) }
    }
  }

  /// An animation of a whole transform: one of each of its parts that changes.
  private func transforms(_ animation: CAPropertyAnimation, _ layer: AnimatedLayer) throws(AVError) -> [Animation] {
    func parts(_ given: Any?) throws(AVError) -> LayerTransform? {
      guard let given else { return nil }
      guard let transform = ValueNumbers.transform(given),
        let parts = TransformParts(transform, pointsUp: layer.space.pointsUp), parts.perspective == 0
      else { throw mistake(animation, layer, "has a value that is no transform without perspective") }
      return parts.transform
    }
    guard !animation.isAdditive, !animation.isCumulative, (animation as? CABasicAnimation)?.byValue == nil,
      (animation as? CAKeyframeAnimation)?.path == nil
    else {
      throw mistake(animation, layer, "adds transforms; animate transform.rotation, transform.scale or transform.translation")
    }
    var ends: [LayerTransform?] = []
    if let basic = animation as? CABasicAnimation {
      ends = [try parts(basic.fromValue), try parts(basic.toValue)]
    } else if let frames = animation as? CAKeyframeAnimation {
      for value in frames.values ?? [] { ends.append(try parts(value)) }
    }
    let model = try parts(layer.layer.transform) ?? .identity
    return Self.transformParts.compactMap { property, part in
      let values = ends.map { $0.map { AnimationValue.number($0[keyPath: part]) } }
      guard ends.contains(where: { $0.map { $0[keyPath: part] != model[keyPath: part] } ?? false }) else { return nil }
      return Animation(
        Self.kind(animation, property, values), timing: LayerTiming(animation, isGrouped: layer.isGrouped),
        easing: Easing(animation.timingFunction))
    }
  }

  /// An animation of a part of a transform.
  ///
  /// - Parameter values: The values of keyframes, or two, which may be `nil`.
  private static func kind(
    _ animation: CAPropertyAnimation, _ property: LayerProperty, _ values: [AnimationValue?]
  ) -> Animation.Kind {
    switch animation {
    case let spring as CASpringAnimation: return .spring(property, from: values[0], to: values[1], SpringCurve(spring))
    case let frames as CAKeyframeAnimation:
      var made = Keyframes(frames)
      made.values = values.compactMap { $0 }
      return .keyframes(property, made)
    default: return .basic(property, from: values[0], to: values[1], by: nil)
    }
  }

  private static var transformParts: [(LayerProperty, KeyPath<LayerTransform, Double>)] {
    [
      (.scaleX, \.scaleX), (.scaleY, \.scaleY), (.skewX, \.skewX), (.rotation, \.rotationZ), (.rotationX, \.rotationX),
      (.rotationY, \.rotationY), (.translationX, \.translationX), (.translationY, \.translationY),
      (.translationZ, \.translationZ),
    ]
  }
}
