import CompositorPlugins
public import CompositorAPI

/// An effect on a clip, a layer, an instruction or a time range.
public struct TimelineEffectUse: Hashable, Sendable {
  /// The identifier of the compositor to use.
  public var compositor: CompositorID
  /// The compositor's parameters.
  public var parameters: ParameterValues
  /// Parameters that change over time. Times are relative to the start of what the effect applies to.
  public var animatedParameters: AnimatedValues
  /// Where the effect is shown; `nil`, the default, for everywhere.
  public var mask: TimelineEffectMask? {
    get { boxedMask?.value }
    set { boxedMask = newValue.map(Boxed.value) }
  }
  // Boxed, because few effects have a mask.
  private var boxedMask: Boxed<TimelineEffectMask>?

  /// Creates an effect.
  public init(
    _ compositor: CompositorID, parameters: ParameterValues = [:], animatedParameters: AnimatedValues = [:]
  ) {
    self.compositor = compositor
    self.parameters = parameters
    self.animatedParameters = animatedParameters
  }

  /// The effect with a name used in projects, such as `gaussian-blur`, or by the ID of another compositor, such as `org.example.glow`.
  ///
  /// ```swift
  /// clip.effects = [try .named("gaussian-blur", animated: ["radius": .ramp(from: .number(0), to: .number(12), for: .seconds(1))])]
  /// ```
  ///
  /// - Parameters:
  ///   - parameters: Values of its parameters; absent ones have their defaults.
  ///   - animated: Parameters that change over time. Times are relative to the start of what the effect applies to.
  /// - Throws: `.invalidValue` if there is no such effect; the recovery suggestion contains the nearest name.
  public static func named(
    _ name: String, _ parameters: ParameterValues = [:], animated: AnimatedValues = [:]
  ) throws(CompositorError) -> TimelineEffectUse {
    let effects = CompositorRegistry.builtIn.descriptors(for: .effect)
    let known = effects.first { $0.id.shortName == name || $0.id.rawValue == name }?.id
    guard known != nil || name.contains(".") else {
      throw CompositorError(
        .invalidValue, "There is no effect \(quoted(name)).",
        recoverySuggestion: recoverySuggestion(for: name, among: effects.map(\.id.shortName)))
    }
    return TimelineEffectUse(
      known ?? CompositorID(rawValue: name), parameters: parameters, animatedParameters: animated)
  }

  /// The effect in composition time, for an instruction over `range`.
  ///
  /// - Parameters:
  ///   - applied: The range over which it is applied without interruption; `nil` for that of the instruction.
  ///   - maskTrackID: The track of its mask, if it has one.
  /// - Throws: `.invalidValue` if keyframes are out of order.
  package func reference(
    from origin: ExactTime, over range: ExactRange, applied: TimeRange? = nil, frameRate: Rational, maskTrackID: TrackID?
  ) throws(CompositorError) -> EffectReference {
    var reference = EffectReference(
      compositor, parameters: parameters,
      animatedParameters: try AnimatedParameters(animatedParameters, from: origin, over: range, frameRate: frameRate))
    reference.timeRange = applied
    if let mask, let maskTrackID {
      reference.mask = EffectMask(trackID: maskTrackID, channel: mask.channel, isInverted: mask.isInverted)
    }
    return reference
  }
}

/// Keyframed parameters, by key.
public typealias AnimatedValues = [String: Animated<ParameterValue>]

extension AnimatedParameters {
  /// Keyframes in composition time, for an instruction over `range`.
  ///
  /// - Throws: `.invalidValue` if keyframes are out of order.
  init(
    _ animations: AnimatedValues, from origin: ExactTime, over range: ExactRange, frameRate: Rational
  ) throws(CompositorError) {
    self.init()
    for (key, animation) in animations {
      // The range of the parameter isn't known here, so the result of an easing that overshoots is limited to the two keyframe
      // values.
      let line = try PiecewiseLinear(
        animation, from: origin, sampling: SamplingGrid(rate: frameRate, range: range), { $0 },
        between: { $0.interpolated(to: $1, fraction: Swift.min(Swift.max($2, 0), 1)) })
      var timeline = PropertyTimeline(default: line.value(at: range.start))
      try line.write(to: &timeline, over: range)
      self[key] = timeline
    }
  }
}
