public import CompositorAPI

extension Layer {
  /// The layer with keyframes of a property, as clips have them: times are relative to the start of the layer, and angles are in degrees,
  /// clockwise. The first value holds before its time, and the last one after.
  ///
  /// ```swift
  /// let word = Layer(text: "Magic", size: 140).animated(.rotation, [
  ///   Keyframe(time: .zero, value: 0, easing: .easeInOut), Keyframe(time: .seconds(2), value: 15),
  /// ])
  /// ```
  ///
  /// - Parameter keyframes: Values in increasing order of time; numbers, points, colors or strings, by the property. Without any, the
  ///   layer is unchanged.
  public func animated(_ property: LayerProperty, _ keyframes: [Keyframe<AnimationValue>]) -> Layer {
    guard let first = keyframes.first, let last = keyframes.last else { return self }
    let start = first.time.seconds
    let duration = last.time.seconds - start
    let values = keyframes.map { property.isAngle ? $0.value.radians : $0.value }
    let timing = LayerTiming(beginTime: start, duration: duration, fillMode: .both)
    var layer = self
    if keyframes.count == 1 || duration <= 0 {
      layer.animations.append(.basic(property, from: values.last, to: values.last, timing: timing))
    } else {
      var frames = Keyframes(values, keyTimes: keyframes.map { ($0.time.seconds - start) / duration })
      frames.easings = keyframes.dropLast().map(\.easing)
      layer.animations.append(.keyframes(property, frames, timing: timing))
    }
    return layer
  }
}

extension AnimationValue {
  /// Degrees in radians.
  fileprivate var radians: AnimationValue {
    guard case .numbers(let numbers) = self else { return self }
    return .numbers(numbers.map { $0 * .pi / 180 })
  }
}

extension LayerProperty {
  /// Whether its value is an angle, which layers have in radians, and people write in degrees.
  package var isAngle: Bool {
    switch self {
    case .rotation, .rotationX, .rotationY, .skewX, .skewY, .sublayerRotation, .sublayerRotationX, .sublayerRotationY,
      .instanceRotation, .instanceRotationX, .instanceRotationY, .hueRotation, .emitterAngle, .emitterRange, .emitterSpin:
      true
    default: false
    }
  }
}
