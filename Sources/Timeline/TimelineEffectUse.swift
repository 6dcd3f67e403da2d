public import CompositorAPI

/// An effect as it is written on a clip, a layer, an instruction or a stretch of time.
public struct TimelineEffectUse: Hashable, Sendable {
  /// Who changes the picture.
  public var compositor: CompositorID
  /// Its parameters.
  public var parameters: ParameterValues
  /// Parameters that change over time; times count from the start of what the effect is written on.
  public var animatedParameters: AnimatedValues

  /// Makes an effect.
  public init(
    _ compositor: CompositorID, parameters: ParameterValues = [:], animatedParameters: AnimatedValues = [:]
  ) {
    self.compositor = compositor
    self.parameters = parameters
    self.animatedParameters = animatedParameters
  }

  /// The effect in composition time, for an instruction over `range`.
  ///
  /// - Throws: `.invalidValue` where keyframes are out of order.
  package func reference(
    from origin: ExactTime, over range: ExactRange, frameRate: Rational
  ) throws(CompositorError) -> EffectReference {
    EffectReference(
      compositor, parameters: parameters,
      animatedParameters: try AnimatedParameters(animatedParameters, from: origin, over: range, frameRate: frameRate))
  }
}

/// Keyframes of numbers, points and colors, by the key of the parameter.
public typealias AnimatedValues = [String: Animated<ParameterValue>]

extension AnimatedParameters {
  /// Keyframes in composition time, for an instruction over `range`.
  ///
  /// - Throws: `.invalidValue` where keyframes are out of order.
  init(
    _ animations: AnimatedValues, from origin: ExactTime, over range: ExactRange, frameRate: Rational
  ) throws(CompositorError) {
    self.init()
    for (key, animation) in animations {
      // Bounds of parameters are not known here: an easing that overshoots stays between the two values.
      let line = try PiecewiseLinear(
        animation, from: origin, sampling: FrameGrid(rate: frameRate, range: range), { $0 },
        between: { $0.interpolated(to: $1, fraction: Swift.min(Swift.max($2, 0), 1)) })
      var timeline = PropertyTimeline(default: line.value(at: range.start))
      try line.write(to: &timeline, over: range)
      self[key] = timeline
    }
  }
}
